import { paintOf } from '../paint.ts'
import { SafeText } from './safe-text.ts'

export interface FoldOptions {
  readonly output: NodeJS.WriteStream
  readonly color: boolean
  readonly folded: boolean
}

/** More than anybody unfolds to read; the start of it is forgotten. */
const LONGEST_HIDDEN = 200_000
/** Often enough to look alive. */
const PAUSE = 100
const BAR = '│ '

/**
 * The reasoning of a model: dimmed with a bar while it streams, or folded into one line that counts its words. Where there is
 * no terminal nothing of it is written: it is no part of the answer.
 */
export class ReasoningFold {
  private readonly output: NodeJS.WriteStream
  private readonly style: (text: string) => string
  private isFolded: boolean
  private safe = new SafeText()
  private started: number | undefined
  private words = new WordCount()
  /** What was said and not shown. */
  private hidden = ''
  /** Line breaks that are written when something follows them. */
  private breaks = 0
  private isInLine = false
  private drawn = Number.NEGATIVE_INFINITY
  /** The line that counts is on the screen. */
  private isCounting = false

  constructor({ output, color, folded }: FoldOptions) {
    this.output = output
    this.style = paintOf(color).dim
    this.isFolded = folded
  }

  get folded(): boolean {
    return this.isFolded
  }

  push(text: string): void {
    if (!this.output.isTTY || text === '') return
    if (this.started === undefined) this.begin()
    this.words.add(text)
    if (this.isFolded) {
      this.hide(text)
      if (performance.now() - this.drawn >= PAUSE) this.draw()
    } else this.show(this.safe.push(text))
  }

  /** In the middle of a reasoning, what was not shown is shown, or it is counted on. Between two, it is for the next. */
  toggle(): void {
    this.isFolded = !this.isFolded
    if (this.started === undefined) return
    if (this.isFolded) {
      this.endLine()
      this.draw()
    } else {
      this.erase()
      const { hidden } = this
      this.hidden = ''
      this.show(this.safe.push(hidden))
    }
  }

  /** Leaves a line that says how long it took. */
  end(): void {
    if (this.started === undefined) return
    const time = duration(performance.now() - this.started)
    if (this.isFolded) this.erase()
    else {
      this.show(this.safe.end())
      this.endLine()
    }
    this.output.write(`${this.style(this.clip(`▸ thought for ${time}, ${this.words}`))}\n`)
    this.output.off('resize', this.onResize)
    this.started = undefined
  }

  private begin(): void {
    this.started = performance.now()
    this.words = new WordCount()
    this.safe = new SafeText()
    this.hidden = ''
    this.breaks = 0
    this.isInLine = false
    this.drawn = Number.NEGATIVE_INFINITY
    this.output.on('resize', this.onResize)
  }

  private hide(text: string): void {
    this.hidden += text
    if (this.hidden.length > 2 * LONGEST_HIDDEN) this.hidden = `… ${this.hidden.slice(-LONGEST_HIDDEN)}`
  }

  private show(text: string): void {
    let written = ''
    for (const [i, line] of text.split('\n').entries()) {
      // Nothing above the first line, nor below the last.
      if (i > 0 && this.isInLine) this.breaks++
      if (line === '') continue
      for (; this.breaks > 0; this.breaks--) {
        written += this.breaks > 1 ? `\n${this.style(BAR)}` : '\n'
        this.isInLine = false
      }
      written += this.style(this.isInLine ? line : BAR + line)
      this.isInLine = true
    }
    if (written !== '') this.output.write(written)
  }

  private endLine(): void {
    if (this.isInLine) this.output.write('\n')
    this.isInLine = false
    this.breaks = 0
  }

  // ▸ thinking… 214 words
  // ^ The cursor stays here, so that it is still at the start if a narrower window breaks the line.
  private draw(): void {
    this.erase()
    const line = this.style(this.clip(`▸ thinking… ${this.words}  (Ctrl-T shows them)`))
    // The window may be narrower than we know yet: what does not fit is not to go on in the next row.
    this.output.write(`\x1b[?7l${line}\x1b[?7h\r`)
    this.isCounting = true
    this.drawn = performance.now()
  }

  private erase(): void {
    if (this.isCounting) this.output.write('\r\x1b[J')
    this.isCounting = false
  }

  private readonly onResize = () => {
    if (this.isCounting) this.draw()
  }

  private get columns(): number {
    return this.output.columns || 80
  }

  /** A line that fills the last column may be two. */
  private clip(line: string): string {
    const room = Math.max(1, this.columns - 1)
    return line.length <= room ? line : `${line.slice(0, room - 1)}…`
  }
}

/** Words of a text that arrives in pieces. Scripts without spaces have a word for each character. */
class WordCount {
  private count = 0
  private isInWord = false

  add(text: string): void {
    for (const [part] of text.matchAll(
      /\s+|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|[^\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]+/gu,
    )) {
      const isWord = !/^[\s\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(part)
      if (isWord ? !this.isInWord : part.trim() !== '') this.count++
      this.isInWord = isWord
    }
  }

  toString(): string {
    return `${this.count.toLocaleString('en-US')} word${this.count === 1 ? '' : 's'}`
  }
}

function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
