import { isRecord } from '../../core/is-record.ts'
import type { Agentfile, Field, Prompt, Type } from '../syntax/agentfile.ts'
import { type PromptFiles, promptFile } from '../syntax/prompt-file.ts'
import { ownOversight, workflowOf } from '../syntax/workflow-of.ts'

/** A field that a model is asked for. */
export type Output = {
  readonly name: string
  /** As in the file: `list<string>`. Absent: any value. */
  readonly type?: string
  /** The same as JSON Schema; `true` without a type. */
  readonly schema: OutputSchema
}

/** Plain data: it travels with a run. */
export type OutputSchema = true | { readonly [key: string]: OutputJson }
type OutputJson = string | boolean | number | readonly OutputJson[] | { readonly [key: string]: OutputJson }

export type Oversight = 'supervised' | 'human' | 'unsupervised'

export type AgentNode = {
  readonly name: string
  readonly prompt: string
  readonly outputs: readonly Output[]
  /** The profile of the model. */
  readonly requires?: string
}

export type GoalNode = {
  readonly name: string
  readonly prompt: string
  readonly outputs: readonly Output[]
  readonly using: readonly string[]
  /** It is repeated until it converges, at most so often: a number, or the name of a variable. */
  readonly within?: number | string
  /** Absent: as the RUN says, or the file. */
  readonly oversight?: Oversight
}

export type RunNode = {
  /** For goals that say nothing else. */
  readonly oversight?: Oversight
  readonly name: string
  readonly using: readonly string[]
  readonly within?: number | string
}

export type InputNode = {
  readonly name: string
  readonly schema: OutputSchema
  readonly default?: Value
}

/**
 * What a run carries out: a workflow with its prompt files in it. Plain data, so that a run can keep the program that it
 * was started with, wherever it goes on.
 */
export type Program = {
  readonly name: string
  readonly inputs: readonly InputNode[]
  readonly agents: readonly AgentNode[]
  readonly goals: readonly GoalNode[]
  readonly runs: readonly RunNode[]
  /** For goals of which neither they nor their RUN say anything. */
  readonly oversight?: Oversight
  readonly security?: { readonly mode: string; readonly scope?: string }
}

/** Whether something that comes from elsewhere has the form of a program. */
export function isProgram(value: unknown): value is Program {
  if (!isRecord(value) || typeof value.name !== 'string') return false
  const { inputs, agents, goals, runs } = value
  return [inputs, agents, goals, runs].every((list) => Array.isArray(list) && list.every(isRecord))
}

/** The value of a variable. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

/** The program of a file that was read and is ok. */
export function programOf(file: Agentfile, files: PromptFiles = () => undefined): Program {
  const { name, inputs, agents, goals, runs, supervision, security } = workflowOf(file)
  const textOf = (prompt: Prompt) =>
    prompt.kind === 'text' ? prompt.text : (promptFile(prompt.path, files)?.text ?? '').trim()
  return {
    name: name ?? 'workflow',
    inputs: [...inputs.values()].map((input) => ({
      name: input.name.text,
      schema: schemaOf(input.type),
      ...(input.default && { default: input.default.value as Value }),
    })),
    agents: [...agents.values()].map(({ name, prompt, outputs, requires }) => ({
      name: name.text,
      prompt: textOf(prompt),
      outputs: outputs.map(outputOf),
      ...(requires && { requires: requires.text }),
    })),
    goals: [...goals.values()].map((goal) => ({
      name: goal.name.text,
      prompt: textOf(goal.prompt),
      outputs: goal.outputs.map(outputOf),
      using: goal.using.map(({ text }) => text),
      ...(goal.kind === 'converge' && { within: limitOf(goal.within) }),
      ...withOversight(ownOversight({ agents }, goal)),
    })),
    runs: runs.map(({ name, using, within, supervision: watched }) => ({
      ...withOversight(watched?.mode),
      name: name.text,
      using: using.map(({ text }) => text),
      ...(within && { within: limitOf(within) }),
    })),
    ...withOversight(supervision?.mode),
    ...(security && {
      security: { mode: security.mode.text, ...(security.scope && { scope: security.scope.text }) },
    }),
  }
}

const withOversight = (oversight: Oversight | undefined) => (oversight ? { oversight } : {})

const limitOf = (limit: { kind: 'number'; value: number } | { kind: 'variable'; name: string }) =>
  limit.kind === 'number' ? limit.value : limit.name

const outputOf = ({ name, type }: Field): Output => ({
  name: name.text,
  ...(type && { type: typeText(type) }),
  schema: schemaOf(type),
})

/** Milliseconds, that people write as 1h30m. */
export const isDuration = (schema: OutputSchema): boolean => schema !== true && schema.format === 'duration'

function schemaOf(type: Type | undefined): OutputSchema {
  if (!type) return true
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return { type: type.kind }
    case 'date':
      return { type: 'string', format: 'date' }
    case 'duration':
      return { type: 'number', format: 'duration' }
    case 'enum':
      return { enum: type.values }
    case 'list':
      return { type: 'array', items: schemaOf(type.of) }
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(type.fields.map((field) => [field.name.text, schemaOf(field.type)])),
        required: type.fields.map((field) => field.name.text),
      }
  }
}

/** As one would write it. */
function typeText(type: Type): string {
  switch (type.kind) {
    case 'list':
      return `list<${typeText(type.of)}>`
    case 'object': {
      const fields = type.fields.map((field) =>
        field.type ? `${field.name.text}: ${typeText(field.type)}` : field.name.text,
      )
      return `{${fields.join(', ')}}`
    }
    case 'enum':
      return `one of ${type.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'date':
      return 'date (YYYY-MM-DD)'
    case 'duration':
      return 'duration, such as "1h30m"'
    default:
      return type.kind
  }
}
