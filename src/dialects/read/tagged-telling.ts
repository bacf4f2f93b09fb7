import type { ObjectShape } from '../../schema/shape.ts'
import type { CallCursor } from './call-cursor.ts'
import type { PartsOut } from './parts-out.ts'
import type { TaggedValue } from './tagged-arguments.ts'
import { TaggedDeltas } from './tagged-deltas.ts'
import { typedValue } from './typed-value.ts'

/** Tells of a call in tags while it arrives: an argument that is text as it comes, all others when they end. */
export class TaggedTelling {
  private readonly cursor: CallCursor
  private readonly shape: ObjectShape | undefined
  private readonly startCall: () => TaggedDeltas
  private deltas: TaggedDeltas | undefined
  private told = 0
  private tells = false

  constructor(
    out: PartsOut,
    cursor: CallCursor,
    name: string,
    start: number,
    shape: ObjectShape | undefined,
  ) {
    this.cursor = cursor
    this.shape = shape
    this.startCall = () => {
      const index = out.startCall(name, undefined, start)
      return new TaggedDeltas((text) => out.tellArguments(index, text))
    }
  }

  startValue(key: string, space: TaggedValue['form']['space']): void {
    this.deltas ??= this.startCall()
    this.told = this.cursor.offset
    this.tells = this.isText(key)
    if (this.tells) this.deltas.startText(key, space)
  }

  /** More of the value was read. What may not be text as it stands waits for the end of it. */
  more(): void {
    const { cursor, deltas } = this
    if (!deltas || !this.tells) return
    const text = cursor.tape.slice(this.told, cursor.offset)
    if (/&|<!\[CDATA\[/.test(text)) {
      this.tells = false
      return
    }
    this.told = cursor.offset
    deltas.addText(text)
  }

  endValue(value: TaggedValue): void {
    const read = typedValue(value, this.shape?.fields.get(value.key)?.shape, value.form)
    if (this.isText(value.key)) this.deltas?.endText(read)
    else this.deltas?.addValue(value.key, read)
  }

  end(): void {
    this.deltas?.end()
  }

  private isText(key: string): boolean {
    return this.shape?.fields.get(key)?.shape.kind === 'string'
  }
}
