import type { Message } from '../model/message.ts'
import { type Json, plainJson } from '../model/plain-json.ts'
import type { Media } from '../tool/tool.ts'
import type { ContentPart } from '../tool/tool-chain.ts'

/** Media as plain data: bytes as base64. */
export type KeptMedia = Omit<Media, 'data'> & { readonly data?: string; readonly base64?: string }

export function keepMedia({ data, ...rest }: Media): KeptMedia {
  return typeof data === 'string' ? { ...rest, data } : { ...rest, base64: toBase64(data) }
}

export function recallMedia({ data, base64, ...rest }: KeptMedia): Media {
  return { ...rest, data: base64 === undefined ? (data ?? '') : fromBase64(base64) }
}

type Content = string | readonly ContentPart[]
type KeptContent = string | readonly (Extract<ContentPart, { type: 'text' }> | KeptMedia)[]

const keepContent = (content: Content): KeptContent =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part : keepMedia(part)))

const recallContent = (content: KeptContent): Content =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part : recallMedia(part)))

/** A conversation as plain data. */
export function keepMessages(messages: readonly Message[]): Json {
  return plainJson(messages.map((message) => ({ ...message, content: keepContent(message.content) })))
}

export function recallMessages(kept: Json): Message[] {
  return (kept as unknown as { content: KeptContent }[]).map(
    (message) => ({ ...message, content: recallContent(message.content) }) as unknown as Message,
  )
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  // All at once, it would be too many arguments.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
