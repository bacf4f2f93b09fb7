import type { RequestedCall } from '../tool/tool.ts'

/** A call of a plan. */
export interface PlannedCall extends RequestedCall {
  /** The ids of the calls that must be done before it: those it names, and those whose results it uses. Never empty. */
  readonly dependsOn?: readonly string[]
}

/** What a planning reply says. What it does not say is absent. */
export interface Plan {
  readonly title?: string
  readonly intent?: string
  readonly plan?: string
  /**
   * As they stand there: neither their tools nor their arguments are checked. Empty when the part is there but nothing
   * in it is usable; absent when the part is absent.
   */
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
