import { isRecord } from '../../core/is-record.ts'
import type { Media, ToolResult } from '../../tool/tool.ts'
import { mediaOf } from './media-of.ts'
import { OutputParts } from './output-parts.ts'

/** Whether a value is what an MCP server answers to a call. */
export function isMcpResult(value: unknown): value is { readonly content: readonly unknown[] } {
  return isRecord(value) && Array.isArray(value.content)
}

/**
 * What an MCP server answered to a call. The value is its structured content if there is any, and else its texts;
 * everything that is no text goes beside it. Throws what the server calls an error.
 */
export function mcpResult(answer: unknown): ToolResult {
  // Servers of the first version of the protocol give `toolResult`.
  if (!isMcpResult(answer)) {
    const { structuredContent, toolResult } = isRecord(answer) ? answer : {}
    return new OutputParts().result(structuredContent ?? toolResult)
  }
  const { content, structuredContent, isError } = answer as Record<string, unknown> & { content: unknown[] }
  const parts = new OutputParts()
  for (const block of content) parts.add(isRecord(block) ? partOf(block) : String(block))
  if (isError === true) throw new Error(parts.text || 'the tool failed, and did not say why')
  return parts.result(structuredContent ?? undefined)
}

function partOf(block: Record<string, unknown>): string | Media {
  const { type, text, data, mimeType, resource } = block
  if (type === 'text') return String(text)
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return mediaOf(typeof mimeType === 'string' ? mimeType : `${type}/*`, data)
  if (type === 'resource' && isRecord(resource)) return resourcePart(resource)
  if (type === 'resource_link') return linkText(block)
  // A kind of content that is newer than this: better in its own words than lost.
  return JSON.stringify(block)
}

/** A text is for the model to read, under its address; anything else is a file. */
function resourcePart({ uri, mimeType, text, blob }: Record<string, unknown>): string | Media {
  const name = String(uri)
  if (typeof blob !== 'string') return `${name}:\n${text}`
  return mediaOf(typeof mimeType === 'string' ? mimeType : 'application/octet-stream', blob, name)
}

function linkText({ uri, name, title, description }: Record<string, unknown>): string {
  const label = title ?? name
  return `${label ? `${label}: ` : ''}${uri}${description ? ` (${description})` : ''}`
}
