import type { Read } from '../core/read.ts'
import { readJson } from '../json/read-json.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import { checkName } from './check-name.ts'
import { sectionIssues } from './issues.ts'
import { type Notation, type SchemaSectionOptions, schemaPrompt } from './schema-prompt.ts'
import type { Section } from './section.ts'
import { shiftIssues } from './shift-issues.ts'

/** A section that holds a value as JSON. */
export function jsonSection<S extends Schema>(
  name: string,
  schema: S,
  options: SchemaSectionOptions = {},
): Section<Infer<S>> {
  checkName(name)
  compileSchema(schema)
  const prompt = schemaPrompt(schema, options, json)
  return {
    name,
    prompt,
    read: (content, offset = 0) => readJsonContent(content, schema, name, offset),
  }
}

const json: Notation = {
  name: 'JSON',
  write: (value) => JSON.stringify(value, null, 2),
  read: readJson,
}

/** `readJson`, for the content of a section. */
function readJsonContent<S extends Schema>(
  content: string,
  schema: S,
  section: string,
  offset: number,
): Read<Infer<S>> {
  const read = readJson(content, schema)
  const issues = read.issues.map((issue) =>
    issue.code === 'json.not_found'
      ? sectionIssues.issue('invalid_json', { section }, { span: issue.span })
      : issue,
  )
  return { ...read, issues: shiftIssues(issues, offset) } as Read<Infer<S>>
}
