import type { Infer, Schema } from '../schema/schema.ts'
import type { Notation, SchemaSectionOptions } from './schema-prompt.ts'
import { schemaSection } from './schema-section.ts'
import type { Section } from './section.ts'
import { formatYaml } from './yaml/format-yaml.ts'
import { readYaml } from './yaml/read-yaml.ts'

/** A section that holds a value as YAML, where text needs no quotes and may have many lines. */
export function yamlSection<S extends Schema>(
  name: string,
  schema: S,
  options: SchemaSectionOptions = {},
): Section<Infer<S>> {
  return schemaSection(yaml, name, schema, options)
}

const yaml: Notation = { name: 'YAML', write: formatYaml, read: readYaml }
