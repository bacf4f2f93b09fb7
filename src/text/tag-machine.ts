import type { Span } from '../core/span.ts'
import { FenceTracker } from './fence-tracker.ts'
import type { TextIssueParams } from './issues.ts'
import { LineMachine } from './line-machine.ts'
import { isLineEnd } from './line-matcher.ts'
import type { PartsBuilder } from './parts-builder.ts'
import { isTagStart, TagScanner, type TagTarget } from './tag-scanner.ts'
import type { Grammar } from './text-machine.ts'
import { TrailingBreaks } from './trailing-breaks.ts'

/** A section or reasoning between tags. */
interface Block {
  /** None when reasoning was open from the beginning, by whatever tag. */
  target: TagTarget | undefined
  readonly kind: 'section' | 'reasoning'
  /** Its opening tag. */
  readonly opening: Span
  /** Tags of its own name that are open, its own included; and the first one within it. */
  depth: number
  inner: Span | undefined
  breaks: TrailingBreaks
  /** More than space stands in it. */
  begun: boolean
  /** Its own tag was quoted on this line: a closing tag behind it belongs to the quote. */
  mention: boolean
  /** Where it may have ended, should the tags within it not balance. */
  doubt: Doubt | undefined
}

interface Doubt {
  readonly closing: Span
  /** Issues so far. */
  readonly mark: number
  /** The content since, and the text behind the closing tag. */
  readonly content: { readonly text: string; readonly start: number }[]
  readonly text: string[]
}

/** Whether a quote opens: it stands behind space or a bracket, not behind a word. */
function opensQuotes(before: number, quote: number): boolean {
  if (!QUOTES.includes(quote)) return false
  return before <= 32 || Number.isNaN(before) || BEFORE_QUOTES.includes(before)
}

const codesOf = (text: string) => Array.from(text, (character) => character.charCodeAt(0))
const QUOTES = codesOf('"\'`“‘«')
const BEFORE_QUOTES = codesOf('([{:,=`\u00a0')

function nextTag(text: string, from: number): number {
  const { length } = text
  // In a long piece the engine is faster at looking than we are.
  if (length - from > 24) {
    const at = text.indexOf('<', from)
    const end = at < 0 ? length : at
    const triangle = text.slice(from, end).indexOf('\u25c1')
    return triangle < 0 ? end : from + triangle
  }
  for (let i = from; i < length; i++) if (isTagStart(text.charCodeAt(i))) return i
  return length
}

/** Reads tags, and what stands between them. */
export abstract class TagMachine extends LineMachine {
  protected block: Block | undefined
  private readonly tag: TagScanner
  /** All text so far may turn out to be reasoning. */
  private implies = false
  /** The tag stands behind an opening quote. */
  private quoted = false
  /** The block of a name in which nothing is live, and how many of that name are open. */
  private opaque: TagTarget | undefined
  private opaqueDepth = 0
  /** Tags in quotes or fences that have not been closed. */
  private readonly mentioned = new Set<TagTarget>()
  /** Tags that did not balance once: they are not counted any more, so that text is not read over and over. */
  private readonly flat = new Set<TagTarget>()
  /** The line in reasoning may be a header; where it begins. */
  private watched = -1
  /** Where its second line begins, if the first may turn out to be underlined. */
  private watchedEnd = -1

  constructor(grammar: Grammar, out: PartsBuilder) {
    super(grammar, out)
    this.tag = new TagScanner(grammar.tags, !grammar.loose)
    this.implies = grammar.reasoning === 'implied'
    if (grammar.reasoning !== 'open') return
    out.startReasoning('', 0)
    this.enter(this.newBlock(undefined, 'reasoning', [0, 0]))
  }

  override push(chunk: string): void {
    const { block } = this
    if (block?.doubt) block.doubt.text.push(chunk)
    else if (block && this.state === this.inBlock && this.isPlain(chunk, block)) {
      this.move(chunk)
      this.give(block, chunk, this.base)
      return
    }
    super.push(chunk)
  }

  /** Whether a small chunk is content and nothing else: by far the most of them are, and need no look at each state. */
  private isPlain(chunk: string, block: Block): boolean {
    const { length } = chunk
    if (length > 64 || length === 0 || block.breaks.held !== '' || block.mention || !block.target)
      return false
    if (this.grammar.loose) return false
    let c = 0
    for (let i = 0; i < length; i++) {
      c = chunk.charCodeAt(i)
      if (isTagStart(c)) return false
    }
    return !isLineEnd(c)
  }

  // Use <action>
  //     ^
  protected override startTag(at: number, c: number): void {
    this.quoted = this.grammar.code && opensQuotes(this.before(at, 2), this.before(at, 1))
    this.tag.begin(c, this.base + at)
    this.pos = at + 1
    this.state = this.inTag
  }

  // <action>
  //  ^^^^^^^
  private inTag(): void {
    const { tag } = this
    this.pos = tag.feed(this.buf, this.pos)
    if (tag.found !== 'more') this.tagRead()
  }

  private tagRead(): void {
    const { tag, block } = this
    this.state = block ? this.inBlock : this.inLine
    if (tag.found === 'escape') this.escapedTag()
    else if (tag.found === 'text' || !tag.target) this.tagAsText()
    else if (block) this.tagInside(block, tag.target)
    else this.tagOutside(tag.target)
  }

  /** The text ends. */
  protected endTag(): void {
    if (this.state !== this.inTag) return
    const { tag, block } = this
    tag.end()
    if (block?.target && block.depth === 1 && tag.couldClose(block.target)) {
      const { name } = block.target
      const whole = tag.target === block.target
      if (whole) this.out.note('cut_tag', { name }, [tag.start, this.offset])
      else this.noteUnclosed(block)
      this.endBlock(block, [tag.start, this.offset], whole)
    } else this.tagRead()
  }

  /** What looked like a tag is text. */
  private tagAsText(): void {
    const { block } = this
    const { text, start } = this.tag
    if (block) this.inside(block, text, start)
    else {
      this.leading = false
      this.plain(text, start)
    }
  }

  // <\action>
  //  ^
  private escapedTag(): void {
    const { block } = this
    const { text, start } = this.tag
    // Only sections and the text between them are ever written with backslashes; comments only outside of tags.
    const written = !block || (block.kind === 'section' && this.tag.target?.kind !== 'comment')
    if (this.grammar.exact || !written) this.tagAsText()
    else if (block) {
      this.inside(block, text[0] as string, start)
      this.inside(block, text.slice(2), start + 2)
    } else {
      this.plain(text[0] as string, start)
      this.plain(text.slice(2), start + 2)
    }
  }

  private tagOutside(target: TagTarget): void {
    const { tag, out } = this
    const { name, kind } = target
    const dead = this.deadness(kind)
    const span = [tag.start, this.offset] as const
    if (kind === 'reserved') this.tagAsText()
    else if (kind === 'comment' || kind === 'opaque') {
      this.tagAsText()
      if (!dead || target === this.opaque) this.hideBehind(target)
    } else if (dead) {
      if (kind === 'section' && !tag.closing) out.note('embedded_section', { name, within: dead }, span)
      if (!tag.closing && !tag.empty && !this.hidden) this.mentioned.add(target)
      this.tagAsText()
    } else if (tag.closing) {
      const mentioned = this.mentioned.delete(target)
      if (kind === 'reasoning' && this.implies && !mentioned) this.implyReasoning(name)
      else {
        if (!mentioned) out.note('stray_closer', { name }, span)
        this.tagAsText()
      }
    } else if (kind === 'section') this.openSection(target)
    // Within a section that has no end of its own, only where a line begins: elsewhere it is talked about.
    else if (!tag.empty && (!this.section || this.leading || this.grammar.inlineReasoning))
      this.openReasoning(target)
    else this.tagAsText()
  }

  /** Why no tag is live here. */
  private deadness(kind: TagTarget['kind']): TextIssueParams['embedded_section']['within'] | undefined {
    if (this.hidden) return this.hidden
    if (this.fenced) return 'fence'
    if (this.quoted) return 'quotes'
    return this.blockquote && kind === 'section' ? 'blockquote' : undefined
  }

  // <!--    <observation>
  //     ^                ^
  private hideBehind(target: TagTarget): void {
    const { closing, empty } = this.tag
    if (target.kind === 'comment') {
      if (!closing) this.hide('comment')
    } else if (!this.opaque) {
      if (closing || empty) return
      this.opaque = target
      this.opaqueDepth = 1
      this.hide('observation')
    } else if (closing) {
      if (--this.opaqueDepth > 0) return
      this.opaque = undefined
      this.hidden = undefined
    } else if (!empty && !this.quoted) this.opaqueDepth++
  }

  private openSection(target: TagTarget): void {
    const { tag, out } = this
    const { name } = target
    const opening = [tag.start, this.offset] as const
    this.held = tag.text
    if (!this.startPart(tag.start)) return
    this.held = ''
    if (tag.attributes) out.note('tag_attributes', { name }, opening)
    out.startSection(name, tag.start)
    out.startContent(this.offset)
    const block = this.newBlock(target, 'section', opening)
    if (tag.empty) {
      out.note('self_closing', { name }, opening)
      this.endBlock(block, [this.offset, this.offset], true)
    } else this.enter(block)
  }

  private openReasoning(target: TagTarget): void {
    const { tag, out, breaks } = this
    if (out.full) {
      this.giveUp(tag.text, tag.start)
      return
    }
    const held = breaks.flush()
    this.passOn(held, tag.start - held.length)
    if (!this.section) out.endText(tag.start)
    out.startReasoning(target.name, tag.start)
    this.implies = false
    if (tag.attributes) out.note('tag_attributes', { name: target.name }, [tag.start, this.offset])
    this.enter(this.newBlock(target, 'reasoning', [tag.start, this.offset]))
  }

  private enter(block: Block): void {
    this.block = block
    this.afterReturn = false
    this.state = this.grammar.exact ? this.inBlock : this.behindOpening
  }

  // so I will search.</think>
  //                  ^
  private implyReasoning(name: string): void {
    const { tag, out } = this
    out.imply(name, tag.start, this.offset)
    out.note('implied_reasoning', { name }, [tag.start, this.offset])
    this.implies = false
    this.section = this.unlisted = false
    this.breaks = this.newBreaks()
    this.fence = new FenceTracker()
    this.mentioned.clear()
    this.state = this.atLineStart
  }

  // <action>\n
  //         ^^
  private behindOpening(): void {
    const block = this.block as Block
    const c = this.buf.charCodeAt(this.pos)
    if (c === 13 && !this.afterReturn) {
      this.afterReturn = true
      this.pos++
      return
    }
    if (c === 10) this.pos++
    this.startContent(block, this.offset)
    if (c === 10 && this.afterReturn) block.breaks = new TrailingBreaks(1, true)
    else this.endOpening(block, this.offset - (c === 10 ? 2 : 1))
    this.afterReturn = false
    if (this.grammar.loose) this.watch(this.offset)
    this.state = this.inBlock
  }

  /** A carriage return without a line feed is content. */
  private endOpening(block: Block, start: number): void {
    if (!this.afterReturn) return
    this.startContent(block, start)
    this.inside(block, '\r', start)
  }

  private startContent(block: Block, offset: number): void {
    if (block.kind === 'section') this.out.startContent(offset)
  }

  // <action>{"tool": "search"}</action>
  //         ^^^^^^^^^^^^^^^^^^
  private inBlock(): void {
    const { buf, pos } = this
    const block = this.block as Block
    const i = this.grammar.loose ? this.nextTagBehindLines() : nextTag(buf, pos)
    this.pos = i
    this.inside(block, pos === 0 && i === buf.length ? buf : buf.slice(pos, i), this.base + pos)
    if (i === buf.length) return
    this.watched = -1
    this.startTag(i, buf.charCodeAt(i))
  }

  private nextTagBehindLines(): number {
    const { buf, base } = this
    for (let i = this.pos; i < buf.length; i++) {
      const c = buf.charCodeAt(i)
      if (isTagStart(c)) return i
      if (this.watched >= 0) this.look(c, base + i)
      else if (isLineEnd(c)) this.watch(base + i + 1)
    }
    return buf.length
  }

  private watch(offset: number): void {
    this.line.begin()
    this.watched = offset
    this.watchedEnd = -1
  }

  // <think>
  // # Action
  // ^^^^^^^^
  private look(c: number, offset: number): void {
    const { line } = this
    const verdict = line.feed(c)
    if (verdict === 'more') {
      if (isLineEnd(c)) this.watchedEnd = offset + 1
      return
    }
    if (verdict === 'match' && line.target?.kind === 'section' && !line.escaped) {
      const { name } = line.target
      this.out.note('embedded_section', { name, within: 'reasoning' }, [this.watched + line.indent, offset])
    }
    this.watched = -1
    if (isLineEnd(c)) this.watch(offset + 1)
    else if (this.watchedEnd === offset) {
      // The line before might have been underlined, but this is another line.
      this.watch(offset)
      this.look(c, offset)
    }
  }

  private inside(block: Block, text: string, start: number): void {
    if (text === '') return
    if (!block.target && !block.begun) block.begun = text.trim() !== ''
    if (block.mention && text.includes('\n')) block.mention = false
    if (block.doubt) block.doubt.content.push({ text, start })
    else {
      const before = block.breaks.held.length
      this.give(block, block.breaks.push(text), start - before)
    }
  }

  private give(block: Block, text: string, start: number): void {
    if (block.kind === 'section') this.out.addContent(text, start)
    else this.out.addReasoning(text, start)
  }

  private tagInside(block: Block, target: TagTarget): void {
    const { tag, out } = this
    const span = [tag.start, this.offset] as const
    const own = block.target ? target === block.target : target.kind === 'reasoning'
    if (own && !block.target && !tag.closing && !block.begun) {
      // The model opens what the prompt has opened already.
      block.target = target
      this.enter(block)
      return
    }
    if (own && tag.closing && !block.mention) {
      if (block.depth === 1) {
        this.endBlock(block, span, true)
        return
      }
      block.depth--
      if (!block.doubt) {
        const text = [this.buf.slice(this.pos)]
        block.doubt = { closing: span, mark: out.mark(), content: [], text }
      }
    } else if (!tag.closing && !tag.empty && own && block.target && !this.flat.has(target)) {
      if (this.quoted) block.mention = true
      else {
        block.depth++
        block.inner ??= span
      }
    } else if (own && tag.closing) block.mention = false
    if (target.kind === 'section' && !tag.closing)
      out.note('embedded_section', { name: target.name, within: block.kind }, span)
    this.inside(block, tag.text, tag.start)
  }

  private endBlock(block: Block, closing: Span, complete: boolean): void {
    const { out } = this
    const { breaks, doubt, kind } = block
    block.doubt = undefined
    for (const { text, start } of doubt?.content ?? []) this.inside(block, text, start)
    const rest = breaks.settle()
    const innerEnd = closing[0] - breaks.flush().length
    this.give(block, rest, innerEnd - rest.length)
    this.block = undefined
    this.watched = -1
    if (kind === 'section') {
      out.endSection(innerEnd, closing[1], complete)
      this.breaks = this.newBreaks()
      this.fence.skipLine()
      this.leading = false
      this.state = this.inLine
    } else {
      out.endReasoning(closing[1], complete)
      this.afterReturn = false
      if (!this.section || this.leading) this.fence.endLine()
      if (this.section && !this.leading) this.state = this.inLine
      else this.state = this.section ? this.behindReasoning : this.atLineStart
    }
  }

  // </think>\n
  //         ^^
  private behindReasoning(): void {
    const c = this.buf.charCodeAt(this.pos)
    if (c === 10 || (c === 13 && !this.afterReturn)) this.pos++
    if (c === 13 && !this.afterReturn) this.afterReturn = true
    else this.state = this.atLineStart
  }

  /** The text ends within a block. If it has a place where it may have ended, it did, and the rest is read again. */
  protected endUnclosed(block: Block): void {
    const { out } = this
    const { doubt, target } = block
    if (doubt && target && block.inner) {
      out.takeBack(doubt.mark)
      out.note('unbalanced_tag', { name: target.name }, block.inner)
      this.flat.add(target)
      doubt.content.length = 0
      this.endBlock(block, doubt.closing, true)
      this.goBack(doubt.text.join(''), doubt.closing[1])
      return
    }
    if (this.state === this.behindOpening) this.endOpening(block, this.offset - 1)
    this.noteUnclosed(block)
    const held = block.breaks.flush()
    this.give(block, held, this.offset - held.length)
    this.endBlock(block, [this.offset, this.offset], false)
  }

  private noteUnclosed({ kind, opening, target }: Block): void {
    if (kind === 'section') this.out.note('unclosed_section', { name: target?.name ?? '' }, opening)
    else this.out.note('unclosed_reasoning', {}, opening)
  }

  private newBlock(target: TagTarget | undefined, kind: Block['kind'], opening: Span): Block {
    const breaks = new TrailingBreaks(this.grammar.exact ? 0 : 1)
    return {
      target,
      kind,
      opening,
      depth: 1,
      inner: undefined,
      breaks,
      begun: false,
      mention: false,
      doubt: undefined,
    }
  }
}
