import { foldCharacter, type NameTable } from './name-table.ts'

/** What a header or label of a name is. `opaque`: in what follows nothing is live. `reserved`: none, but a line with this name is written with a backslash. */
export interface LineTarget {
  readonly kind: 'section' | 'opaque' | 'reserved'
  readonly name: string
}

/** Decoration and space around a name: this much, and the line is text after all. */
const LONGEST = 128

export const isBlank = (c: number): boolean => c === 32 || c === 9
export const isLineEnd = (c: number): boolean => c === 10 || c === 13

/** Takes a character and goes on, or ends before it: with a match, or without. */
export type Verdict = 'more' | 'no' | 'match'

type Phase = (c: number) => Verdict

/**
 * Tells whether a line begins with a delimiter, a character at a time, and each character once. What has backslashes
 * before it is no delimiter: its writer put one there, and the reader takes it away.
 *
 * By itself it knows escaped fences only, which is all that tags need; headers and labels are added by `head`.
 */
export class LineMatcher {
  /** What has been matched; none for a fence. */
  target: LineTarget | undefined
  escaped = false
  /** The delimiter is not written as it should be. */
  loose = false
  /** It is written as an item of a list. */
  marked = false
  /** It is no delimiter, but it has the name of one. */
  near = false
  /** Spaces before it. */
  indent = 0

  protected phase: Phase = this.inIndent
  protected token = ''
  protected size = 0
  protected readonly table: NameTable<LineTarget>
  private readonly fences: boolean
  private mark = 0
  private marks = 0

  /** `fences`: all fences match, not just escaped ones. For writing. */
  constructor(table: NameTable<LineTarget>, fences = false) {
    this.table = table
    this.fences = fences
  }

  begin(): void {
    this.phase = this.inIndent
    this.target = undefined
    this.escaped = this.loose = this.marked = this.near = false
    this.indent = this.marks = this.size = 0
    this.token = ''
  }

  feed(c: number): Verdict {
    return this.phase(c)
  }

  /** The text ends: as if the line did. */
  end(): Verdict {
    const verdict = this.phase(10)
    return verdict === 'match' ? 'match' : 'no'
  }

  //    \```
  // ^^^^
  private inIndent(c: number): Verdict {
    // A byte order mark is no more than space.
    if ((c === 32 || c === 0xfeff) && !this.escaped && this.indent < 3) {
      this.indent++
      return 'more'
    }
    if (c === 92) {
      this.escaped = true
      return 'more'
    }
    if (c !== 96 && c !== 126) return this.head(c)
    if (!this.escaped && !this.fences) return 'no'
    this.mark = c
    this.phase = this.inFence
    return this.inFence(c)
  }

  // \```
  //  ^^^
  private inFence(c: number): Verdict {
    if (this.marks === 3) return 'match'
    if (c !== this.mark) return 'no'
    this.marks++
    return 'more'
  }

  /** The first character behind indentation and backslashes. */
  protected head(_c: number): Verdict {
    return 'no'
  }

  /** Takes a character of the name, if a name goes on so. */
  protected inName(c: number): boolean {
    const space = isBlank(c)
    if (space && this.token.endsWith(' ')) return ++this.size < LONGEST
    const token = this.token + foldCharacter(c)
    if (!this.table.begins(token)) return false
    this.token = token
    return true
  }

  /** Whether what has been read is a name. */
  protected named(): boolean {
    const { token } = this
    this.target = this.table.get(token.endsWith(' ') ? token.slice(0, -1) : token)
    return this.target !== undefined
  }

  /** Takes what surrounds a name, within limits. */
  protected take(): Verdict {
    return ++this.size < LONGEST ? 'more' : 'no'
  }
}
