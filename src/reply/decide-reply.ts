import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import { textIssues } from '../text/issues.ts'
import { isExplicitAction, member, reportedError } from './contract.ts'
import { type AmbiguousReason, replyIssues } from './issues.ts'
import { type CallOptions, readAction } from './read-action.ts'
import type { ActionReply, ErrorReply, TextReply } from './reply.ts'
import type { EmbeddedAction, FoundObject, ReplyFacts, Tail, UntypedCall } from './reply-facts.ts'
import { callTag, isEndOfCall } from './untyped-call.ts'
import { unwrapped } from './unwrapped.ts'

export interface DecideOptions extends CallOptions {
  /** The stream broke off. */
  readonly cut: boolean
}

/** What a reply is, but for its text and reasoning. */
export type Verdict =
  | Pick<TextReply, 'type'>
  | Pick<ActionReply, 'type' | 'call' | 'span'>
  | Pick<ErrorReply, 'type' | 'code' | 'message'>

export interface Decision {
  /** `undefined` when the reply is rejected: an issue says why. */
  readonly verdict: Verdict | undefined
  /** What of the text that was held back is text after all. */
  readonly rest: string
  readonly complete: boolean
  readonly issues: Issue[]
}

/** Decides what a reply is, by what was found in it. Nothing is an action before this. */
export function decideReply(facts: ReplyFacts, options: DecideOptions): Decision {
  return new Decider(unwrapped(facts), options).decide()
}

class Decider {
  private readonly facts: ReplyFacts
  private readonly options: DecideOptions
  private readonly issues: Issue[] = []
  private embedded: readonly EmbeddedAction[]
  private unclosedFence: Span | undefined
  private rest: string

  constructor(facts: ReplyFacts, options: DecideOptions) {
    this.facts = facts
    this.options = options
    this.embedded = facts.embedded
    this.unclosedFence = facts.unclosedFence
    this.rest = facts.rest
  }

  decide(): Decision {
    const { whole, tooLong, unclosed, unclosedReasoning } = this.facts
    const { cut } = this.options
    if (this.isFenced) this.note('fenced_reply', {}, [whole?.start ?? 0, whole?.end ?? 0])
    const verdict = this.verdict()
    this.notes()
    const { length } = this.facts.source()
    if (cut) this.note('cut_off', {}, [length, length])
    const complete = !(cut || tooLong || unclosed || this.unclosedFence || unclosedReasoning)
    return { verdict, rest: this.rest, complete, issues: this.issues }
  }

  private get isFenced(): boolean {
    return this.facts.whole !== undefined
  }

  private note<C extends Parameters<typeof replyIssues.issue>[0]>(
    code: C,
    params: Parameters<typeof replyIssues.issue<C>>[1],
    span: Span,
  ): void {
    this.issues.push(replyIssues.issue(code, params, { span }))
  }

  /** It is not clear what is meant by what stands at these places. */
  private ambiguous(reason: AmbiguousReason, places: readonly Span[], count = places.length): undefined {
    const spans = [...places].sort((a, b) => a[0] - b[0])
    const start = spans[0]?.[0] ?? 0
    const end = spans.reduce((most, span) => Math.max(most, span[1]), start)
    this.note('ambiguous', { reason, count, spans: spans.slice(0, this.options.limits.maxIssues) }, [
      start,
      end,
    ])
    return undefined
  }

  private verdict(): Verdict | undefined {
    const { actions, errors, unclosed } = this.facts
    const [action] = actions
    const [error] = errors
    if (unclosed?.serious) this.note('truncated', {}, unclosed.span)
    this.untyped(actions.length + errors.length === 0)
    if (actions.length + errors.length > 1) {
      const reason = !error ? 'several_actions' : action ? 'action_and_error' : 'several_errors'
      return this.ambiguous(reason, [...actions, ...errors].map(spanOf))
    }
    // {"a": "b {"type": "action", …} {"type": "action", …}
    const doubtful = action ? this.doubtful() : []
    if (action && doubtful.length > 0) return this.ambiguous('several_actions', [...doubtful, spanOf(action)])
    if (action) return this.action(action)
    return error ? this.error(error) : this.text()
  }

  /** What is text only by a guess: beside it, no other action is certain to be the only one. */
  private doubtful(): Span[] {
    const { doubtful, embedded } = this.facts
    const source = this.facts.source()
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

  private action(found: FoundObject): Verdict | undefined {
    const { facts, options } = this
    const span = spanOf(found)
    // What is ambiguous may be text: nothing of it is taken away.
    if (this.isFollowed(found)) return this.ambiguous('text_after', [span])
    // Example: {"type": "action", …}
    // ^^^^^^^^ the words may say that it is not meant
    if (found.complete && found.inline && !found.first && !this.isFenced) {
      this.embedded = [...this.embedded, { where: 'inline', span }]
      return this.text()
    }
    this.rest = ''
    if (!found.complete) return undefined
    if (found.inline && !this.isFenced) this.note('inline_action', {}, span)
    this.issues.push(...found.issues)
    if (found.twice) this.ambiguous('duplicate_key', [span])
    if (found.unlisted > 0 || found.issues.some(isDamage)) this.note('damaged_action', {}, span)
    const { call, issues, twoForms, listed } = readAction(found.value, facts.source(...span), span, options)
    if (listed) this.ambiguous('listed', [span])
    if (twoForms) this.ambiguous('two_forms', [span])
    this.issues.push(...issues)
    return call && { type: 'action', call, span }
  }

  /** Whether more stands behind an object than may. */
  private isFollowed({ end }: FoundObject): boolean {
    const { facts } = this
    if (this.isFenced || facts.lastSeen <= end) return false
    const source = facts.source(end)
    const rest = source.trim()
    // {"type": "action", …}}
    //                      ^
    if (facts.firstSeen < end || rest.length > 80 || !/^(?:[}\]\s]+|`{3,})$/.test(rest)) return true
    const at = end + source.indexOf(rest)
    this.note('stray_end', { text: rest }, [at, at + rest.length])
    this.unclosedFence = undefined
    return false
  }

  private error(found: FoundObject): Verdict {
    const { facts } = this
    const span = spanOf(found)
    if (this.isFollowed(found)) {
      const [space = ''] = /^\s*/.exec(facts.source(found.end)) ?? []
      this.note('text_after_error', {}, [found.end + space.length, facts.lastSeen])
    } else this.rest = ''
    this.issues.push(...found.issues)
    const { code, message } = reportedError(found.value)
    if (code === undefined) this.note('incomplete_error', { missing: 'code' }, span)
    if (message === undefined) this.note('incomplete_error', { missing: 'message' }, span)
    return { type: 'error', code: code ?? '', message: message ?? '' }
  }

  private text(): Verdict {
    const { facts } = this
    const { tail, wrapped, unclosed, tooLong, unclosedReasoning } = facts
    if (tail && wrapped.length === 0) this.lookAtTail(tail)
    // > {
    // >   "type": "action",
    const isSilent = this.embedded.length === 0 && this.issues.length === 0
    const mention = isSilent ? mentionIn(facts.source(), facts.firstSeen) : undefined
    if (mention) this.embedded = [{ where: 'text', span: mention }]
    const explained = unclosed?.serious || tooLong || unclosedReasoning || this.options.cut
    const isEmpty = (facts.text + this.rest).trim() === ''
    if (isEmpty && !explained) this.note('empty', {}, [0, facts.source().length])
    return { type: 'text' }
  }

  /** The value with which the text ends may have been meant as an action. */
  private lookAtTail({ value, start, end, first }: Tail): void {
    const span: Span = [start, end]
    if (Array.isArray(value)) {
      const { length } = value.filter(isExplicitAction)
      if (length === 0) return
      this.ambiguous(length > 1 ? 'several_actions' : 'listed', [span], length)
      // They are not embedded, but listed.
      this.embedded = this.embedded.filter((one) => one.span[0] < start || one.span[1] > end)
      return
    }
    if (this.facts.untyped.at(-1)?.span[0] === start) return
    const type = isRecord(value) ? member(value, 'type') : undefined
    if (typeof type === 'string' && first) this.note('unknown_type', { type }, span)
  }

  /** Calls that do not say that they are actions: a text that ends with one is an error, and all others are text. */
  private untyped(isText: boolean): void {
    const { untyped } = this.facts
    const end = isText ? untyped.at(-1) : undefined
    const last = end && this.endsWith(end) ? end : undefined
    if (last) this.note('untyped_action', { name: last.name }, last.span)
    const others = untyped.filter((one) => one.sure && one !== last)
    const found = others.map(({ where = 'prose', span }): EmbeddedAction => ({ where, span }))
    this.embedded = [...this.embedded, ...found]
  }

  private endsWith({ where, sure, span: [start, end] }: UntypedCall): boolean {
    const { facts } = this
    const after = facts.source(end)
    if (!where) return sure ? isEndOfCall(after) : after.trim() === ''
    if (where !== 'fence') return false
    // ```json
    // ^^^^^^^ is the first thing in the reply
    const before = facts.source(facts.firstSeen, start)
    return /^(`{3,}|~{3,})[^\n]*\n\s*$/.test(before) && /^\s*[`~]*$/.test(after.trimEnd())
  }

  /** What is said of any reply. */
  private notes(): void {
    const { facts, embedded, unclosedFence } = this
    const { wrapped, unclosed, unclosedReasoning, impliedReasoning, tooLong } = facts
    for (const span of wrapped) this.note('wrapped_text', {}, span)
    if (unclosedReasoning) this.note('unclosed_reasoning', {}, unclosedReasoning)
    if (unclosedFence) this.issues.push(textIssues.issue('unclosed_fence', {}, { span: unclosedFence }))
    const last = embedded.reduce((most, { span }) => Math.max(most, span[1]), 0)
    // Nothing but what closes quotes, fences and lists.
    const ends = embedded.length > 0 && /^[\s`~"'”»)\]}>.]*$/.test(facts.source(last))
    for (const { where, span } of embedded)
      this.note('embedded_action', { where, last: ends && span[1] === last }, span)
    if (unclosed && !unclosed.serious) this.note('unclosed_value', {}, unclosed.span)
    if (impliedReasoning) {
      const name = facts.source(...impliedReasoning).replace(/[^\p{L}]/gu, '')
      this.issues.push(textIssues.issue('implied_reasoning', { name }, { span: impliedReasoning }))
    }
    const { maxLength } = this.options.limits
    if (tooLong) this.note('too_long', { limit: maxLength }, [maxLength, maxLength])
  }
}

const spanOf = ({ start, end }: FoundObject): Span => [start, end]

/** Quotes, commas and comments are repaired; where something may be lost or put into the wrong place, nothing runs. */
const isDamage = ({ code, severity }: Issue) =>
  severity !== 'repair' || /^json\.(?:missing_colon|unclosed_\w+|stray_closer)$/.test(code)

/** Where a text speaks of an action, or of a call in tags; `from`: where it begins. */
function mentionIn(source: string, from: number): Span | undefined {
  const mention = mentioned.exec(source)
  if (mention) return [mention.index, mention.index + mention[0].length]
  const tag = from < 0 ? undefined : callTag(source.slice(from))
  return tag && [tag[0] + from, tag[1] + from]
}

const mentioned = /["'“”]type["'“”]\s*[:=]\s*["'“”]action["'“”]/
