import { LegibleError } from '../core/legible-error.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { Read } from '../core/read.ts'
import { type DescribeSchemaOptions, describeFields, describeSchema } from '../schema/describe-schema.ts'
import { exampleOf } from '../schema/example-of.ts'
import type { Schema } from '../schema/schema.ts'

export interface SchemaSectionOptions {
  /** What the section is for; the schema and an example come after it. */
  readonly prompt?: string
  /** A value as the model should write it; one is made from the schema unless it is given. `false`: none. */
  readonly example?: unknown
  /** How the schema is told; see `describeSchema`. */
  readonly style?: NonNullable<DescribeSchemaOptions['style']>
  /** What to bound; the rest is as in `defaultLimits`. */
  readonly limits?: Partial<Limits>
}

/** How a value stands in a section of this kind. */
export interface Notation {
  readonly name: 'JSON' | 'YAML'
  write(value: unknown): string
  read(content: string, schema: Schema, section: string, limits: Limits): Read<unknown>
}

/** What a model is told about a section that holds a value. */
export function schemaPrompt(schema: Schema, options: SchemaSectionOptions, notation: Notation): string {
  const { prompt, style = 'compact' } = options
  const parts = prompt ? [prompt] : []
  if (style !== 'example') parts.push(describeSchema(schema, { style }).replace(/^JSON/, notation.name))
  const example = options.example === undefined ? exampleOf(schema) : options.example
  if (options.example !== undefined && example !== false) checkExample(example, schema, notation)
  if (style === 'example' || options.example !== false) {
    const shown = example === false ? exampleOf(schema) : example
    parts.push(
      `${style === 'example' ? `${notation.name} like this example` : 'Example'}:\n${notation.write(shown)}`,
    )
  }
  // The example comes in the notation of the section; what is known about each field is the same in all of them.
  const fields = style === 'example' ? describeFields(schema) : ''
  if (fields) parts.push(`where\n${fields}`)
  return parts.join('\n')
}

/** A prompt must not teach what would be refused. */
function checkExample(example: unknown, schema: Schema, notation: Notation): void {
  const read = notation.read(notation.write(example), schema, 'example', defaultLimits)
  if (read.ok) return
  const problem = read.issues.find((issue) => issue.severity === 'error')?.message
  throw new LegibleError(
    'section.invalid_example',
    `The example does not fit the schema of its section: ${problem}`,
  )
}
