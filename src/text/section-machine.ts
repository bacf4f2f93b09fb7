import type { PartsBuilder } from './parts-builder.ts'
import { TagMachine } from './tag-machine.ts'
import type { Grammar } from './text-machine.ts'
import { WholeFence } from './whole-fence.ts'

/** Splits a text into its sections, reasoning and what stands between them; also where all of it is in a fence. */
export class SectionMachine extends TagMachine {
  /** The text begins with a fence: what it encloses, as long as it may enclose everything. */
  private wrapper: { readonly fence: WholeFence; readonly start: number; text: string } | undefined
  private readonly probe: (text: string) => SectionMachine | undefined

  /** `probe`: reads a text as this machine would; gives none if it has no sections. */
  constructor(
    grammar: Grammar,
    out: PartsBuilder,
    probe: (text: string) => SectionMachine | undefined = () => undefined,
  ) {
    super(grammar, out)
    this.probe = probe
  }

  end(): void {
    do {
      this.run()
      this.endLine()
      this.endTag()
      this.endWrapper()
      if (this.block && this.pos === this.buf.length) this.endUnclosed(this.block)
      // What was doubtful, or stands in a fence, is read again.
    } while (this.pos < this.buf.length)
    const { offset, out, fence } = this
    fence.endLine()
    const cut = this.fenced && !fence.stray
    if (cut && fence.open) {
      const { start, size } = fence.open
      out.note('unclosed_fence', {}, [start, start + size])
    }
    const held = this.breaks.flush()
    this.passOn(held, offset - held.length)
    if (this.section) out.endSection(offset, offset, !cut)
    else out.endText(offset)
    out.noteNear()
  }

  protected override startFence(): boolean {
    if (!this.grammar.unwraps || this.out.begun || this.fence.open) return false
    this.wrapper = { fence: new WholeFence(), start: this.heldAt, text: this.held }
    this.wrapper.fence.feed(this.held)
    this.held = ''
    this.state = this.inWrapper
    return true
  }

  // ```xml
  // ^^^^^^
  private inWrapper(): void {
    const { buf, pos, wrapper } = this
    if (!wrapper) return
    const text = pos === 0 ? buf : buf.slice(pos)
    this.pos = buf.length
    wrapper.text += text
    wrapper.fence.feed(text)
    if (wrapper.fence.refuted) this.keepFence(wrapper.text, wrapper.start)
  }

  /** The fence does not enclose everything: it is text like other. */
  private keepFence(text: string, start: number): void {
    this.wrapper = undefined
    this.goBack(text, start)
    this.out.begun = true
    this.state = this.atLineStart
  }

  private endWrapper(): void {
    if (!this.wrapper) return
    const { fence, text, start } = this.wrapper
    fence.endLine()
    const { inner, close } = fence
    const enclosed = inner < 0 || fence.refuted ? '' : text.slice(inner, close < 0 ? text.length : close)
    const found = enclosed === '' ? undefined : this.probe(enclosed)
    this.keepFence(text, start)
    if (!found) return
    this.steps += found.steps
    this.breaks.flush()
    this.out.endText(start)
    this.out.note('unwrapped_fence', {}, [start, start + text.slice(0, inner).trimEnd().length])
    // The line end before the closing fence is the fence's own.
    this.goBack(close < 0 ? enclosed : enclosed.replace(/\r?\n$/, ''), start + inner)
  }
}
