import type { Span } from '../../core/span.ts'
import type { Comment, Text } from './agentfile.ts'

interface TokenParts {
  readonly span: Span
  /** Whether it is the first of its line. */
  readonly startsLine: boolean
  /** How far its line is indented. */
  readonly indent: number
  /** Whether a blank line stands right before it. */
  readonly blankBefore: boolean
  /** What stands between the token before and this one. */
  readonly comments: readonly FoundComment[]
}

/** `trails`: it stands behind a token, on the same line. */
export interface FoundComment extends Comment {
  readonly trails: boolean
}

export type Token = TokenParts &
  (
    | { readonly kind: 'string'; readonly text: string; readonly string: Text }
    | {
        /**
         * `word`: a name or a keyword. `rest`: a path behind FROM, a version behind VERSION. `illegal`: what
         * cannot stand anywhere.
         */
        readonly kind: 'word' | 'number' | 'variable' | 'symbol' | 'rest' | 'illegal' | 'end'
        readonly text: string
      }
  )

/** What a token is called in messages. */
export function describeToken(token: Token): string {
  if (token.kind === 'end') return 'the end of the file'
  if (token.kind === 'string') return 'a string'
  const { text } = token
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 37)}…` : text)
}
