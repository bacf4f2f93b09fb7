import { isErrorObject, isExplicitAction, wrappedText } from './contract.ts'
import type { Findings } from './findings.ts'
import type { HeldText } from './held-text.ts'
import type { FoundObject } from './reply-facts.ts'
import type { ReplyValue } from './reply-value.ts'
import type { ShownText } from './shown-text.ts'
import type { Surroundings } from './surroundings.ts'
import { type AskedTool, opensCall, untypedCall } from './untyped-call.ts'

/** Sorts the values of a reply: actions, errors, texts that are written as objects, and data, which is text. */
export class ValueSorter {
  private readonly findings: Findings
  private readonly held: HeldText
  private readonly around: Surroundings
  private readonly shown: ShownText
  private readonly isTool: (name: string) => boolean

  constructor(
    findings: Findings,
    held: HeldText,
    around: Surroundings,
    shown: ShownText,
    isTool: (name: string) => boolean,
  ) {
    this.findings = findings
    this.held = held
    this.around = around
    this.shown = shown
    this.isTool = isTool
  }

  sort(value: ReplyValue): void {
    const { place, type, complete, found } = value
    if (place.where || !found) this.data(value)
    else if (isExplicitAction(found.value)) this.action(found)
    else if (!complete) this.unclosed(value, found)
    else if (isErrorObject(found.value) && !place.inline) this.error(found)
    else if (place.first && type === 'error') this.error(found)
    else if (place.first && wrappedText(found.value) !== undefined) this.text(value, found)
    else this.data(value)
    this.around.put()
  }

  private action(found: FoundObject): void {
    const { start, end, complete } = found
    const { findings } = this
    findings.textFollows(start)
    if (!complete) findings.unclosed = { span: [start, end], serious: true }
    findings.actions.push(found)
    this.held.holdTail(start)
  }

  private error(found: FoundObject): void {
    const { findings } = this
    findings.textFollows(found.start)
    findings.errors.push(found)
    this.held.holdTail(found.start)
  }

  private text(value: ReplyValue, { value: object, start, end }: FoundObject): void {
    const { findings } = this
    findings.embedWithin(value)
    if (!value.streamed) this.shown.add(wrappedText(object) as string)
    this.held.leaveOut(end)
    findings.wrapped.push([start, end])
    findings.valueSeen(start, end)
  }

  /** The text ends within an object that does not say what it is, or not yet. */
  private unclosed(value: ReplyValue, { value: object, start, end }: FoundObject): void {
    const { findings, held } = this
    const { type, streamed } = value
    const { first, inline } = value.place
    const becomes = typeof type === 'string' && /^(?:a(?:c(?:t(?:i(?:on?)?)?)?)?|er?r?o?r?)$/.test(type)
    const serious = becomes || first || this.untyped(object, start) !== undefined
    findings.embedWithin(value)
    if (serious || !inline) findings.unclosed = { span: [start, end], serious }
    if (streamed) held.leaveOut(end)
    findings.valueSeen(start, end)
    if (becomes || (serious && !first)) held.leaveOut(end)
    else held.letGo()
  }

  private data(reading: ReplyValue): void {
    const { findings, held } = this
    const { value, complete, nested, stop: end } = reading
    const { start, where, inline, first } = reading.place
    if (where && isExplicitAction(value)) nested.push({ where, span: [start, end] })
    const listed = !where && Array.isArray(value) && value.some(isExplicitAction)
    const asked = listed || isExplicitAction(value) ? undefined : this.untyped(value, start)
    findings.embedWithin(reading)
    if (asked && (complete || inline)) findings.addUntyped({ ...asked, where, span: [start, end] })
    if (!complete && !where && !inline)
      findings.unclosed = { span: [start, end], serious: listed || asked !== undefined }
    findings.valueSeen(start, end)
    held.letGo()
    if (where) return
    findings.tail = { value, start, end, first: first && findings.firstSeen === start }
    if (listed || asked) held.holdTail(start)
  }

  // <tool_call>{"name": …}
  // ^^^^^^^^^^^
  private untyped(value: unknown, start: number): AskedTool | undefined {
    let marked: boolean | undefined
    return untypedCall(value, this.isTool, () => {
      // Once for all members of a list.
      marked ??= opensCall(this.findings.source(Math.max(0, start - 64), start))
      return marked
    })
  }
}
