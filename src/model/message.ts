import type { RequestedCall } from '../tool/tool.ts'
import type { ContentPart } from '../tool/tool-chain.ts'

/** What a call came to, as data: what the model sees of it stands in `content` of its message. */
export interface MessageResult {
  readonly id: string
  readonly name: string
  /** What the tool gave, or why it gave nothing. */
  readonly output: unknown
  readonly failed?: boolean
}

/**
 * One message of a conversation. Calls and results are carried as data beside the text, so that the same conversation
 * can go to a model that has calls of its own, and to one that knows only text.
 */
export type Message = { /** Stays when old turns are left out. */ readonly pinned?: boolean } & (
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | { readonly role: 'assistant'; readonly content: string; readonly calls?: readonly RequestedCall[] }
  | {
      readonly role: 'tool'
      /** The results as they are written for a model that knows only text, media beside them. */
      readonly content: readonly ContentPart[]
      readonly results: readonly MessageResult[]
    }
)
