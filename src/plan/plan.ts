/** A tool call that a plan asks for, as it stands there: neither its tool nor its arguments are checked. */
export interface PlannedCall {
  readonly callId: string
  readonly toolName: string
  readonly arguments: unknown
}

/** What a planning reply says. What it does not say is absent. */
export interface Plan {
  readonly title?: string
  readonly intent?: string
  readonly plan?: string
  /** Empty when the part is there but nothing in it is usable; absent when the part is absent. */
  readonly toolCalls?: readonly PlannedCall[]
  /** What the model thought, blocks joined by a line with three dashes. */
  readonly thoughts?: string
}

/** The parts of a planning reply, as models are told to write them. */
export const planParts = ['Title', 'Intent', 'Plan', 'Tool Calls'] as const
export type PlanPart = (typeof planParts)[number]

const fields = { Title: 'title', Intent: 'intent', Plan: 'plan' } as const
export type TextField = (typeof fields)[keyof typeof fields]

export const textField = (part: Exclude<PlanPart, 'Tool Calls'>): TextField => fields[part]
