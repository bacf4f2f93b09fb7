import { isRecord } from '../../core/is-record.ts'
import type { Media, ToolResult } from '../../tool/tool.ts'
import { mediaOf } from './media-of.ts'
import { OutputParts } from './output-parts.ts'

/** What `toModelOutput` of an AI SDK tool gave: `{ type: 'text' | 'json' | 'content' | …, value }`. Errors are thrown. */
export function sdkOutput(output: unknown): ToolResult | unknown {
  const { type, value, reason } = isRecord(output) ? output : {}
  switch (type) {
    case 'text':
    case 'json':
      return value
    case 'content': {
      const parts = new OutputParts()
      for (const part of Array.isArray(value) ? value : [])
        parts.add(isRecord(part) ? partOf(part) : String(part))
      return parts.result()
    }
    case 'error-text':
      throw new Error(String(value))
    case 'error-json':
      throw new Error(JSON.stringify(value))
    case 'execution-denied':
      throw new Error(typeof reason === 'string' ? reason : 'the call was denied')
    default:
      return output
  }
}

function partOf(part: Record<string, unknown>): string | Media {
  const { type, text, data, url, mediaType, filename } = part
  if (type === 'text') return String(text)
  const name = typeof filename === 'string' ? filename : undefined
  const kind = typeof mediaType === 'string' ? mediaType : /^image/.test(String(type)) ? 'image/*' : undefined
  // { type: 'file', data: { type: 'data' | 'url' | 'text', … } }
  const inner = isRecord(data) && !ArrayBuffer.isView(data) ? data : undefined
  if (inner?.type === 'text') return String(inner.text)
  const content = bytesOrText(inner ? (inner.data ?? inner.url) : (data ?? url))
  // What only one provider can look up: there is nothing here to send.
  if (content === undefined) return `(a file that cannot be shown: ${name ?? kind ?? type})`
  return mediaOf(kind ?? 'application/octet-stream', content, name)
}

function bytesOrText(data: unknown): Uint8Array | string | undefined {
  if (typeof data === 'string' || data instanceof Uint8Array) return data
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  return data instanceof URL ? data.href : undefined
}
