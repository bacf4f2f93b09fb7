import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, resolve } from 'node:path'
import { LegibleError } from '../core/legible-error.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { isStandardSchema, type Schema } from '../schema/schema.ts'
import { parseYaml } from './parse-yaml.ts'
import { fileError, UsageError } from './usage-error.ts'

const loaders: Readonly<Record<string, (file: string) => unknown>> = {
  '.json': (file) => parsed(file, JSON.parse),
  '.yaml': (file) => parsed(file, parseYaml),
  '.yml': (file) => parsed(file, parseYaml),
  '.js': defaultExport,
  '.mjs': defaultExport,
  '.cjs': defaultExport,
  '.ts': defaultExport,
  '.mts': defaultExport,
}

/** The schema in a file: JSON Schema as JSON or YAML, or whatever schema a module exports as its default. */
export function loadSchema(file: string): Schema {
  const load = loaders[extname(file).toLowerCase()]
  if (!load) {
    const known = Object.keys(loaders).join(', ')
    throw new UsageError(`${file}: a schema is read from a file that ends in one of ${known}`)
  }
  const schema = load(file) as Schema
  try {
    compileSchema(schema)
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError(`${file}: ${error.message}`, { cause: error })
  }
  return schema
}

function parsed(file: string, parse: (text: string) => unknown): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw fileError(file, error)
  }
  try {
    return parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new UsageError(`${file}: ${firstLine(error)}`, { cause: error })
  }
}

function defaultExport(file: string): unknown {
  let module: { default?: unknown }
  try {
    // require, which reads ES modules too: only a name that is known beforehand may stand in an import().
    module = createRequire(import.meta.url)(resolve(file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'MODULE_NOT_FOUND' && message.includes(`'${resolve(file)}'`))
      throw fileError(file, { code: 'ENOENT' })
    throw new UsageError(`${file}: this module cannot be loaded: ${advice(code) ?? firstLine(error)}`, {
      cause: error,
    })
  }
  const found = isStandardSchema(module) ? module : module?.default
  if (found === undefined) throw new UsageError(`${file}: write \`export default\` before the schema`)
  return found
}

function advice(code: string | undefined): string | undefined {
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return 'TypeScript needs Node 22.18 or newer'
  if (code === 'ERR_REQUIRE_ASYNC_MODULE') return 'it must not wait (top-level await) before it exports'
  return undefined
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n', 1)[0]?.replace(/:$/, '') ?? ''
}
