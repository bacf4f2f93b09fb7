export type { Issue, Severity } from '../core/issue.ts'
export { LegibleError } from '../core/legible-error.ts'
export type { Limits } from '../core/limits.ts'
export type { Read, Reader } from '../core/read.ts'
export type { Span } from '../core/span.ts'
export {
  type CallForm,
  type CallToWrite,
  type Dialect,
  dialects,
  type ReasoningMode,
} from '../dialects/index.ts'
export {
  type JsonTerminationOptions,
  jsonSection,
  jsonTermination,
  type SchemaSectionOptions,
  type Section,
  type Termination,
  type TextTerminationOptions,
  textSection,
  textTermination,
  yamlSection,
} from '../section/index.ts'
export type { CallOutcome, ToolCallError } from './call-outcome.ts'
export {
  createToolCallReader,
  type ToolCallOptions,
  type ToolCallReader,
  type ToolCallReaderOptions,
} from './create-tool-call-reader.ts'
export { createToolRegistry, type ToolRegistry } from './create-tool-registry.ts'
export type { DeclaredTool } from './declared-tools.ts'
export { defineTool } from './define-tool.ts'
export { describeArgumentProblems, describeArguments } from './describe-arguments.ts'
export { describeToolCalls } from './describe-tool-calls.ts'
export { type FormatToolCallsOptions, formatToolCalls } from './format-tool-calls.ts'
export { formatToolResults, type ToolResultToWrite } from './format-tool-results.ts'
export { jsonToolChain } from './json-tool-chain.ts'
export { createPermissions, type PermissionsOptions } from './permission/create-permissions.ts'
export type { Need, PermissionRule, Permissions, RuleScope, Ruling } from './permission/permission.ts'
export type { CallEntry, ReadCalls } from './read-calls.ts'
export { readToolCalls } from './read-tool-calls.ts'
export type {
  BeforeVerdict,
  CallRecord,
  HookContext,
  RunCall,
  RunCallOptions,
  RunOptions,
} from './run-options.ts'
export type {
  Media,
  NeedsApproval,
  RequestedCall,
  Tool,
  ToolCall,
  ToolContext,
  ToolDefinition,
  ToolInput,
  ToolNeeds,
  ToolResult,
} from './tool.ts'
export type { ToolCallEvent, ToolCallPart, ToolCalls, ToolCallsRead, WrittenCall } from './tool-calls.ts'
export type {
  ContentPart,
  ExecuteOptions,
  ToolCallResult,
  ToolChain,
  ToolChainOptions,
  ToolChainResult,
} from './tool-chain.ts'
export { toolResult } from './tool-result.ts'
export { yamlToolChain } from './yaml-tool-chain.ts'
