export type { Issue, Severity } from '../core/issue.ts'
export { LegibleError } from '../core/legible-error.ts'
export type { Limits } from '../core/limits.ts'
export type { Read, Reader } from '../core/read.ts'
export type { Span } from '../core/span.ts'
export type { RequestedCall } from '../tool/tool.ts'
export {
  createPlanReader,
  type PlanOptions,
  type PlanReader,
  type PlanReaderOptions,
} from './create-plan-reader.ts'
export { describePlan } from './describe-plan.ts'
export { fillArguments } from './fill-arguments.ts'
export type { PlanRead } from './finish-plan.ts'
export type { Plan, PlannedCall } from './plan.ts'
export { readPlan } from './read-plan.ts'
export { readSynthesis, type SynthesisOptions } from './read-synthesis.ts'
export { createTodo, type Step, type StepStatus, type Todo } from './todo.ts'
