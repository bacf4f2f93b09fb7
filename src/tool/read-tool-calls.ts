import { checkText } from '../core/check-text.ts'
import { createToolCallReader, type ToolCallOptions } from './create-tool-call-reader.ts'
import type { ToolCallsRead } from './tool-calls.ts'

/**
 * Reads the tool calls in a model's text, in whatever dialect it writes them, beside what it says and thinks. Never
 * throws because of what the text says.
 */
export function readToolCalls(text: string, options: ToolCallOptions = {}): ToolCallsRead {
  checkText(text, 'readToolCalls')
  const reader = createToolCallReader(options)
  reader.push(text)
  return reader.end()
}
