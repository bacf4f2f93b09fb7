import { callId } from '../../core/call-id.ts'
import { createJsonReader } from '../../json/create-json-reader.ts'
import type { JsonChange } from '../../json/live-value.ts'
import type { ToolCallEvent } from '../../tool/tool-calls.ts'
import { JsonText } from './json-text.ts'

/** A call that was told of before its section ended. */
export interface ToldCall {
  readonly index: number
  readonly id: string
  readonly name: string
  /** Which of the calls of the section it is. */
  readonly place: number
}

interface OpenCall extends ToldCall {
  readonly text: JsonText
}

/**
 * Tells of calls in a section of JSON while they arrive, as far as they are written as the prompt has them: the tool,
 * then its arguments. Whatever else there is waits for the end of the section, where its chain has the last word.
 */
export class ActionStream {
  private readonly calls: OpenCall[] = []
  private readonly tools: readonly string[]
  private readonly first: number
  private readonly tell: (event: ToolCallEvent) => void
  private readonly reader
  private written = ''
  private plain: boolean | undefined
  private name: string | undefined
  private values = 0

  /** `first`: how many calls came before. */
  constructor(tools: readonly string[], first: number, tell: (event: ToolCallEvent) => void) {
    this.tools = tools
    this.first = first
    this.tell = tell
    this.reader = createJsonReader(undefined, { onChange: (change) => this.heard(change) })
  }

  push(chunk: string): void {
    if (this.plain === undefined) this.written += chunk
    if (this.plain !== false) this.reader.push(chunk)
  }

  /** The calls that were told of. */
  end(): readonly ToldCall[] {
    this.plain = false
    return this.calls
  }

  private heard(change: JsonChange): void {
    // A call in prose may be one that is only shown.
    this.plain ??= /^\s*(?:(?:```|~~~)\w*\s*)?[[{]/.test(this.written)
    if (!this.plain) return
    const [first] = change.path
    const listed = typeof first === 'number'
    if (first === undefined && change.kind === 'set' && !change.done) this.values++
    const place = listed ? first : this.values - 1
    const [key, ...rest] = listed ? change.path.slice(1) : change.path
    if (key === undefined) this.name = undefined
    else if (key === 'tool' && rest.length === 0) this.named(change)
    else if (key === 'args') this.argued(change, place, rest)
  }

  // {"tool": "search", …
  //          ^^^^^^^^
  private named(change: JsonChange): void {
    if (change.kind !== 'set' || !change.done) return
    const { value } = change
    this.name = typeof value === 'string' && this.tools.includes(value) ? value : undefined
  }

  // {"tool": "search", "args": {"query": …
  //                             ^^^^^^^^
  private argued(change: JsonChange, place: number, rest: readonly PropertyKey[]): void {
    const { name } = this
    if (rest.length === 0 && name !== undefined && change.kind === 'set' && !change.done) {
      const index = this.first + this.calls.length
      const id = callId(index, name, place)
      const text = new JsonText(undefined, (text) => this.tell({ type: 'call-delta', index, text }))
      this.calls.push({ index, id, name, place, text })
      this.tell({ type: 'call-start', index, id, name })
    }
    const open = this.calls.at(-1)
    if (open?.place !== place) return
    if (rest.length === 0 && change.kind === 'set' && change.done) open.text.end(change.value)
    else open.text.change({ ...change, path: rest })
  }
}
