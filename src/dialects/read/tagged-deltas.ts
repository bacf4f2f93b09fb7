import type { TaggedForm } from '../dialect.ts'

/** Writes the arguments of a call as JSON text, piece by piece, while their values arrive as plain text. */
export class TaggedDeltas {
  private readonly tell: (text: string) => void
  private count = 0
  private space: TaggedForm['space'] = 'keep'
  /** How much of the text argument at hand was told; -1 when there is none. */
  private told = -1
  /** What of it must wait: white space at either end of it may not belong to it. */
  private waiting = ''

  constructor(tell: (text: string) => void) {
    this.tell = tell
  }

  private key(key: string): string {
    return `${this.count++ === 0 ? '{' : ','}${JSON.stringify(key)}:`
  }

  /** An argument that is text begins: what follows is told as it comes. */
  startText(key: string, space: TaggedForm['space']): void {
    this.tell(`${this.key(key)}"`)
    this.space = space
    this.told = 0
    this.waiting = ''
  }

  addText(text: string): void {
    if (this.told < 0) return
    const all = this.waiting + text
    const end = all.trimEnd().length
    this.waiting = all.slice(end)
    if (end === 0) return
    this.say(this.told > 0 ? all.slice(0, end) : this.withoutLead(all.slice(0, end)))
  }

  /** The beginning of a value, without the white space that the form puts before it. */
  private withoutLead(text: string): string {
    if (this.space === 'keep') return text
    const lead = text.slice(0, text.search(/\S/))
    if (!lead.includes('\n')) return text.trimStart()
    return this.space === 'line' ? text.replace(/^\r?\n/, '') : text
  }

  private say(text: string): void {
    this.told += text.length
    if (text !== '') this.tell(JSON.stringify(text).slice(1, -1))
  }

  /** The text argument ends: the rest of it is told. */
  endText(whole: unknown): void {
    if (this.told < 0) return
    if (typeof whole === 'string') this.say(whole.slice(this.told))
    this.told = -1
    this.tell('"')
  }

  /** An argument of another type, which is known at its end only. */
  addValue(key: string, value: unknown): void {
    this.tell(this.key(key) + (JSON.stringify(value) ?? 'null'))
  }

  end(): void {
    this.endText(undefined)
    this.tell(this.count === 0 ? '{}' : '}')
  }
}
