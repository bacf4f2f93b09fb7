import { readJson } from '../json/read-json.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import { sectionIssues } from './issues.ts'
import type { Notation, SchemaSectionOptions } from './schema-prompt.ts'
import { schemaSection } from './schema-section.ts'
import type { Section } from './section.ts'

/** A section that holds a value as JSON. */
export function jsonSection<S extends Schema>(
  name: string,
  schema: S,
  options: SchemaSectionOptions = {},
): Section<Infer<S>> {
  return schemaSection(json, name, schema, options)
}

const json: Notation = {
  name: 'JSON',
  write: (value) => JSON.stringify(value, null, 2),
  read(content, schema, section, limits) {
    const read = readJson(content, schema, { limits })
    const issues = read.issues.map((issue) =>
      issue.code === 'json.not_found'
        ? sectionIssues.issue('invalid_json', { section }, { span: issue.span })
        : issue,
    )
    return { ...read, issues }
  },
}
