import { holdBack } from '../core/hold-back.ts'
import type { Issue } from '../core/issue.ts'
import type { Limits } from '../core/limits.ts'
import { opensTag, reasoningTag } from '../core/reasoning-tag.ts'
import type { Span } from '../core/span.ts'
import { isSpace } from './characters.ts'
import { JsonMachine } from './machine.ts'
import { valueStart } from './value-start.ts'

/** A value found in the text. */
export interface Candidate {
  readonly value: unknown
  readonly start: number
  readonly end: number
  /** It closed by itself. */
  readonly complete: boolean
  readonly fenced: boolean
  reasoning: boolean
  /** What the liberties taken in reading it cost. */
  readonly cost: number
  readonly issues: Issue[]
  /** Issues that were too many to list. */
  readonly unlisted: number
  /** The place of the string that the end of the text has cut. */
  readonly cut?: readonly PropertyKey[] | undefined
  /** The values that this one was joined from. */
  readonly parts?: readonly Candidate[]
}

/** What was found in a text. */
export interface Findings {
  readonly candidates: readonly Candidate[]
  /** Text stands outside of values, fences and reasoning. */
  readonly prose: boolean
  /** There were more values than may be weighed. */
  readonly crowded: boolean
  /** The text was longer than it may be. */
  readonly tooLong: boolean
  source(): string
  /** The text without the model's reasoning, and without space around it. */
  body(): Body
}

export interface Body {
  readonly text: string
  readonly start: number
  readonly end: number
}

const fences = ['```', '~~~']

// Text may be read again where a value in prose turned out to be none. This many times the text at the most, so
// that the work stays linear.
const REREADS = 4

/** Finds the JSON values of a text, wherever they stand: alone, in prose, in fences, in reasoning. */
export class JsonScanner extends JsonMachine implements Findings {
  readonly candidates: Candidate[] = []
  prose = false
  crowded = false
  tooLong = false

  /** Where the model reasons. */
  private readonly thoughts: Span[] = []
  private shown: unknown
  private start = 0
  private fence = false
  private bornFenced = false
  /** The language behind the opening of a fence is not prose. */
  private info = false
  private thought = -1
  /** Nothing but space so far. */
  private blank = true
  private reread = 0

  constructor(limits: Limits, spans = false, forced = -1) {
    super(limits, spans)
    this.forced = forced
    this.state = this.inProse
  }

  override push(chunk: string): void {
    const room = this.limits.maxLength - this.tape.length
    if (chunk.length > room) this.tooLong = true
    super.push(chunk.length > room ? chunk.slice(0, room) : chunk)
  }

  end(): void {
    this.ending = true
    do {
      this.run()
      this.endValue()
      // A value that was given up at the very end leaves text to be read again.
    } while (this.pos < this.buf.length && this.state === this.inProse)
    if (this.thought >= 0) this.thoughts.push([this.thought, this.offset])
    this.tryOtherEnd()
  }

  /** The best value so far, as far as it has been read. */
  get live(): unknown {
    return this.frame && this.shows ? this.root : this.shown
  }

  /** The containers that may still change, outermost first. */
  get spine(): object[] {
    return this.frames.map((frame) => frame.value)
  }

  /** Whether the value being read takes the place of the one before: not a mere thought, nor a footnote. */
  get shows(): boolean {
    if (this.thought >= 0) return false
    const { root } = this
    return this.shown === undefined || !Array.isArray(root) || typeof root[0] === 'object'
  }

  source(): string {
    return this.tape.text()
  }

  body(): Body {
    let text = ''
    let start = -1
    let end = 0
    let at = 0
    for (const [from, to] of [...this.thoughts, [this.tape.length, this.tape.length] as Span]) {
      const piece = this.tape.slice(at, from)
      const lead = piece.length - piece.trimStart().length
      if (lead < piece.length) {
        if (start < 0) start = at + lead
        end = at + piece.trimEnd().length
      }
      text += piece
      at = to
    }
    return { text: text.trim(), start: Math.max(0, start), end }
  }

  // Here it is: {"a": 1}
  // ^^^^^^^^^^^^
  private inProse(): boolean {
    const { buf } = this
    for (let i = this.pos; i < buf.length; i++) {
      const c = buf.charCodeAt(i)
      let more = false
      if (c === 123 || c === 91) {
        const starts = valueStart(buf, i, this.fence || this.blank, this.ending)
        if (starts) return this.begin(i)
        more = starts === undefined
      } else if (c === 96 || c === 126) more = this.fenceMark(i)
      else if (opensTag(c)) more = this.tag(i)
      else if (c === 10) this.info = false
      if (more) {
        this.skip(i)
        return false
      }
      if (c > 32 && !isSpace(c) && i >= this.pos) this.seen()
      // A mark that was understood moved the cursor behind itself.
      if (this.pos > i) i = this.pos - 1
    }
    this.skip(buf.length)
    return false
  }

  private skip(end: number): void {
    this.steps += end - this.pos
    this.pos = end
  }

  private seen(): void {
    this.blank = false
    if (!this.info && this.thought < 0) this.prose = true
  }

  private begin(at: number): boolean {
    this.skip(at)
    this.start = this.offset
    this.bornFenced = this.fence
    this.tentative = !this.fence && !this.blank
    this.blank = false
    return this.open()
  }

  // ```json
  // ^
  private fenceMark(at: number): boolean {
    const mark = this.buf.slice(at, at + 3)
    if (!fences.includes(mark)) return this.isPartOf(mark, fences)
    this.skip(at + 3)
    this.fence = !this.fence
    this.info = this.fence
    return false
  }

  // <think>
  // ^
  private tag(at: number): boolean {
    const tag = reasoningTag(this.buf, at, this.ending)
    if (tag === undefined || tag === 'wait') return tag === 'wait'
    const start = this.base + at
    this.skip(at + tag.size)
    if (!tag.closes) {
      if (this.thought < 0) this.thought = start
      return false
    }
    if (this.thought < 0) {
      // Only the closing tag stands here: all before it was reasoning.
      this.thought = 0
      this.thoughts.length = 0
      this.prose = false
      for (const candidate of this.candidates) candidate.reasoning = true
    }
    this.thoughts.push([this.thought, this.offset])
    this.thought = -1
    this.blank = true
    return false
  }

  /** Whether all the text there is may be the beginning of a mark. */
  private isPartOf(text: string, marks: readonly string[]): boolean {
    return !this.ending && holdBack(text, marks) === text.length
  }

  protected override finish(end: number, complete: boolean): void {
    if (this.shows) this.shown = this.root
    this.candidates.push({
      value: this.root,
      start: this.start,
      end,
      complete,
      fenced: this.bornFenced,
      reasoning: this.thought >= 0,
      cost: this.cost,
      issues: this.issues,
      unlisted: this.unlisted,
      cut: this.cut,
    })
    if (this.candidates.length > this.limits.maxCandidates) {
      this.candidates.shift()
      this.crowded = true
    }
    this.leave()
  }

  protected override abandon(): void {
    const again = this.offset - this.start
    this.listener?.abandon()
    this.reset()
    this.leave()
    if (this.reread + again > REREADS * this.offset) {
      this.seen()
      return
    }
    this.reread += again
    this.seen()
    this.goBack(this.start + 1)
  }

  private leave(): void {
    this.issues = []
    this.unlisted = 0
    this.cost = 0
    this.root = undefined
    this.state = this.inProse
  }

  /**
   * A string that runs to the end of the text may have ended at the first quote that was kept as its content, or
   * at the fence around it. If the value closes when read so, that reading stands.
   */
  private tryOtherEnd(): void {
    const last = this.candidates.at(-1)
    const cut = last?.issues.find((issue) => issue.code === 'json.unclosed_string')?.span
    if (!last || last.complete || !cut || this.forced >= 0) return
    const text = this.tape.text()
    const fence = last.fenced ? text.slice(cut[0]).search(/\n[ \t]*```/) : -1
    const forced = fence < 0 && this.suspect >= cut[0] ? this.suspect : -1
    if (fence < 0 && forced < 0) return
    const other = new JsonScanner(this.limits, this.spans !== undefined, forced)
    other.push(fence < 0 ? text : text.slice(0, cut[0] + fence))
    other.end()
    this.steps += other.steps
    if (forced >= 0 && !other.candidates.at(-1)?.complete) return
    this.candidates.splice(0, this.candidates.length, ...other.candidates)
    this.spans = other.spans
    if (fence >= 0) this.prose ||= /[^\s`]/.test(text.slice(cut[0] + fence))
  }
}
