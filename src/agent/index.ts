export type { Issue, Severity } from '../core/issue.ts'
export { LegibleError } from '../core/legible-error.ts'
export type { FinishReason, ModelReply, ModelSettings, NativeCall } from '../model/ask-model.ts'
export type { ModelSource } from '../model/load-model.ts'
export type { Message, MessageResult } from '../model/message.ts'
export { ModelError } from '../model/model-error.ts'
export type { Usage } from '../model/usage.ts'
export type { ContentPart } from '../tool/tool-chain.ts'
export type { AgentOptions } from './agent-options.ts'
export type {
  ApprovalOptions,
  ApprovalRequest,
  ApprovalRule,
  Verdict,
} from './approval.ts'
export { type ChatOptions, chat } from './chat.ts'
export type { ContextOptions } from './compact-messages.ts'
export {
  type Agent,
  defineAgent,
  type Policy,
  type StartOptions,
} from './define-agent.ts'
export {
  type Branch,
  BranchesFailed,
  type Durable,
  type Json,
  type StepContext,
  type StepOptions,
  Suspension,
} from './durable.ts'
export type { AgentEvent, PolicyEvent } from './event.ts'
export type { Asked, AskOptions, Loop, ReplyReader } from './loop.ts'
export {
  type JournalEntry,
  type MemoryJournal,
  type MemoryJournalOptions,
  memoryJournal,
  type SavedRun,
} from './memory-journal.ts'
export type { Outcome, PolicyResult } from './outcome.ts'
export { type PlanExecuteOptions, planExecute } from './plan-execute.ts'
export type { Prices } from './prices.ts'
export { type ReactOptions, react } from './react.ts'
export type { Run } from './run.ts'
export type { LimitName, RunLimits } from './run-limits.ts'
export { sayResults } from './say-results.ts'
export type { TelemetryOptions } from './telemetry.ts'
export { textReader } from './text-reader.ts'
export { gatherTools, type ToolSource } from './tools/gather-tools.ts'
export type { McpClient } from './tools/mcp-tools.ts'
export type { SdkTool } from './tools/sdk-tools.ts'
