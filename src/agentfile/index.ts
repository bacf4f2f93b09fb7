export type { BudgetLimits, Spent } from './run/budget.ts'
export {
  createWorkflow,
  type JournalSource,
  type WorkflowRun,
  type WorkflowRunner,
  type WorkflowStart,
} from './run/create-workflow.ts'
export type { SpawnLimits } from './run/crew.ts'
export {
  type AgentNode,
  type GoalNode,
  type InputNode,
  type Output,
  type OutputSchema,
  type Oversight,
  type Program,
  programOf,
  type RunNode,
  type Value,
} from './run/program.ts'
export type { Judgement, Role, WorkflowEvent } from './run/workflow-event.ts'
export type { WorkflowLimits, WorkflowOptions } from './run/workflow-options.ts'
export type {
  JudgementRequest,
  WorkflowEnd,
  WorkflowLimitName,
  WorkflowOutcome,
} from './run/workflow-outcome.ts'
export {
  type Agentfile,
  type AgentfileOptions,
  formatAgentfile,
  type Issue,
  LegibleError,
  type PromptFiles,
  type Read,
  readAgentfile,
} from './syntax/index.ts'
