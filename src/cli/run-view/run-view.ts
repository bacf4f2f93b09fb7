import type { Program, Value } from '../../agentfile/run/program.ts'
import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'

/** How a run is shown to people. */
export interface RunView {
  show(event: WorkflowEvent): void
  /** Somebody is asked something: nothing is written until `resume`, which is needed as often. */
  pause(): void
  resume(): void
  end(outcome: WorkflowOutcome): void
  /** Gives the terminal back. Without `end` before it, what was to be seen stays. */
  close(): void
}

export interface RunViewOptions {
  readonly output: NodeJS.WriteStream
  readonly color: boolean
  /** A tree that is drawn again while it grows: for terminals. Otherwise a line for each thing that happens. */
  readonly live: boolean
  readonly program: Program
  readonly inputs?: Readonly<Record<string, Value>>
  readonly runId: string
  /** What is typed behind commands about the run; its id unless said otherwise. */
  readonly typed?: string
  readonly model: string
  /** No language model: the one that rehearses. */
  readonly isRehearsal: boolean
  /** How to have a real one; `see --model` unless said otherwise. */
  readonly advice?: string
  readonly now?: () => number
}
