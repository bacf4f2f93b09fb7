import type { FoundCall } from '../found-call.ts'
import type { KnownTools } from '../known-tools.ts'
import { argumentsOf } from '../literal/arguments-of.ts'
import { readCallExpression } from '../literal/read-call-expression.ts'
import { resolveName } from '../resolve-name.ts'

/** The calls of `[f(a=1), g(b=2)]`, or of one call. `start`: where the text stands. */
export function pythonicCalls(
  text: string,
  start: number,
  tools: KnownTools,
  complete: boolean,
): FoundCall[] {
  const calls: FoundCall[] = []
  let at = text.startsWith('[') ? 1 : 0
  for (;;) {
    while (at < text.length && /[\s,;]/.test(text[at] as string)) at++
    const read = readCallExpression(text, at)
    if (!read) return calls
    // tool.call(…), as some models call what is built in
    const method = read.name.endsWith('.call') && !tools.has(read.name)
    const name = resolveName(method ? read.name.slice(0, -'.call'.length) : read.name, tools)
    calls.push({
      name,
      plain: true,
      arguments: argumentsOf(read.args, tools.shapeOf(name)),
      span: [start + at, start + read.end],
      complete: read.complete || complete,
      issues: [],
    })
    at = read.end
  }
}
