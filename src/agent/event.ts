import type { Issue } from '../core/issue.ts'
import type { FinishReason } from '../model/ask-model.ts'
import type { Message } from '../model/message.ts'
import type { ModelError } from '../model/model-error.ts'
import type { Usage } from '../model/usage.ts'
import type { Plan } from '../plan/plan.ts'
import type { Step } from '../plan/todo.ts'
import type { ReplyEvent } from '../reply/shown-text.ts'
import type { TextEvent } from '../text/format.ts'
import type { ToolCallError } from '../tool/call-outcome.ts'
import type { ToolCall, ToolResult } from '../tool/tool.ts'
import type { ApprovalRequest, Verdict } from './approval.ts'

/**
 * What happens in a run, in the order in which it happens. What is told while a reply arrives (sections, text,
 * reasoning) is a preview: `turn-end` says what it was. A run that is taken up again tells what happened before, too.
 */
export type AgentEvent =
  /** `asked`: the conversation that the model is asked with. */
  | { readonly type: 'turn-start'; readonly turn: number; readonly asked: readonly Message[] }
  | TextEvent
  | ReplyEvent
  /** The provider failed and is asked again: what was told of this turn so far does not count. */
  | { readonly type: 'turn-retry'; readonly turn: number; readonly wait: number; readonly error: ModelError }
  | {
      readonly type: 'turn-end'
      readonly turn: number
      readonly text: string
      readonly finish: FinishReason
      readonly usage: Usage
      /** What was asked is no part of the conversation: a summary, a synthesis. */
      readonly aside: boolean
    }
  /** The reply was kept when something else was asked: the program has changed since. */
  | { readonly type: 'turn-differs'; readonly turn: number }
  /** What reading the reply brought up. */
  | { readonly type: 'issues'; readonly issues: readonly Issue[] }
  /** A turn that brought neither a call nor an answer; the model is told. */
  | { readonly type: 'turn-idle'; readonly reason: string }
  | { readonly type: 'approval-request'; readonly request: ApprovalRequest }
  | { readonly type: 'approval-verdict'; readonly request: ApprovalRequest; readonly verdict: Verdict }
  /** The call does not run: a rule, a person or a limit is against it. `reason`: what the model is told. */
  | { readonly type: 'call-refused'; readonly call: ToolCall; readonly reason: string }
  | { readonly type: 'call-start'; readonly call: ToolCall }
  | { readonly type: 'call-end'; readonly call: ToolCall; readonly ok: true; readonly result: ToolResult }
  | { readonly type: 'call-end'; readonly call: ToolCall; readonly ok: false; readonly error: ToolCallError }
  /** The list of what is to do, whenever it changes. */
  | { readonly type: 'plan'; readonly plan: Plan; readonly steps: readonly Step[] }
  /** Became part of the conversation. */
  | { readonly type: 'message'; readonly message: Message }
  /** Old turns were left out of the conversation: `messages` is all of it now. */
  | { readonly type: 'compaction'; readonly removed: number; readonly messages: readonly Message[] }

/** What a policy tells of itself. The rest is told by the loop, and counts. */
export type PolicyEvent =
  | TextEvent
  | ReplyEvent
  | Extract<AgentEvent, { readonly type: 'issues' | 'plan' | 'turn-idle' }>
