// Apart from the rest, so that a worker without legible loads nothing of it.

export const AGENTS = 4
/** All agents, and the synthesis. */
export const QUESTIONS = AGENTS + 1

export const floorRuns = 'floor-run'
export const floorAgents = 'floor-agent'

/** Characters that the steps of a run give: as many as those of legible. */
export interface FloorRequest {
  readonly agentReply: number
  readonly synthesisReply: number
}
