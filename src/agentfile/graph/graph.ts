/** A workflow as it is drawn: what runs after what, and which value goes where. */
export interface Graph {
  readonly name: string
  readonly inputs: readonly InputNode[]
  /** One after the other. */
  readonly runs: readonly RunGroup[]
  readonly flows: readonly Flow[]
}

/** Ids are made here, and are plain words: no name of the file is part of one. */
export interface InputNode {
  readonly id: string
  readonly name: string
  /** As it is written: `list<string>`. */
  readonly type?: string
  readonly default?: string
}

export interface RunGroup {
  readonly id: string
  readonly name: string
  /** Its steps are repeated, at most so often: `5`, `$rounds`. */
  readonly limit?: string
  readonly steps: readonly Step[]
}

/** A goal where it runs. One that runs twice is two steps. */
export interface Step {
  readonly id: string
  readonly kind: 'goal' | 'converge'
  readonly name: string
  readonly prompt: PromptText
  /** As they are written: `summary: string`. */
  readonly outputs: readonly string[]
  readonly limit?: string
  readonly oversight: 'supervised' | 'human' | 'unsupervised'
  /** They work at the same time, before the goal. */
  readonly agents: readonly AgentNode[]
}

export interface AgentNode {
  readonly id: string
  readonly name: string
  readonly prompt: PromptText
  readonly outputs: readonly string[]
  readonly requires?: string
}

/** Of a prompt that is a file, its path. */
export interface PromptText {
  readonly kind: 'text' | 'file'
  readonly text: string
}

/** The value of a variable goes from an input or a step to a step or an agent. */
export interface Flow {
  readonly variable: string
  readonly from: string
  readonly to: string
}

/** `at most 5 times` */
export const limitText = (limit: string): string => `at most ${limit} ${limit === '1' ? 'time' : 'times'}`

export const oversightText = {
  supervised: 'supervised',
  human: 'a person decides',
  unsupervised: '',
} as const
