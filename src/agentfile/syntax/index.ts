export type { Issue, Severity } from '../../core/issue.ts'
export { LegibleError } from '../../core/legible-error.ts'
export type { Read } from '../../core/read.ts'
export type { Span } from '../../core/span.ts'
export type {
  Agentfile,
  AgentStatement,
  Comment,
  ConvergeStatement,
  Field,
  GoalStatement,
  InputStatement,
  JsonValue,
  Limit,
  Name,
  NameStatement,
  PlainType,
  Prompt,
  RunStatement,
  SecurityStatement,
  Statement,
  Supervision,
  SupervisionStatement,
  Text,
  Type,
  Value,
} from './agentfile.ts'
export { formatAgentfile } from './format-agentfile.ts'
export { type PromptFile, type PromptFiles, promptFile } from './prompt-file.ts'
export { type PromptPart, promptParts } from './prompt-parts.ts'
export { type AgentfileOptions, readAgentfile } from './read-agentfile.ts'
export { type Goal, type Workflow, workflowOf } from './workflow-of.ts'
