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
  checkMedia(media)
  const made: ToolResult<Output> = { text, media: [...media], ...(instructions && { instructions }) }
  Object.defineProperty(made, mark, { value: true })
  return made
}

/** What a tool gave. The mark is lost when a result is copied: with media in it, its shape is enough. */
export function asToolResult(output: unknown): ToolResult {
  if (typeof output !== 'object' || output === null) return { text: output, media: [] }
  if (mark in output) return output as unknown as ToolResult
  return hasShape(output) ? toolResult(output) : { text: output, media: [] }
}

/** What an `after` hook gave: by its type a result, with the mark or without; a bare value is the text of one. */
export function asOtherResult(given: unknown): ToolResult {
  if (typeof given !== 'object' || given === null || !('text' in given)) return asToolResult(given)
  return toolResult(given as ToolResult)
}

export function checkMedia(media: readonly unknown[]): void {
  if (!media.every(isMedia))
    throw new LegibleError(
      'tool.invalid_media',
      'Media has a type (image, audio or file), a mediaType, and data as bytes or text.',
    )
}

function isMedia(one: unknown): one is Media {
  if (typeof one !== 'object' || one === null) return false
  const { type, mediaType, data } = one as Partial<Media>
  return (
    ['image', 'audio', 'file'].includes(type as string) &&
    typeof mediaType === 'string' &&
    (typeof data === 'string' || data instanceof Uint8Array)
  )
}

const fields = ['text', 'media', 'instructions']

function hasShape(output: object): output is ToolResult {
  const { media, instructions } = output as Partial<ToolResult>
  return (
    'text' in output &&
    Array.isArray(media) &&
    media.length > 0 &&
    media.every(isMedia) &&
    (instructions === undefined || typeof instructions === 'string') &&
    Object.keys(output).every((key) => fields.includes(key))
  )
}
