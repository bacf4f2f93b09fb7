import { LegibleError } from '../core/legible-error.ts'
import { unlessAborted } from '../model/unless-aborted.ts'
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

export interface ApprovalOptions {
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

/** What came of a question: `pending`, nobody has answered yet. */
export type Permission =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'pending'; readonly request: ApprovalRequest }

export interface AskOptions {
  readonly durable: Durable
  readonly options: ApprovalOptions
  readonly signal: AbortSignal
  readonly onRequest: (request: ApprovalRequest) => void
  readonly onVerdict: (request: ApprovalRequest, verdict: Verdict) => void
}

const DENIED = 'The user does not allow this call.'

/** Asks for the calls of a run: one at a time and in their order, as a person can answer, and as verdicts can be remembered. */
export class Approvals {
  private readonly asked: AskOptions
  private readonly remembered = new Map<string, Decision>()
  private last: Promise<unknown> = Promise.resolve()

  constructor(asked: AskOptions) {
    this.asked = asked
  }

  async ask(tool: Tool, call: ToolCall, id: string): Promise<Permission> {
    const ruled = this.ruleOf(tool, call)
    // Its place among the questions is that of the call, however long the rule takes.
    const asked = Promise.all([ruled, this.last]).then(([rule]) =>
      rule === 'ask' ? this.decide({ id, tool: tool.name, call }) : undefined,
    )
    this.last = asked.catch(() => {})
    // What needs nobody does not wait for anybody.
    const rule = await ruled
    if (rule === 'allow') return { kind: 'allowed' }
    if (rule === 'deny') return { kind: 'denied', reason: DENIED }
    return (await asked) as Permission
  }

  private async decide(request: ApprovalRequest): Promise<Permission> {
    const { tool } = request
    const decision = this.remembered.get(tool) ?? (await this.question(request))
    if (decision === undefined) return { kind: 'pending', request }
    if (decision.remember) this.remembered.set(tool, decision)
    return decision.decision === 'allow'
      ? { kind: 'allowed' }
      : { kind: 'denied', reason: decision.reason || DENIED }
  }

  private async ruleOf(tool: Tool, call: ToolCall): Promise<ApprovalRule> {
    const { approval } = this.asked.options
    if (typeof approval === 'string') return approval
    const rule = approval && Object.hasOwn(approval, tool.name) ? approval[tool.name] : undefined
    if (rule !== undefined) return typeof rule === 'function' ? rule(call) : rule
    const { needsApproval = false } = tool
    const asks = typeof needsApproval === 'function' ? await needsApproval(call.arguments) : needsApproval
    return asks ? 'ask' : 'allow'
  }

  private async question(request: ApprovalRequest): Promise<Decision | undefined> {
    const { durable, options, signal, onRequest, onVerdict } = this.asked
    onRequest(request)
    const name = `approval:${request.id}`
    const { approve } = options
    const answered = async () => {
      const answer = await unlessAborted(signal, (async () => approve?.(request, signal) ?? 'later')())
      return answer === 'later' ? null : decisionOf(answer)
    }
    try {
      const given = approve ? await durable.step<Decision | null>(name, answered) : null
      const decision = given ?? decisionOf((await durable.signal(name)) as Verdict)
      onVerdict(request, decision)
      return decision
    } catch (error) {
      if (error instanceof Suspension) return undefined
      throw error
    }
  }
}

function decisionOf(verdict: Verdict): Decision {
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
    `A verdict is allow, deny, always or never, not ${JSON.stringify(verdict)}.`,
  )
}
