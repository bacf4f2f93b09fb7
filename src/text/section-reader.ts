import { checkText } from '../core/check-text.ts'
import { Tape } from '../core/tape.ts'
import type { PartsRead, TextReader, TextReaderOptions } from './format.ts'
import { foldName } from './name-table.ts'
import { PartList } from './part-list.ts'
import { PartsBuilder } from './parts-builder.ts'
import { SectionMachine } from './section-machine.ts'
import { defaultTextLimits, type TextLimits } from './text-limits.ts'
import type { Grammar } from './text-machine.ts'

const BLOCK = 2048
const LONGEST_HEADER = 200

export class SectionReader implements TextReader {
  private readonly limits: TextLimits
  private readonly expected: readonly string[]
  private readonly tape: Tape | undefined
  private readonly out: PartsBuilder
  private readonly machine: SectionMachine
  /** Somebody listens. Otherwise nobody can tell when a chunk is read, and small ones are read together. */
  private readonly told: boolean
  /** Sections begin with headers. */
  private readonly headers: boolean
  private waiting = ''
  private length = 0
  private tooLong = false
  private result: PartsRead | undefined

  /** `expected`: the sections of which one must be there. */
  constructor(grammar: Grammar, expected: readonly string[], options: TextReaderOptions = {}) {
    this.limits = { ...defaultTextLimits, ...options.limits }
    this.expected = expected
    this.headers = grammar.loose === 'loose_header'
    this.told = options.onEvent !== undefined
    if (options.keep ?? true) this.tape = new Tape()
    this.out = new PartsBuilder(this.limits, this.tape, grammar.exact, options.onEvent)
    this.machine = new SectionMachine(grammar, this.out, (text) => {
      const out = new PartsBuilder(this.limits, undefined, false)
      const machine = new SectionMachine({ ...grammar, unwraps: false }, out)
      machine.push(text)
      machine.end()
      return out.sections > 0 ? machine : undefined
    })
  }

  /** Characters looked at and states entered: what the growth tests count. */
  get steps(): number {
    return this.machine.steps
  }

  push(chunk: string): void {
    checkText(chunk, 'push')
    if (this.result) return
    const text = this.length + chunk.length > this.limits.maxLength ? this.cut(chunk) : chunk
    this.length += text.length
    if (this.told) this.feed(text)
    else {
      this.waiting += text
      if (this.waiting.length >= BLOCK) this.flush()
    }
  }

  private cut(chunk: string): string {
    this.tooLong = true
    return chunk.slice(0, this.limits.maxLength - this.length)
  }

  private flush(): void {
    const { waiting } = this
    this.waiting = ''
    this.feed(waiting)
  }

  private feed(text: string): void {
    this.tape?.append(text)
    this.machine.push(text)
  }

  end(): PartsRead {
    this.result ??= this.finish()
    return this.result
  }

  private finish(): PartsRead {
    const { out, expected, length, limits } = this
    this.flush()
    this.machine.end()
    if (this.tooLong) out.note('too_long', { limit: limits.maxLength }, [length, length])
    if (out.sections === 0 && expected.length > 0) {
      const found = this.headers && this.tape ? otherLevel(this.tape.text(), expected) : undefined
      out.note('no_sections', { expected, ...(found && { found }) }, [0, length])
    }
    const issues = out.allIssues()
    const value = new PartList(out.parts)
    const complete = out.complete && !this.tooLong
    const ok = !issues.some(({ severity }) => severity === 'error')
    return { ok, value, complete, issues }
  }
}

/** A header with one of the names, at a level that is not theirs. */
function otherLevel(text: string, names: readonly string[]): string | undefined {
  const folded = new Set(names.map(foldName))
  for (const line of text.split('\n')) {
    const header = line.trim()
    if (!header.startsWith('#') || header.length > LONGEST_HEADER) continue
    const name = header.replace(/^#+/, '').trim()
    if (folded.has(foldName(name))) return header
  }
  return undefined
}
