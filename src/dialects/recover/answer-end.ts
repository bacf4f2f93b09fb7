import { isGlue } from './is-glue.ts'

/**
 * Where a reply goes on with something that is not its answer: the next question, a made-up result, a program that
 * defines or tests the tools.
 */
const turn =
  /^[ \t]*(?:#{2,4} *(?:instruction|question|input|user|human|response|assistant|example|task)\b|(?:user|human|question|observation|instruction)[ \t]*:|(?:def|class|import|assert)[ \t]+\w|from[ \t]+\w+[ \t]+import\b)|<tool_response>|(?:^|>)[ \t]*(?:user|assistant|system|human)[ \t]*(?:<\||\n)/gim

/** The same, where no call stands before it: only where another one speaks. */
const stranger = /^[ \t]*(?:#{2,4} *(?:instruction|user|human)\b|(?:user|human)[ \t]*:)/gim

/** Where the answer of a reply ends, as far as calls are concerned; `first`, `end`: the span of its first call. */
export function answerEnd(text: string, first: number, end: number): number {
  const before = text.slice(0, first)
  stranger.lastIndex = 0
  const other = stranger.exec(before)?.index
  // A heading at the very top is the model's own.
  if (other !== undefined && !isGlue(before.slice(0, other))) return other
  turn.lastIndex = end
  return turn.exec(text)?.index ?? text.length
}
