import type { Issue } from '../core/issue.ts'
import type { Limits } from '../core/limits.ts'
import { JsonMachine } from './machine.ts'

/** One value, read from the bracket it begins with. */
export interface ReadValue {
  readonly value: unknown
  /** Behind its last character. */
  readonly end: number
  /** It closed by itself. */
  readonly complete: boolean
  readonly issues: readonly Issue[]
}

/**
 * Reads one value as its characters arrive, and tells when it has ended: for those who know where a value begins.
 * `tentative`: what shows that it is no JSON drops it.
 */
export class ValueReader extends JsonMachine {
  found: ReadValue | undefined
  /** It was no value after all. */
  dropped = false
  /** Where that showed. */
  droppedAt = 0

  constructor(limits: Limits, tentative: boolean) {
    super(limits, true)
    this.tentative = tentative
    this.state = this.open
  }

  override push(chunk: string): void {
    if (!this.found && !this.dropped) super.push(chunk)
  }

  end(): void {
    if (this.found || this.dropped) return
    this.ending = true
    this.run()
    this.endValue()
  }

  /** Within a string or a comment: what stands here is text, whatever it looks like. */
  get inside(): boolean {
    return this.state === this.inString || this.state === this.inBlock || this.commenting || this.opensString
  }

  // "
  // ^  may be the first of three, and waits for the next character
  private get opensString(): boolean {
    const left = this.buf.length - this.pos
    if (left > 2 || this.state === this.atQuote) return false
    return /^\s*\\?["'`]$/.test(this.buf.slice(this.pos))
  }

  /** How far it was read. */
  get place(): number {
    return this.offset
  }

  protected override finish(end: number, complete: boolean): void {
    this.found ??= { value: this.root, end, complete, issues: this.issues }
    this.state = this.sink
  }

  protected override abandon(): void {
    this.droppedAt = this.offset
    this.dropped = true
    this.reset()
    this.state = this.sink
  }
}
