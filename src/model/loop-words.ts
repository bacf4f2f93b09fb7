// What loops say to models, and how the rehearsal model knows it: in one place, so that the two stay together.
import type { Message } from './message.ts'

const UNUSABLE = 'Your last reply could not be used.'

/** What a model is told about a reply that brought nothing. */
export const complaint = (reason: string): string => `${UNUSABLE}\n${reason}`

export const isComplaint = (text: string): boolean =>
  text.trimStart().startsWith('Error:') || text.trimStart().startsWith(UNUSABLE)

const PLAN_AGAIN = 'Plan again'

/** The same about a plan that could not be carried out. */
export const planAgain = (problem: string): string =>
  `${problem}\n${PLAN_AGAIN}: only the calls that are still needed.`

export const wantsNewPlan = (text: string): boolean => text.includes(PLAN_AGAIN)

/** Stands in the place of old turns. */
export const leftOut = (count: number): Message => ({
  role: 'user',
  content: `(${count} earlier messages of this conversation were left out here to save room.)`,
})

export const summary = (text: string): Message => ({
  role: 'user',
  content: `(A summary of the earlier turns, which were left out here to save room.)\n\n${text}`,
})

export const isAboutOldTurns = (text: string): boolean =>
  /^\((?:\d+ earlier messages of this conversation|A summary of the earlier turns, which) were left out here/.test(
    text,
  )

/** Fields that a goal or an agent of a workflow has to give, one to a line. */
export const fieldsWanted = 'Respond with a JSON object containing:'

/** What several agents gave, and what is to be made of it. */
export const synthesisOf = {
  given: 'You have received outputs from multiple agents:',
  wanted: 'Synthesize these into:',
  wantedText: 'Synthesize these into one answer.',
  asJson: 'Respond as JSON.',
} as const

/** Ends a series of versions, or of rounds. */
export const CONVERGED = 'CONVERGED'

/** What is said to a model that makes version after version. How many there may be is not told: it would be used up. */
export const versionWords = {
  name: 'Version',
  first: `This is done in several versions. Write the first one. If no other could be better, write ${CONVERGED} on a line of its own behind it.`,
  given: 'This is done in several versions. These are there so far:',
  next: `Write the next version, whole. If the last one cannot be made better, reply with ${CONVERGED} and nothing else.`,
  enough: `These steps are repeated until there is nothing left to do. If that is so now, end your reply with ${CONVERGED} on a line of its own.`,
} as const
