import type { AgentEvent } from '../../agent/event.ts'
import type { Usage } from '../../model/usage.ts'
import type { Value } from './program.ts'

/** Who works on something: the goal itself, one of its agents, what joins their work, who was spawned, who watches. */
export type Role = 'goal' | 'agent' | 'synthesis' | 'spawn' | 'supervisor'

/** Where in a run: `main/research/critic`. */
export type Path = string

/** What happens in a run of a workflow, in the order in which it happens. */
export type WorkflowEvent =
  | { readonly type: 'goal-start'; readonly path: Path; readonly goal: string; readonly iteration?: number }
  | {
      readonly type: 'goal-end'
      readonly path: Path
      readonly goal: string
      readonly text: string
      readonly values: Readonly<Record<string, Value>>
    }
  | {
      readonly type: 'worker-start'
      readonly path: Path
      readonly role: Role
      readonly name: string
      readonly model: string
    }
  /** What happens in the conversation of one of them. */
  | { readonly type: 'worker-event'; readonly path: Path; readonly event: AgentEvent }
  | {
      readonly type: 'worker-end'
      readonly path: Path
      readonly role: Role
      readonly name: string
      readonly text: string
      readonly values?: Readonly<Record<string, Value>>
      /** It says that nothing is left to do. */
      readonly converged?: boolean
      readonly usage: Usage
    }
  | {
      readonly type: 'worker-failed'
      readonly path: Path
      readonly role: Role
      readonly name: string
      readonly reason: string
    }
  /** What was said about a goal that is watched. */
  | {
      readonly type: 'judgement'
      readonly path: Path
      readonly goal: string
      readonly judgement: Judgement
      readonly by: 'model' | 'person'
    }
  /** A goal came to its limit without converging; its last version counts. */
  | {
      readonly type: 'not-converged'
      readonly path: Path
      readonly goal: string
      readonly iterations: number
    }

/** What a supervisor says: go on, do it again with a correction, or stop here. */
export type Judgement =
  | { readonly kind: 'continue' }
  | { readonly kind: 'reorient'; readonly correction: string }
  | { readonly kind: 'pause'; readonly reason: string }
