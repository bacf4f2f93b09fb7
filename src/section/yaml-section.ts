import type { Read } from '../core/read.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import { checkName } from './check-name.ts'
import { type Notation, type SchemaSectionOptions, schemaPrompt } from './schema-prompt.ts'
import type { Section } from './section.ts'
import { shiftIssues } from './shift-issues.ts'
import { formatYaml } from './yaml/format-yaml.ts'
import { readYaml } from './yaml/read-yaml.ts'

/** A section that holds a value as YAML, where text needs no quotes and may have many lines. */
export function yamlSection<S extends Schema>(
  name: string,
  schema: S,
  options: SchemaSectionOptions = {},
): Section<Infer<S>> {
  checkName(name)
  compileSchema(schema)
  const prompt = schemaPrompt(schema, options, yaml)
  return {
    name,
    prompt,
    read(content, offset = 0) {
      const read = readYaml(content, schema, name)
      return { ...read, issues: shiftIssues(read.issues, offset) } as Read<Infer<S>>
    },
  }
}

const yaml: Notation = {
  name: 'YAML',
  write: (value) => formatYaml(value),
  read: (content, schema) => readYaml(content, schema, 'example'),
}
