import type { FinishReason } from '../model/ask-model.ts'
import type { ToolChainResult } from '../tool/tool-chain.ts'
import type { Loop } from './loop.ts'

/** What the model is told when its reply did not end by itself. */
export const cutOff = (finish: FinishReason): string =>
  finish === 'content-filter'
    ? 'Your reply was stopped by a filter. Say it in another way.'
    : 'Your reply was cut off. Write it again, shorter.'

/** What the model said and called, and what came of it, as messages that carry both. `note`: what else it shall know. */
export function sayResults(loop: Loop, text: string, result: ToolChainResult, note?: string): void {
  const { calls, results, errors } = result.raw
  loop.emit({ type: 'issues', issues: result.issues })
  loop.say({ role: 'assistant', content: text, calls })
  // Calls that no tool has seen bring nothing.
  const ran = calls.some((_, i) => results[i] !== undefined || isOfTool(errors[i]?.code))
  if (!ran) loop.emit({ type: 'turn-idle', reason: 'No tool has run.' })
  loop.say({
    role: 'tool',
    content: [
      ...result.toContentParts(),
      ...(note === undefined ? [] : [{ type: 'text' as const, text: note }]),
    ],
    results: calls.map(({ id, name }, i) => {
      const error = errors[i]
      if (error) return { id, name, output: error.hint, failed: true }
      return { id, name, output: results[i]?.output ?? null }
    }),
  })
}

const isOfTool = (code: string | undefined) =>
  code === 'tool.failed' || code === 'tool.timeout' || code === 'tool.unwritable_output'
