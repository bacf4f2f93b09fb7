import type { Span } from '../core/span.ts'
import { Block } from './block.ts'
import { EmbeddedLines } from './embedded-lines.ts'
import { LineMachine } from './line-machine.ts'
import { isPlain, nextTag } from './next-tag.ts'
import type { PartsBuilder } from './parts-builder.ts'
import type { TagScanner, TagTarget } from './tag-scanner.ts'
import type { Grammar } from './text-machine.ts'
import { TrailingBreaks } from './trailing-breaks.ts'

/** Reads what stands between an opening tag and its closing tag, and decides which closing tag that is. */
export abstract class BlockMachine extends LineMachine {
  protected block: Block | undefined
  /** The same, while nothing is held back: most chunks are its content and nothing else, and need no look at a state. */
  private steady: Block | undefined
  /** Tags that did not balance once: they are not counted any more, so that text is not read over and over. */
  private readonly flat = new Set<TagTarget>()
  /** Only where lines are delimiters. */
  private readonly lines: EmbeddedLines | undefined

  constructor(grammar: Grammar, out: PartsBuilder) {
    super(grammar, out)
    if (!grammar.loose) return
    this.lines = new EmbeddedLines(grammar.lines(), (name, span) =>
      out.note('embedded_section', { name, within: 'reasoning' }, span),
    )
  }

  override push(chunk: string): void {
    const { steady } = this
    if (steady && isPlain(chunk)) {
      const { base } = this
      this.pass(chunk)
      this.give(steady, chunk, base)
      return
    }
    this.steady = undefined
    this.block?.doubt?.text.push(chunk)
    super.push(chunk)
  }

  protected openBlock(target: TagTarget | undefined, kind: Block['kind'], opening: Span): Block {
    return new Block(target, kind, opening, new TrailingBreaks(this.grammar.exact ? 0 : 1))
  }

  protected enter(block: Block): void {
    this.block = block
    this.afterReturn = false
    this.state = this.grammar.exact ? this.inBlock : this.behindOpening
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
    this.lines?.begin(this.offset)
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
  protected inBlock(): void {
    const { buf, pos, base, lines } = this
    const block = this.block as Block
    const i = lines ? lines.feed(buf, pos, base) : nextTag(buf, pos)
    this.pos = i
    this.inside(block, buf.slice(pos, i), base + pos)
    if (i === buf.length) {
      if (!lines && block.steady) this.keepSteady(block)
      return
    }
    lines?.stop()
    this.startTag(i)
  }

  /** From here on chunks can pass as they are, up to one with a tag or the end of a line. */
  private keepSteady(block: Block): void {
    this.steady = block
    this.move('')
  }

  /** Content, unless it turns out that the block has ended before it. */
  protected inside(block: Block, text: string, start: number): void {
    if (text === '') return
    block.see(text)
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

  // <answer>Put it into <answer>, please.</answer>
  //                     ^^^^^^^^         ^^^^^^^^^
  protected tagInside(block: Block, tag: TagScanner, target: TagTarget, quoted: boolean): void {
    const { out } = this
    const span = [tag.start, this.offset] as const
    if (block.owns(target)) {
      if (tag.closing) {
        const closes = block.close()
        if (closes === 'block') {
          this.endBlock(block, span, true)
          return
        }
        if (closes === 'inner')
          block.doubt ??= { closing: span, mark: out.mark(), content: [], text: [this.buf.slice(this.pos)] }
      } else if (block.awaitsOpening) {
        block.target = target
        this.enter(block)
        return
      } else if (block.target && !tag.empty && !this.flat.has(target)) block.nest(span, quoted)
    }
    if (target.kind === 'section' && !tag.closing)
      out.note('embedded_section', { name: target.name, within: block.kind }, span)
    this.inside(block, tag.text, tag.start)
  }

  protected endBlock(block: Block, closing: Span, complete: boolean): void {
    const { out } = this
    const { breaks, doubt, kind } = block
    block.doubt = undefined
    for (const { text, start } of doubt?.content ?? []) this.inside(block, text, start)
    const rest = breaks.settle()
    const innerEnd = closing[0] - breaks.flush().length
    this.give(block, rest, innerEnd - rest.length)
    this.block = undefined
    this.lines?.stop()
    if (kind === 'section') {
      out.endSection(innerEnd, closing[1], complete)
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

  protected noteUnclosed({ kind, opening, target }: Block): void {
    if (kind === 'section') this.out.note('unclosed_section', { name: target?.name ?? '' }, opening)
    else this.out.note('unclosed_reasoning', {}, opening)
  }
}
