import type { Issue } from '../../core/issue.ts'
import type { Tape } from '../../core/tape.ts'
import type { FoundCall } from '../found-call.ts'
import { callIssues } from '../issues.ts'
import type { KnownTools } from '../known-tools.ts'
import { PartsOut } from '../read/parts-out.ts'
import { recoverCalls } from './recover-calls.ts'

/**
 * The parts of a text in which calls are expected, of tools that are known. Calls that a dialect marks are meant; where
 * calls are plain values, all of the text is looked at, and what is chosen of it counts.
 */
export function withRecovered(
  found: PartsOut,
  tape: Tape,
  tools: KnownTools,
  issues: Issue[],
): Pick<PartsOut, 'parts' | 'calls'> {
  const text = tape.text()
  const marked = found.calls.filter((call) => tools.has(call.name))
  const recovered = marked.every((call) => call.plain) ? recoverCalls(text, tools) : []
  const calls: readonly FoundCall[] = recovered.length > 0 ? recovered : marked
  if (calls.length === found.calls.length && calls === marked) return found
  const known = new Set(found.calls.map(({ span }) => span.join()))
  for (const [index, { name, span, complete }] of recovered.entries()) {
    const path = ['calls', index]
    if (!known.has(span.join())) issues.push(callIssues.issue('recovered', { name }, { span, path }))
    if (!complete) issues.push(callIssues.issue('cut_off', { name }, { span, path }))
  }
  return withCalls(found, calls, text)
}

/** The same parts with other calls: what is none any more is content. */
function withCalls(found: PartsOut, calls: readonly FoundCall[], text: string): PartsOut {
  const out = new PartsOut()
  const rest = [...calls]
  let at = 0
  for (const part of found.parts) {
    const end = part.span[1]
    const kind = part.type === 'call' ? 'content' : part.type
    const tell = (to: number) => {
      if (to <= at) return
      if (kind === 'markup') out.markup(to)
      else out.text(kind, text.slice(at, to))
      at = to
    }
    for (let next = rest[0]; next && next.span[0] < end; next = rest[0]) {
      rest.shift()
      tell(next.span[0])
      out.call(next)
      at = next.span[1]
    }
    tell(end)
  }
  out.finish()
  return out
}
