import { LegibleError } from '../core/legible-error.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { isStandardSchema, type Schema } from '../schema/schema.ts'
import { type FileKind, loadFile } from './load-file.ts'
import { UsageError } from './usage-error.ts'

const kind: FileKind = {
  code: 'cli.invalid_schema',
  name: 'a schema',
  pick: (module) => (isStandardSchema(module) ? module : module?.default),
}

/** The schema in a file: JSON Schema as JSON or YAML, or whatever schema a module exports as its default. */
export function loadSchema(file: string): Schema {
  const schema = loadFile(file, kind) as Schema
  try {
    compileSchema(schema)
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError(kind.code, `${file}: ${error.message}`, { cause: error })
  }
  return schema
}
