import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'

/** How a run is shown while it is carried out: a tree, lines, or events for programs. */
export interface RunShow {
  event(event: WorkflowEvent): void
  end(outcome: WorkflowOutcome): void
  close(): void
}
