export { LegibleError } from '../../core/legible-error.ts'
export type { Allowance, AskedAllowance } from './allowance.ts'
export { type Balancer, type BalancerOptions, createBalancer } from './create-balancer.ts'
export {
  createEngine,
  type Engine,
  type EngineOptions,
  type EngineRun,
  type EngineRunState,
  type EngineWait,
} from './create-engine.ts'
export { createWorker, type Worker, type WorkerOptions } from './create-worker.ts'
export { type BegunRun, type FollowedRun, type FollowOptions, followRun } from './follow-run.ts'
export type { RunNote } from './open-part.ts'
export { type RestateJournalOptions, restateJournal } from './restate-journal.ts'
export {
  hashProgram,
  type RunAbout,
  type RunEnd,
  type RunOutcome,
  type RunRequest,
  type ToolSignature,
} from './run-request.ts'
