import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import type { Tape } from '../core/tape.ts'
import { Excerpt } from './excerpt.ts'
import type { Part, TextEvent } from './format.ts'
import { type TextIssueParams, textIssues } from './issues.ts'
import type { TextLimits } from './text-limits.ts'

const visible = /\S/

/** Gathers what a machine finds: parts, events, issues. */
export class PartsBuilder {
  parts: Part[] = []
  /** Sections so far. */
  sections = 0
  complete = true
  /** More than space and reasoning was found. */
  begun = false

  private readonly limits: TextLimits
  /** The whole text, if contents are kept and not only told. */
  private readonly tape: Tape | undefined
  /** Space alone is a text too. */
  private readonly exact: boolean
  private readonly tell: ((event: TextEvent) => void) | undefined
  /** Lines with the name of a section that begin none: the first of each name. */
  private readonly near = new Map<string, { readonly text: string; readonly span: Span }>()
  private issues: Issue[] = []
  private unlisted = 0

  private text: Excerpt | undefined
  private textStart = -1
  /** Space at the beginning of a text: kept back, as space alone is no part. */
  private space = ''

  private section: { name: string; content: Excerpt; at: number; start: number; inner: number } | undefined
  private thought: { tag: string; content: Excerpt; at: number; start: number } | undefined

  constructor(limits: TextLimits, tape: Tape | undefined, exact: boolean, tell?: (event: TextEvent) => void) {
    this.limits = limits
    this.exact = exact
    this.tape = tape
    this.tell = tell
  }

  get full(): boolean {
    return this.parts.length >= this.limits.maxParts
  }

  note<C extends keyof TextIssueParams & string>(code: C, params: TextIssueParams[C], span: Span): void {
    if (this.issues.length >= this.limits.maxIssues) this.unlisted++
    else this.issues.push(textIssues.issue(code, params, { span }))
  }

  /** A line has the name of a section, and begins none. That matters if nothing else begins it. */
  seeNear(name: string, text: string, span: Span): void {
    if (!this.near.has(name)) this.near.set(name, { text, span })
  }

  /** The text ends: no more sections will be found. Where none was, that is said of the whole text. */
  noteNear(): void {
    if (this.sections === 0) return
    for (const part of this.parts) if (part.kind === 'section') this.near.delete(part.name)
    for (const [name, { text, span }] of this.near) this.note('near_section', { name, text }, span)
  }

  /** A place to go back to: issues found after it can be taken back. */
  mark(): number {
    return this.issues.length + this.unlisted
  }

  takeBack(mark: number): void {
    this.issues.length = Math.min(this.issues.length, mark)
    this.unlisted = mark - this.issues.length
  }

  allIssues(): Issue[] {
    if (this.unlisted === 0) return this.issues
    return [...this.issues, textIssues.issue('more_issues', { count: this.unlisted })]
  }

  /** A text begins here, if none has begun. */
  startText(offset: number): void {
    if (this.textStart < 0) this.textStart = offset
  }

  addText(piece: string, offset: number): void {
    if (piece === '') return
    if (!this.text) {
      this.startText(offset)
      if (!this.exact && !visible.test(piece)) {
        this.space += piece
        return
      }
      this.text = new Excerpt()
      this.begun = true
      const { space } = this
      this.space = ''
      if (space !== '') this.addText(space, this.textStart)
    }
    if (this.tape) this.text.add(offset, piece.length)
    this.tell?.({ type: 'text-delta', text: piece })
  }

  endText(end: number): void {
    const { text, textStart } = this
    this.space = ''
    this.textStart = -1
    this.text = undefined
    if (text) this.parts.push({ kind: 'text', content: this.contentOf(text), span: [textStart, end] })
  }

  private contentOf(excerpt: Excerpt): string {
    return this.tape ? excerpt.text(this.tape) : ''
  }

  startSection(name: string, start: number): void {
    const at = this.parts.length
    this.section = { name, content: new Excerpt(), at, start, inner: start }
    // Reasoning within it comes after it.
    this.parts.push({
      kind: 'section',
      name,
      content: '',
      span: [start, start],
      inner: [start, start],
      complete: false,
    })
    this.sections++
    this.begun = true
    this.tell?.({ type: 'section-start', name })
  }

  /** Where the content begins. */
  startContent(offset: number): void {
    if (this.section) this.section.inner = offset
  }

  addContent(piece: string, offset: number): void {
    const { section } = this
    if (!section || piece === '') return
    if (this.tape) section.content.add(offset, piece.length)
    this.tell?.({ type: 'section-delta', name: section.name, text: piece })
  }

  endSection(innerEnd: number, end: number, complete: boolean): void {
    const { section } = this
    if (!section) return
    const { name, start, inner } = section
    this.parts[section.at] = {
      kind: 'section',
      name,
      content: this.contentOf(section.content),
      span: [start, end],
      inner: [inner, Math.max(inner, innerEnd)],
      complete,
    }
    this.section = undefined
    if (!complete) this.complete = false
    this.tell?.({ type: 'section-end', name, complete })
  }

  startReasoning(tag: string, start: number): void {
    this.thought = { tag, content: new Excerpt(), at: this.parts.length, start }
    this.parts.push({ kind: 'reasoning', tag, content: '', span: [start, start], complete: false })
    this.tell?.({ type: 'reasoning-start', tag })
  }

  addReasoning(piece: string, offset: number): void {
    if (!this.thought || piece === '') return
    if (this.tape) this.thought.content.add(offset, piece.length)
    this.tell?.({ type: 'reasoning-delta', text: piece })
  }

  endReasoning(end: number, complete: boolean): void {
    const { thought } = this
    if (!thought) return
    const { tag, start } = thought
    const content = this.contentOf(thought.content)
    this.parts[thought.at] = { kind: 'reasoning', tag, content, span: [start, end], complete }
    this.thought = undefined
    if (!complete) this.complete = false
    this.tell?.({ type: 'reasoning-end', complete })
  }

  /** All so far was reasoning: its sections were none. */
  imply(tag: string, contentEnd: number, end: number): void {
    const text = this.tape?.slice(0, contentEnd) ?? ''
    const content = !this.exact && text.endsWith('\n') ? text.slice(0, -1) : text
    const sections = this.parts.filter((part) => part.kind === 'section')
    // What was wrong with them does not matter any more; what is around all of it does.
    this.issues = this.issues.filter(({ code }) => code === 'text.unwrapped_fence')
    this.unlisted = 0
    for (const { name, span, complete } of sections) {
      const place = [span[0], complete ? span[1] : contentEnd] as const
      this.note('embedded_section', { name, within: 'reasoning' }, place)
    }
    this.near.clear()
    this.text = this.section = undefined
    this.space = ''
    this.textStart = -1
    this.sections = 0
    this.complete = true
    this.begun = false
    this.parts = [{ kind: 'reasoning', tag, content, span: [0, end], complete: true }]
    this.tell?.({ type: 'reasoning-implied', tag })
  }
}
