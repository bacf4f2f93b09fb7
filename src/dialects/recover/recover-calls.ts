import type { FoundCall } from '../found-call.ts'
import type { KnownTools } from '../known-tools.ts'
import { chooseCalls } from './choose-calls.ts'
import { findCalls } from './find-calls.ts'

/**
 * The calls in a text whose writer knew no dialect, or none that is known here: `f(a=1)`, `{"name": "f", …}`,
 * `{"f": {…}}`, a name above its arguments; in lists, fences, strings, tags and prose. Only tools that are known are
 * called; what merely mentions, declares, shows or tests one gives nothing.
 */
export function recoverCalls(text: string, tools: KnownTools): FoundCall[] {
  return chooseCalls(text, findCalls(text, tools), tools).map(
    ({ id, name, arguments: args, span, complete }) => ({
      id,
      name,
      arguments: args,
      span,
      complete,
      issues: [],
    }),
  )
}
