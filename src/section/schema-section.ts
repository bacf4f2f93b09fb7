import type { Read } from '../core/read.ts'
import { limitsOf } from '../json/read-json.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import { checkName } from './check-name.ts'
import { type Notation, type SchemaSectionOptions, schemaPrompt } from './schema-prompt.ts'
import type { Section } from './section.ts'
import { shiftIssues } from './shift-issues.ts'

/** A section that holds a value, in one notation or another. */
export function schemaSection<S extends Schema>(
  notation: Notation,
  name: string,
  schema: S,
  options: SchemaSectionOptions,
): Section<Infer<S>> {
  checkName(name)
  compileSchema(schema)
  const limits = limitsOf(options.limits)
  return {
    name,
    prompt: schemaPrompt(schema, options, notation),
    read(content, offset = 0) {
      const read = notation.read(content, schema, name, limits)
      return { ...read, issues: shiftIssues(read.issues, offset) } as Read<Infer<S>>
    },
  }
}
