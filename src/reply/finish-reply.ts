import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Limits } from '../core/limits.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import type { Source } from '../json/coerce/coercion.ts'
import { locate, placesOf } from '../json/locate.ts'
import { shiftIssues } from '../section/shift-issues.ts'
import { textIssues } from '../text/issues.ts'
import type { ToolRegistry } from '../tool/create-tool-registry.ts'
import { readAction, reportedError } from './contract.ts'
import { type FoundObject, isExplicitAction, member, namesTool } from './found-object.ts'
import { type AmbiguousReason, replyIssues } from './issues.ts'
import type { Reply } from './reply.ts'
import type { ReplyScanner } from './reply-scanner.ts'

export interface FinishOptions {
  readonly tools: ToolRegistry
  readonly limits: Limits
  readonly callsBefore: number
  readonly cut: boolean
}

/** Decides what a reply is, once all of it was seen. Nothing is an action before this. */
export function finishReply(scanner: ReplyScanner, options: FinishOptions): Read<Reply> {
  return new Decision(scanner, options).read()
}

class Decision {
  private readonly scanner: ReplyScanner
  private readonly options: FinishOptions
  private readonly issues: Issue[] = []
  /** Where the objects that were found are counted from: the beginning of the text, or of the fence around them. */
  private offset = 0

  constructor(scanner: ReplyScanner, options: FinishOptions) {
    this.scanner = scanner
    this.options = options
  }

  read(): Read<Reply> {
    const { scanner, options } = this
    this.unwrap()
    const reply = this.decide()
    this.notes()
    if (options.cut) this.note('cut_off', {}, [scanner.source().length, scanner.source().length])
    const { tooLong, unclosed, unclosedFence, unclosedReasoning } = scanner
    const complete = !(options.cut || tooLong || unclosed || unclosedFence || unclosedReasoning)
    const listed = this.issues.sort(byPlace)
    const more = listed.length - options.limits.maxIssues + scanner.unlistedEmbedded
    if (more > 0) {
      const last = replyIssues.issue('more_issues', { count: more })
      // Errors are never among those that are left out.
      const errors = listed.filter((issue) => issue.severity === 'error')
      const others = listed.filter((issue) => issue.severity !== 'error')
      listed.splice(
        0,
        listed.length,
        ...errors,
        ...others.slice(0, Math.max(0, options.limits.maxIssues - errors.length)),
      )
      listed.sort(byPlace).push(last)
    }
    // What was rejected shows what can be shown: never a call.
    if (listed.some((issue) => issue.severity === 'error'))
      return {
        ok: false,
        value: this.withReasoning({ type: 'text', text: this.text }),
        complete,
        issues: listed,
      }
    return { ok: true, value: reply as Reply, complete, issues: listed }
  }

  private get text(): string {
    return this.scanner.shown.text
  }

  private note<C extends Parameters<typeof replyIssues.issue>[0]>(
    code: C,
    params: Parameters<typeof replyIssues.issue<C>>[1],
    span: Span,
  ): void {
    this.issues.push(replyIssues.issue(code, params, { span }))
  }

  /** A reply that is one fenced object is that object. */
  private unwrap(): void {
    const { whole } = this.scanner
    if (!whole?.fence.complete) return
    const { inner, fence } = whole
    const { actions, errors, wrapped, embedded } = this.scanner
    this.offset = fence.contentStart
    actions.push(...inner.actions)
    errors.push(...inner.errors)
    for (const [start, end] of inner.wrapped) wrapped.push([start + this.offset, end + this.offset])
    for (const { where, span } of inner.embedded)
      embedded.push({ where, span: [span[0] + this.offset, span[1] + this.offset] })
    this.scanner.leaveOut(fence.end)
    this.scanner.shown.add(inner.shown.text)
    this.note('fenced_reply', {}, [fence.start, fence.end])
  }

  private decide(): Reply | undefined {
    const { actions, errors, unclosed } = this.scanner
    const [action] = actions
    const [error] = errors
    const objects = [...actions, ...errors].sort((a, b) => a.start - b.start)
    if (unclosed?.serious) this.note('truncated', {}, unclosed.span)
    if (objects.length > 1) {
      const reason = !error ? 'several_actions' : action ? 'action_and_error' : 'several_errors'
      for (const { start, end } of objects) this.ambiguous(reason, [start, end], objects.length)
      this.scanner.release()
      return undefined
    }
    // {"a": "b {"type": "action", …} {"type": "action", …}
    const doubtful = action ? this.doubtful() : []
    if (action && doubtful.length > 0) {
      for (const [start, end] of [...doubtful, [action.start, action.end] as Span])
        this.ambiguous('several_actions', [start, end], doubtful.length + 1)
      this.scanner.release()
      return undefined
    }
    if (action) return this.action(action)
    if (error) return this.error(error)
    return this.plainText()
  }

  /** What is text only by a guess: beside it, no other action is certain to be the only one. */
  private doubtful(): Span[] {
    const { doubtful, embedded } = this.scanner
    const source = this.scanner.source()
    const guesses = embedded.filter(({ where, span: [, end] }) => {
      if (where === 'brackets' || where === 'list') return true
      if (where === 'quotes') return !/^["'”»’`\\]/.test(source.slice(end, end + 1))
      if (where !== 'code') return false
      const close = source.indexOf('`', end)
      const line = source.indexOf('\n', end)
      return close < 0 || (line >= 0 && line < close)
    })
    return [...doubtful, ...guesses.map(({ span }) => span)]
  }

  private ambiguous(reason: AmbiguousReason, [start, end]: Span, count = 1): void {
    this.note('ambiguous', { reason, count }, [start + this.offset, end + this.offset])
  }

  private action(found: FoundObject): Reply | undefined {
    const { options, offset } = this
    const span: Span = [found.start + offset, found.end + offset]
    const followed = this.isFollowed(found, 'text_after')
    const before = this.text
    // What is ambiguous may be text: nothing of it is taken away.
    if (followed) this.scanner.release()
    else this.scanner.leaveOut(this.scanner.source().length)
    if (followed || !found.complete) return undefined
    if (found.inline && offset === 0) this.note('inline_action', {}, span)
    this.issues.push(...shiftIssues(found.issues, offset))
    if (found.twice) this.ambiguous('duplicate_key', [found.start, found.end])
    if (found.unlisted > 0 || found.issues.some(isDamage)) this.note('damaged_action', {}, span)
    const source = this.placesIn(span)
    const { tools, callsBefore } = options
    const { call, issues, twoForms, listed } = readAction(found.value, source, span, tools, callsBefore)
    if (listed) this.ambiguous('listed', [found.start, found.end])
    if (twoForms) this.ambiguous('two_forms', [found.start, found.end])
    this.issues.push(...issues)
    if (!call) return undefined
    return this.withReasoning({ type: 'action', text: before, call, span })
  }

  /** Whether more stands behind an object than may. */
  private isFollowed({ start, end }: FoundObject, reason: AmbiguousReason | undefined): boolean {
    const { scanner, offset } = this
    if (offset > 0 || scanner.lastSeen <= end) return false
    const rest = scanner.source(end).trim()
    // {"type": "action", …}}
    //                      ^
    if (scanner.firstSeen >= end && rest.length <= 80 && /^(?:[}\]\s]+|`{3,})$/.test(rest)) {
      const at = end + scanner.source(end).indexOf(rest)
      this.note('stray_end', { text: rest }, [at, at + rest.length])
      scanner.unclosedFence = undefined
      return false
    }
    if (reason) this.ambiguous(reason, [start, end])
    return true
  }

  /** Where the members of an object stand. */
  private placesIn([start, end]: Span): Source {
    const text = this.scanner.source(start, end)
    const source = () => text
    const candidate = { start: 0, end: text.length } as Parameters<typeof locate>[1]
    const places = locate(source, candidate, placesOf(source, this.options.limits))
    return {
      span: (path, key) => {
        const span = places.span(path, key) ?? [0, text.length]
        return [span[0] + start, span[1] + start]
      },
      text: (path) => places.text(path),
    }
  }

  private error(found: FoundObject): Reply {
    const { scanner, offset } = this
    const { start, end } = found
    const followed = this.isFollowed(found, undefined)
    if (followed) {
      const [space = ''] = /^\s*/.exec(scanner.source(end)) ?? []
      this.note('text_after_error', {}, [end + space.length, scanner.lastSeen])
      scanner.release()
    } else if (offset === 0) {
      scanner.leaveOut(scanner.source().length)
    }
    this.issues.push(...shiftIssues(found.issues, offset))
    const { code, message } = reportedError(found.value)
    const span: Span = [start + offset, end + offset]
    if (code === undefined) this.note('incomplete_error', { missing: 'code' }, span)
    if (message === undefined) this.note('incomplete_error', { missing: 'message' }, span)
    return this.withReasoning({ type: 'error', code: code ?? '', message: message ?? '', text: this.text })
  }

  private plainText(): Reply {
    const { scanner } = this
    const { tail, wrapped } = scanner
    scanner.release()
    if (tail && wrapped.length === 0) this.lookAtTail(tail)
    // > {
    // >   "type": "action",
    const { embedded } = scanner
    const mention =
      embedded.length === 0 && this.issues.length === 0 ? mentioned.exec(scanner.source()) : null
    if (mention) embedded.push({ where: 'text', span: [mention.index, mention.index + mention[0].length] })
    const explained =
      scanner.unclosed?.serious || scanner.tooLong || scanner.unclosedReasoning || this.options.cut
    if (this.text === '' && !explained) this.note('empty', {}, [0, scanner.source().length])
    return this.withReasoning({ type: 'text', text: this.text })
  }

  /** The value with which the text ends may have been meant as an action. */
  private lookAtTail({ value, start, end, first }: NonNullable<ReplyScanner['tail']>): void {
    const span: Span = [start, end]
    if (Array.isArray(value)) {
      const { length } = value.filter(isExplicitAction)
      if (length === 0) return
      this.ambiguous(length > 1 ? 'several_actions' : 'listed', span, length)
      // They are not embedded, but listed.
      const { embedded } = this.scanner
      const others = embedded.filter((one) => one.span[0] < start || one.span[1] > end)
      embedded.splice(0, embedded.length, ...others)
      return
    }
    const name = namesTool(value, (one) => this.options.tools.has(one))
    const type = isRecord(value) ? member(value, 'type') : undefined
    if (name !== undefined) this.note('untyped_action', { name }, span)
    else if (typeof type === 'string' && first) this.note('unknown_type', { type }, span)
  }

  /** What is said of any reply. */
  private notes(): void {
    const { scanner, options } = this
    const { embedded, wrapped, unclosed, unclosedFence, unclosedReasoning, impliedReasoning } = scanner
    for (const span of wrapped) this.note('wrapped_text', {}, span)
    if (unclosedReasoning) this.note('unclosed_reasoning', {}, unclosedReasoning)
    if (unclosedFence) this.issues.push(textIssues.issue('unclosed_fence', {}, { span: unclosedFence }))
    const last = embedded.reduce((most, { span }) => Math.max(most, span[1]), 0)
    // Nothing but what closes quotes, fences and lists.
    const ends = embedded.length > 0 && /^[\s`~"'”»)\]}>.]*$/.test(scanner.source(last))
    for (const { where, span } of embedded)
      this.note('embedded_action', { where, last: ends && span[1] === last }, span)
    if (unclosed && !unclosed.serious) this.note('unclosed_value', {}, unclosed.span)
    if (impliedReasoning) {
      const name = scanner.source(...impliedReasoning).replace(/[^\p{L}]/gu, '')
      this.issues.push(textIssues.issue('implied_reasoning', { name }, { span: impliedReasoning }))
    }
    const { maxLength } = options.limits
    if (scanner.tooLong) this.note('too_long', { limit: maxLength }, [maxLength, maxLength])
  }

  private withReasoning<R extends Reply>(reply: R): R {
    const { reasoning } = this.scanner.shown
    return reasoning === '' ? reply : { ...reply, reasoning }
  }
}

/** Quotes, commas and comments are repaired; where something may be lost or put into the wrong place, nothing runs. */
const isDamage = ({ code, severity }: Issue) =>
  severity !== 'repair' || /^json\.(?:missing_colon|unclosed_\w+|stray_closer)$/.test(code)

const mentioned = /["'“”]type["'“”]\s*[:=]\s*["'“”]action["'“”]/

const byPlace = (a: Issue, b: Issue) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0)
