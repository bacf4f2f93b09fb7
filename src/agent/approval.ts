import { LegibleError } from '../core/legible-error.ts'
import { unlessAborted } from '../model/unless-aborted.ts'
import { refusalText, ruleOn } from '../tool/permission/rule-on.ts'
import type { RunOptions } from '../tool/run-options.ts'
import type { Tool, ToolCall } from '../tool/tool.ts'
import type { Durable, Json } from './durable.ts'
import { Suspension } from './durable.ts'

/** Whether calls of a tool run, do not run, or run when a person says so. */
export type ApprovalRule = 'allow' | 'deny' | 'ask'

/** What a person is asked. */
export interface ApprovalRequest {
  /** What a verdict refers to when the run is taken up again. */
  readonly id: string
  readonly tool: string
  readonly call: ToolCall
}

/** `always` and `never` count for the rest of the run, for every call of the tool. */
export type Verdict =
  | 'allow'
  | 'deny'
  | 'always'
  | 'never'
  /** `reason`: for the model. */
  | { readonly decision: 'allow' | 'deny'; readonly remember?: boolean; readonly reason?: string }

export interface ApprovalOptions extends Pick<RunOptions, 'permissions'> {
  /** For each tool by its name, or for all. A function looks at the call. Absent: what the tool says itself. */
  readonly approval?:
    | ApprovalRule
    | Readonly<Record<string, ApprovalRule | ((call: ToolCall) => ApprovalRule | Promise<ApprovalRule>)>>
    | undefined
  /**
   * Asks a person. Without it, or when it answers `later`, the run is suspended, and taken up again with what the person
   * said.
   */
  readonly approve?:
    | ((request: ApprovalRequest, signal: AbortSignal) => Verdict | 'later' | Promise<Verdict | 'later'>)
    | undefined
}

interface Decision {
  readonly [key: string]: Json
  readonly decision: 'allow' | 'deny'
  readonly remember: boolean
  readonly reason: string
}

/** A rule on one call. `reason`: for the model, where a rule is against it. */
type RuledCall = { readonly rule: ApprovalRule; readonly reason: string }

const NOT_ALLOWED = 'The user does not allow this call.'
const said = (rule: ApprovalRule): RuledCall => ({ rule, reason: rule === 'deny' ? NOT_ALLOWED : '' })

/** What came of a question: `pending`, nobody has answered yet. */
export type Permission =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'pending' }

export interface ApprovalsOptions {
  readonly durable: Durable
  readonly rules: ApprovalOptions
  readonly onRequest: (request: ApprovalRequest) => void
  readonly onVerdict: (request: ApprovalRequest, verdict: Verdict) => void
}

/**
 * Decides on the calls of a run. What was decided is kept, and what was said about one call comes before what was said
 * about all of a tool.
 */
export class Approvals {
  private readonly options: ApprovalsOptions
  private readonly remembered = new Map<string, Decision>()

  constructor(options: ApprovalsOptions) {
    this.options = options
  }

  /** What the program and its store say about a call, or its tool. */
  async ruleOn(tool: Tool, call: ToolCall, id: string, signal: AbortSignal): Promise<RuledCall> {
    const { rules, durable } = this.options
    const { approval, permissions } = rules
    const named = typeof approval === 'object' && Object.hasOwn(approval, tool.name)
    const rule = typeof approval === 'string' ? approval : named ? approval[tool.name] : undefined
    const { needsApproval = false } = tool
    if (rule === undefined && needsApproval === false && !permissions) return { rule: 'allow', reason: '' }
    const apply = async (): Promise<RuledCall> => {
      const own = checkRule(typeof rule === 'function' ? await rule(call) : (rule ?? 'allow'))
      // The program can forbid more than the store, or ask about more, but permit nothing that the store does not.
      if (permissions) {
        const ruling = ruleOn(permissions, tool, call)
        if (ruling.kind === 'denied') return { rule: 'deny', reason: refusalText(ruling) }
        return said(ruling.kind === 'unset' && own !== 'deny' ? 'ask' : own)
      }
      if (rule !== undefined) return said(own)
      const asks = typeof needsApproval === 'function' ? await needsApproval(call.arguments) : needsApproval
      return said(asks ? 'ask' : 'allow')
    }
    // A rule may look at the clock: what it said once stays.
    return durable.step<RuledCall>(`rule:${id}`, () => unlessAborted(signal, apply()))
  }

  /** What a person says about a call. */
  async decide(request: ApprovalRequest, tool: Tool, signal: AbortSignal): Promise<Permission> {
    const decision = await this.decisionOn(request, tool, signal)
    if (decision === undefined) return { kind: 'pending' }
    if (decision.remember) this.remembered.set(request.tool, decision)
    return decision.decision === 'allow'
      ? { kind: 'allowed' }
      : { kind: 'denied', reason: decision.reason || NOT_ALLOWED }
  }

  private async decisionOn(
    request: ApprovalRequest,
    tool: Tool,
    signal: AbortSignal,
  ): Promise<Decision | undefined> {
    const { durable, rules, onRequest, onVerdict } = this.options
    const { approve, permissions } = rules
    const name = `approval:${request.id}`
    const own = await durable.signal(name, { timeoutMs: 0 })
    const remembered = this.remembered.get(request.tool)
    if (own !== null || !remembered) onRequest(request)
    const ask = async (): Promise<Decision> => {
      if (remembered) return remembered
      // A rule may have been made while others were asked about. Looked at here, it is part of what is kept.
      const ruling = permissions && ruleOn(permissions, tool, request.call)
      if (ruling?.kind === 'denied') return { decision: 'deny', remember: false, reason: refusalText(ruling) }
      const answer = await unlessAborted(signal, (async () => approve?.(request, signal) ?? 'later')())
      // Nothing was decided: nothing is kept.
      if (answer === 'later') throw new Suspension(name)
      return decisionOf(answer)
    }
    try {
      // What is kept of this call counts, and only then what was said about all.
      const decision = own === null ? await this.keptOrSaid(name, ask) : decisionOf(own as Verdict)
      if (own !== null || !remembered) onVerdict(request, decision)
      return decision
    } catch (error) {
      if (error instanceof Suspension) return undefined
      throw error
    }
  }

  /** What was decided before, what is decided now, or what somebody says from outside, for which an engine can wait. */
  private async keptOrSaid(name: string, ask: () => Promise<Decision>): Promise<Decision> {
    const { durable } = this.options
    try {
      return await durable.step(name, ask)
    } catch (error) {
      if (!(error instanceof Suspension)) throw error
      return decisionOf((await durable.signal(name)) as Verdict)
    }
  }
}

const approvalRules: readonly unknown[] = ['allow', 'deny', 'ask'] satisfies ApprovalRule[]

export function checkRule(rule: unknown): ApprovalRule {
  if (approvalRules.includes(rule)) return rule as ApprovalRule
  throw new LegibleError(
    'agent.invalid_rule',
    `A rule of approval is allow, deny or ask, not ${JSON.stringify(rule)}.`,
  )
}

/** Throws a LegibleError when it is none. */
export function decisionOf(verdict: Verdict): Decision {
  switch (verdict) {
    case 'allow':
    case 'deny':
      return { decision: verdict, remember: false, reason: '' }
    case 'always':
      return { decision: 'allow', remember: true, reason: '' }
    case 'never':
      return { decision: 'deny', remember: true, reason: '' }
  }
  const { decision, remember = false, reason = '' } = verdict ?? {}
  if (decision === 'allow' || decision === 'deny') return { decision, remember, reason }
  throw new LegibleError(
    'agent.invalid_verdict',
    `A verdict is allow, deny, always or never, not ${typeof verdict === 'string' ? `"${verdict}"` : typeof verdict}.`,
  )
}
