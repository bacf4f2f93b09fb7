import { Turnstile } from '../core/turnstile.ts'
import { type CallOutcome, errorOf } from '../tool/call-outcome.ts'
import { toolRunIssues } from '../tool/issues.ts'
import { recordRefusal } from '../tool/record-call.ts'
import type { CallRecord, RunCall, RunOptions } from '../tool/run-options.ts'
import type { RequestedCall, Tool, ToolCall } from '../tool/tool.ts'
import type { ApprovalRequest, Approvals } from './approval.ts'
import type { Durable, Json } from './durable.ts'
import type { AgentEvent } from './event.ts'
import { recallOutcome, recordOutcome } from './recorded-outcome.ts'
import type { Telemetry } from './telemetry.ts'

export interface CallGateOptions {
  readonly durable: Durable
  readonly approvals: Approvals
  readonly emit: (event: AgentEvent) => void
  /** Takes room for one more call, if there is some; a call that does not run gives it back. */
  readonly takeRoom: () => boolean
  readonly giveBack: () => void
  /** Calls at the same time. */
  readonly concurrency: number
  readonly signal: AbortSignal
  readonly telemetry: Telemetry
  readonly record: RunOptions['record']
}

/** A call that wants to pass, and who waits for what comes of it. */
interface Passing {
  readonly call: ToolCall
  readonly tool: Tool
  readonly run: RunCall
  readonly key: string
  readonly resolve: (outcome: CallOutcome | PromiseLike<CallOutcome>) => void
  readonly reject: (error: unknown) => void
}

/**
 * The calls of one reply on their way to their tools: room, permission, then the step that is kept. Whatever is a step
 * starts in an order that follows from the calls and from what was kept, and never from how long something took, so that an
 * engine which replays by order sees the same: first the rules of all calls, then the calls that need nobody, then one
 * question after the other, each with its call. How many calls run at the same time is bounded within their steps.
 */
export class CallGate {
  /** Calls that wait for a person. */
  readonly pending: ApprovalRequest[] = []
  /** Also aborted when one of the calls cannot go on: the others must not run in a run that has ended. */
  readonly signal: AbortSignal
  private readonly options: CallGateOptions
  private readonly batch: string
  private readonly failure = new AbortController()
  private readonly all: Passing[] = []
  private passed: Promise<void> | undefined
  private unfit = 0
  private readonly running: Promise<CallOutcome>[] = []
  private readonly turnstile: Turnstile

  /** `batch`: the name of these calls within the run. */
  constructor(batch: string, options: CallGateOptions) {
    this.batch = batch
    this.options = options
    this.turnstile = new Turnstile(options.concurrency)
    this.signal = AbortSignal.any([options.signal, this.failure.signal])
  }

  /** All calls of a reply come at once: they pass together. */
  pass(call: ToolCall, run: RunCall, tool: Tool): Promise<CallOutcome> {
    return new Promise((resolve, reject) => {
      this.all.push({ call, tool, run, key: `${this.batch}.${call.id}`, resolve, reject })
      this.passed ??= Promise.resolve().then(() => this.passAll())
    })
  }

  /** Of a call that no tool could take, which never comes here. Kept: a run that is taken up again does not record it twice. */
  async recordUnfit(one: CallRecord, record: (one: CallRecord) => void | Promise<void>): Promise<void> {
    await this.options.durable.step(`unfit:${this.batch}.${this.unfit++}`, async () => {
      await record(one)
      return null
    })
  }

  /** Whether the call is one of those that pass here. */
  knows({ id }: RequestedCall): boolean {
    return this.all.some(({ call }) => call.id === id)
  }

  /** When all calls have come to an end, whatever it is. */
  async settled(): Promise<void> {
    await this.passed
    await Promise.allSettled(this.running)
  }

  private async passAll(): Promise<void> {
    try {
      const admitted = this.all.filter((one) => {
        if (this.options.takeRoom()) return true
        one.resolve(this.turnAside(one))
        return false
      })
      const rules = await Promise.all(
        admitted.map(({ tool, call, key }) => this.options.approvals.ruleOn(tool, call, key, this.signal)),
      )
      for (const [i, one] of admitted.entries()) {
        const { rule, reason } = rules[i] as (typeof rules)[number]
        if (rule === 'allow') this.start(one)
        else if (rule === 'deny') this.turnBack(one, reason)
      }
      for (const [i, one] of admitted.entries()) if (rules[i]?.rule === 'ask') await this.question(one)
    } catch (error) {
      this.failure.abort(error)
      for (const { reject } of this.all) reject(error)
    }
  }

  private async question(one: Passing): Promise<void> {
    this.signal.throwIfAborted()
    const { call, key } = one
    const request: ApprovalRequest = { id: key, tool: call.name, call }
    const permission = await this.options.approvals.decide(request, one.tool, this.signal)
    if (permission.kind === 'allowed') this.start(one, true)
    else if (permission.kind === 'denied') this.turnBack(one, permission.reason)
    else {
      this.options.giveBack()
      this.pending.push(request)
      one.resolve(refusal(call, 'The call waits for permission.'))
    }
  }

  /** `permitted`: by a person, who saw this very call. */
  private start(one: Passing, permitted = false): void {
    this.signal.throwIfAborted()
    const running = this.keep(one, permitted)
    this.running.push(running)
    running.catch((error) => this.failure.abort(error))
    one.resolve(running)
  }

  private async keep({ call, run, key }: Passing, permitted: boolean): Promise<CallOutcome> {
    const { durable, emit } = this.options
    emit({ type: 'call-start', call })
    const kept = await durable.step(`call:${key}`, ({ idempotencyKey }) =>
      this.runStep(call, () => run({ idempotencyKey, permitted })),
    )
    const outcome = recallOutcome(kept, call)
    emit(
      outcome.ok
        ? { type: 'call-end', call, ok: true, result: outcome.result }
        : { type: 'call-end', call, ok: false, error: outcome.error },
    )
    return outcome
  }

  private runStep(call: ToolCall, run: RunCall): Promise<Json> {
    return this.turnstile.pass(async () => {
      this.signal.throwIfAborted()
      const outcome = await this.options.telemetry.tool(call, run)
      // What was stopped on the way was not finished: it is not kept.
      if (!outcome.ok && outcome.error.code === 'tool.aborted' && !outcome.result) throw outcome.error.cause
      return recordOutcome(outcome)
    })
  }

  /** A call that does not run leaves its room to others. */
  private turnBack(one: Passing, reason: string): void {
    this.options.giveBack()
    this.turnAway(one, reason)
  }

  /** There is no room for the call. With more of it the run can be taken up again, so this is not kept. */
  private turnAside({ call }: Passing): Promise<CallOutcome> {
    const reason = 'No more calls are allowed.'
    this.options.emit({ type: 'call-refused', call, reason })
    return recordRefusal(this.options.record, call, refusal(call, reason).error)
  }

  /** That a call does not run is kept, as what came of it. */
  private turnAway(one: Passing, reason: string): void {
    const { durable, record, emit } = this.options
    const { call } = one
    emit({ type: 'call-refused', call, reason })
    const { error } = refusal(call, reason)
    const kept = durable.step(`call:${one.key}`, async () =>
      recordOutcome(await recordRefusal(record, call, error)),
    )
    const refused = kept.then((recorded) => recallOutcome(recorded, one.call))
    this.running.push(refused)
    refused.catch((error) => this.failure.abort(error))
    one.resolve(refused)
  }
}

function refusal(call: ToolCall, reason: string): Extract<CallOutcome, { ok: false }> {
  const issue = toolRunIssues.issue('refused', { name: call.name, reason })
  return { ok: false, call, error: errorOf([issue], call) }
}
