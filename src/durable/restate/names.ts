/** What our services are called at the engine, and what they keep there. */
export const runService = 'legible-run'
export const branchService = 'legible-agent'
export const budgetService = 'legible-budget'

/** The key of a branch: any client finds the run that it belongs to. */
export const branchKey = (runId: string, path: string): string => `${runId}/${path}`

/** Names of state. What is kept of steps stands under `step/` and the key of the step. */
export const stateNames = {
  about: 'about',
  program: 'program',
  end: 'end',
  step: (key: string) => `step/${key}`,
  wait: (name: string) => `wait/${name}`,
} as const
