import type { Span } from '../../core/span.ts'

export interface LiteralOptions {
  /** What else strings are written between, such as `<|"|>`; nothing in them is an escape. */
  readonly quotes?: readonly string[] | undefined
  /** `\_` is an underscore: the model escapes them for Markdown. */
  readonly markdown?: boolean | undefined
  /** Is told where each list and object stands. */
  readonly spans?: Map<object, Span> | undefined
}

/** `text`: words or an expression, as they stand. */
export type LiteralKind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'text'

export interface Literal {
  readonly value: unknown
  readonly end: number
  /** It closed by itself. */
  readonly complete: boolean
  readonly kind: LiteralKind
}

/** `key`: what stands before it, if it has a name. */
export interface Argument {
  readonly key?: string | undefined
  readonly value: unknown
  /** Of the value. */
  readonly span: Span
  /** The value as it is written. */
  readonly text: string
  readonly kind: LiteralKind
  /** `**{…}`: its members are arguments. */
  readonly spread?: boolean | undefined
}
