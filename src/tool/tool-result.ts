import { LegibleError } from '../core/legible-error.ts'
import type { Media, ToolResult } from './tool.ts'

/** Tells a result from an output that happens to have the same fields, also between two copies of this package. */
const mark = Symbol.for('legible.tool-result')

/** What a tool gives back when it is more than a value: media beside the text, instructions about it. */
export function toolResult<Output>(result: {
  readonly text: Output
  readonly media?: readonly Media[]
  readonly instructions?: string
}): ToolResult<Output> {
  const { text, media = [], instructions } = result
  for (const { type, mediaType, data } of media)
    if (
      !['image', 'audio', 'file'].includes(type) ||
      typeof mediaType !== 'string' ||
      (typeof data !== 'string' && !(data instanceof Uint8Array))
    )
      throw new LegibleError(
        'tool.invalid_media',
        'Media has a type (image, audio or file), a mediaType, and data as bytes or text.',
      )
  const made: ToolResult<Output> = { text, media: [...media], ...(instructions && { instructions }) }
  Object.defineProperty(made, mark, { value: true })
  return made
}

export function asToolResult(output: unknown): ToolResult {
  return typeof output === 'object' && output !== null && mark in output
    ? (output as unknown as ToolResult)
    : { text: output, media: [] }
}
