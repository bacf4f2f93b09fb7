import { fieldsWanted, synthesisOf } from '../../model/loop-words.ts'
import { exampleOf } from '../../schema/example-of.ts'
import type { Schema } from '../../schema/schema.ts'
import { markdown } from '../../text/markdown.ts'
import { valueText } from './interpolate.ts'
import { isDuration, type Output, type Value } from './program.ts'

/** The fields that outputs are, as one schema: all of them are required. */
export function schemaOfOutputs(outputs: readonly Output[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(outputs.map(({ name, schema }) => [name, schema])),
    required: outputs.map(({ name }) => name),
  } as Schema
}

/** What a model is told about the fields that are wanted of it. The same outputs give the same bytes. */
export function describeOutputs(outputs: readonly Output[]): string {
  return `${fieldsWanted}\n${listOf(outputs)}${exampleText(outputs)}`
}

const listOf = (outputs: readonly Output[]): string =>
  outputs.map(({ name, type }) => `- ${name}${type ? `: ${type}` : ''}`).join('\n')

/** Types are shown by an example, too. Names alone say enough. */
function exampleText(outputs: readonly Output[]): string {
  if (!outputs.some(({ type }) => type)) return ''
  const example = exampleOf(schemaOfOutputs(outputs)) as Record<string, unknown>
  // As people write them, which is how they are asked for.
  for (const { name, schema } of outputs) if (isDuration(schema)) example[name] = '1h30m'
  return `\n\nFor example:\n${JSON.stringify(example)}`
}

/** What an agent has come to. */
export interface Contribution {
  readonly agent: string
  /** Absent: the agent has no outputs, and its words are what it gives. */
  readonly values?: Readonly<Record<string, Value>> | undefined
  readonly text: string
  /** Stands before its fields. */
  readonly note?: string
}

/**
 * The contributions of agents, and what is to be made of them. A contribution cannot pass itself off as that of another
 * agent: lines that look like the header of one are written with a backslash.
 */
export function describeSynthesis(
  contributions: readonly Contribution[],
  outputs: readonly Output[],
): string {
  const sections = contributions.map(({ agent, values, text, note }) => ({
    name: agent,
    content: values ? [note, fieldLines(values)].filter(Boolean).join('\n') : text.trim(),
  }))
  const shown = markdown({ level: 2 }).formatSections(sections)
  if (outputs.length === 0) return `${synthesisOf.given}\n\n${shown}\n\n${synthesisOf.wantedText}`
  return `${synthesisOf.given}\n\n${shown}\n\n${synthesisOf.wanted}\n${listOf(outputs)}${exampleText(outputs)}\n\n${synthesisOf.asJson}`
}

/** Lines of a value are indented, so that none of them looks like another field. */
const fieldLines = (values: Readonly<Record<string, Value>>): string =>
  Object.entries(values)
    .map(([name, value]) => `- ${name}: ${valueText(value).replaceAll('\n', '\n  ')}`)
    .join('\n')
