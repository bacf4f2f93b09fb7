import { toolRunIssues } from '../tool/issues.ts'
import { type CallOutcome, errorOf, type RunCall } from '../tool/run-calls.ts'
import type { Tool, ToolCall } from '../tool/tool.ts'
import type { ApprovalRequest, Approvals } from './approval.ts'
import type { Durable, Json, StepContext } from './durable.ts'
import type { AgentEvent } from './event.ts'
import { recallOutcome, recordOutcome } from './recorded-outcome.ts'
import type { Telemetry } from './telemetry.ts'

export interface CallGateOptions {
  readonly durable: Durable
  readonly approvals: Approvals
  readonly toolOf: (name: string) => Tool | undefined
  readonly emit: (event: AgentEvent) => void
  /** Takes room for one more call, if there is some; a call that does not run gives it back. */
  readonly takeRoom: () => boolean
  readonly giveBack: () => void
  /** Calls at the same time. */
  readonly concurrency: number
  readonly telemetry: Telemetry
}

/**
 * The calls of one reply on their way to their tools: room for it, permission, then the step that is kept. All calls
 * start at once, so that their steps have the same order whenever the run is taken up; how many run at the same time is
 * bounded within the steps.
 */
export class CallGate {
  /** Calls that wait for a person. */
  readonly pending: ApprovalRequest[] = []
  private readonly options: CallGateOptions
  private readonly batch: string
  private free: number
  private readonly waiting: (() => void)[] = []

  /** `batch`: the name of these calls within the run. */
  constructor(batch: string, options: CallGateOptions) {
    this.batch = batch
    this.options = options
    this.free = options.concurrency
  }

  async pass(call: ToolCall, run: RunCall): Promise<CallOutcome> {
    const { durable, approvals, toolOf, emit, takeRoom, giveBack } = this.options
    const key = `${this.batch}.${call.id}`
    // Before anything waits: calls that start together share the room.
    if (!takeRoom()) return this.refuse(call, 'No more calls are allowed.')
    const permission = await approvals.ask(toolOf(call.name) as Tool, call, key)
    if (permission.kind !== 'allowed') {
      giveBack()
      if (permission.kind === 'denied') return this.refuse(call, permission.reason)
      this.pending.push(permission.request)
      return refusal(call, 'The call waits for permission.')
    }
    emit({ type: 'call-start', call })
    const outcome = recallOutcome(
      await durable.step(`call:${key}`, (about) => this.record(call, run, about)),
      call,
    )
    emit(
      outcome.ok
        ? { type: 'call-end', call, ok: true, result: outcome.result }
        : { type: 'call-end', call, ok: false, error: outcome.error },
    )
    return outcome
  }

  private refuse(call: ToolCall, reason: string): CallOutcome {
    this.options.emit({ type: 'call-refused', call, reason })
    return refusal(call, reason)
  }

  private async record(call: ToolCall, run: RunCall, { idempotencyKey }: StepContext): Promise<Json> {
    await this.enter()
    try {
      const outcome = await this.options.telemetry.tool(call, () => run(idempotencyKey))
      // What was stopped on the way was not finished: it is not kept.
      if (!outcome.ok && outcome.error.code === 'tool.aborted' && !outcome.result) throw outcome.error.cause
      return recordOutcome(outcome)
    } finally {
      this.leave()
    }
  }

  private enter(): Promise<void> | void {
    if (this.free > 0) {
      this.free--
      return
    }
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  private leave(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}

function refusal(call: ToolCall, reason: string): CallOutcome {
  const issue = toolRunIssues.issue('refused', { name: call.name, reason })
  return { ok: false, call, error: errorOf([issue], call) }
}
