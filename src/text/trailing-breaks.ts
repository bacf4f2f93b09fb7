import { isLineEnd } from './line-matcher.ts'

/**
 * Lets text pass, but keeps the line ends at its end: they are the format's own if a delimiter follows.
 *
 *     one\n\n# Two
 *        ^^^^
 */
export class TrailingBreaks {
  held = ''
  /** How many line ends are the format's own. */
  private readonly most: number
  /** Whether \r\n is one: if lines end so in this text, which `last` tells by the last of them. */
  private readonly crlf: boolean | 'last'

  constructor(most: number, crlf: boolean | 'last' = false) {
    this.most = most
    this.crlf = crlf
  }

  /** What of the text so far may pass. */
  push(piece: string): string {
    if (this.held === '' && !isLineEnd(piece.charCodeAt(piece.length - 1))) return piece
    const text = this.held + piece
    const least = Math.max(0, text.length - 2 * this.most)
    let end = text.length
    while (end > least && isLineEnd(text.charCodeAt(end - 1))) end--
    this.held = text.slice(end)
    return text.slice(0, end)
  }

  /** What was kept, which turned out to be text. */
  flush(): string {
    const { held } = this
    this.held = ''
    return held
  }

  /** A delimiter follows. What is the format's own stays `held`; the rest is text. */
  settle(): string {
    const { held } = this
    const crlf = this.crlf === 'last' ? held.endsWith('\r\n') : this.crlf
    let end = held.length
    for (let count = 0; count < this.most && held[end - 1] === '\n'; count++) {
      if (crlf && held[end - 2] === '\r') end -= 2
      // What we write ends with \n alone: there, \r before it is content.
      else if (this.crlf === 'last' && crlf) break
      else end--
    }
    this.held = held.slice(end)
    return held.slice(0, end)
  }
}
