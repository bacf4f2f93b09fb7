import { BlockMachine } from './block-machine.ts'
import { FenceTracker } from './fence-tracker.ts'
import type { TextIssueParams } from './issues.ts'
import { isBlank, isLineEnd } from './line-matcher.ts'
import { opensQuotes } from './opens-quotes.ts'
import type { PartsBuilder } from './parts-builder.ts'
import { TagScanner, type TagTarget } from './tag-scanner.ts'
import type { Grammar } from './text-machine.ts'

/** Reads tags, and decides which of those outside of blocks are live. */
export abstract class TagMachine extends BlockMachine {
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
  /** Reasoning tags within lines of the section, where they are talked about, and how many have not been closed. */
  private readonly talked = new Map<TagTarget, number>()
  /** Space behind a tag that may close reasoning, if its line ends there. */
  private blanks = ''
  private closerEnd = 0

  constructor(grammar: Grammar, out: PartsBuilder) {
    super(grammar, out)
    this.tag = new TagScanner(grammar.tags, !grammar.loose)
    this.implies = grammar.reasoning === 'implied'
    if (grammar.reasoning !== 'open') return
    out.startReasoning('', 0)
    this.enter(this.openBlock(undefined, 'reasoning', [0, 0]))
  }

  // Use <action>
  //     ^
  protected override startTag(at: number): void {
    this.quoted = this.grammar.code && opensQuotes(this.before(at, 2), this.before(at, 1))
    this.tag.begin(this.buf, at, this.base + at)
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
    else if (block) this.tagInside(block, tag, tag.target, this.quoted)
    else this.tagOutside(tag.target)
  }

  // <action>{"tool": "search"}</act
  //                                ^ the text ends
  protected endTag(): void {
    if (this.state === this.behindCloser) this.closeLine()
    if (this.state !== this.inTag) return
    const { tag, block } = this
    tag.end()
    if (block?.target && block.outermost && tag.couldClose(block.target)) {
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

  // I will search. <action>
  //                ^^^^^^^^
  private tagOutside(target: TagTarget): void {
    const { tag, out } = this
    const { name, kind } = target
    const dead = this.deadness(kind)
    const span = [tag.start, this.offset] as const
    if (kind === 'reserved' || this.strings?.inside) this.tagAsText()
    else if (kind === 'comment' || kind === 'opaque') {
      this.tagAsText()
      if (!dead || target === this.opaque) this.hideBehind(target)
    } else if (dead) {
      if (kind === 'section' && !tag.closing) out.note('embedded_section', { name, within: dead }, span)
      if (!tag.closing && !tag.empty && !this.hidden) this.mentioned.add(target)
      this.tagAsText()
    } else if (tag.closing) {
      const mentioned = this.mentioned.delete(target)
      if (kind === 'reasoning' && this.implies && !mentioned && !this.endTalk(target))
        this.closeUnopened(name)
      else {
        if (!mentioned) out.note('stray_closer', { name }, span)
        this.tagAsText()
      }
    } else if (kind === 'section') this.openSection(target)
    // Within a section that has no end of its own, only where a line begins: elsewhere it is talked about.
    else if (!tag.empty && (!this.section || this.leading || this.grammar.inlineReasoning))
      this.openReasoning(target)
    else {
      if (!tag.empty) this.talked.set(target, (this.talked.get(target) ?? 0) + 1)
      this.tagAsText()
    }
  }

  /** Whether a closing tag belongs to a tag that is talked about. */
  private endTalk(target: TagTarget): boolean {
    const count = this.talked.get(target) ?? 0
    if (count > 0) this.talked.set(target, count - 1)
    return count > 0
  }

  /** Why no tag is live here. */
  private deadness(kind: TagTarget['kind']): TextIssueParams['embedded_section']['within'] | undefined {
    if (this.hidden) return this.hidden
    if (this.fenced) return 'fence'
    if (this.quoted || (kind === 'section' && this.quotes.open)) return 'quotes'
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

  // <action kind="x">
  //                 ^
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
    const block = this.openBlock(target, 'section', opening)
    if (tag.empty) {
      out.note('self_closing', { name }, opening)
      this.endBlock(block, [this.offset, this.offset], true)
    } else this.enter(block)
  }

  // <think>
  //        ^
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
    this.enter(this.openBlock(target, 'reasoning', [tag.start, this.offset]))
  }

  // # Answer
  // The </think> tag
  //     ^^^^^^^^
  /** Within a line of a section it is talked about; where a line begins or ends, or before sections, it closes. */
  private closeUnopened(name: string): void {
    this.closerEnd = this.offset
    if (!this.section || this.leading) this.implyReasoning(name)
    else {
      this.blanks = ''
      this.state = this.behindCloser
    }
  }

  // so I will search.</think>
  //                          ^
  private behindCloser(): void {
    const { buf } = this
    for (; this.pos < buf.length; this.pos++) {
      const c = buf.charCodeAt(this.pos)
      if (isBlank(c)) this.blanks += buf[this.pos]
      else {
        if (isLineEnd(c)) this.closeLine()
        else this.talkOfCloser()
        return
      }
    }
  }

  private closeLine(): void {
    this.implyReasoning(this.tag.target?.name ?? '')
    this.plain(this.blanks, this.closerEnd)
    if (this.blanks !== '') this.state = this.inLine
  }

  private talkOfCloser(): void {
    const { tag, out } = this
    out.note('doubtful_closer', { name: tag.target?.name ?? '' }, [tag.start, this.closerEnd])
    this.tagAsText()
    this.plain(this.blanks, this.closerEnd)
    this.state = this.inLine
  }

  protected override startPart(offset: number): boolean {
    this.talked.clear()
    return super.startPart(offset)
  }

  // so I will search.</think>
  //                  ^
  private implyReasoning(name: string): void {
    const { tag, out, closerEnd } = this
    out.imply(name, tag.start, closerEnd)
    out.note('implied_reasoning', { name }, [tag.start, closerEnd])
    this.implies = false
    this.section = this.unlisted = false
    this.breaks.flush()
    this.fence = new FenceTracker()
    this.mentioned.clear()
    this.talked.clear()
    this.strings?.reset()
    this.state = this.atLineStart
  }
}
