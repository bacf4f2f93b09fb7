import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname, resolve } from 'node:path'
import { parseYaml } from './parse-yaml.ts'
import { fileError, UsageError, type UsageErrorCode } from './usage-error.ts'

/** What a file is expected to hold, in the words of the messages about it. */
export interface FileKind {
  readonly code: UsageErrorCode
  /** As in `a schema is read from …`. */
  readonly name: string
  /** Picks what is wanted out of a module. */
  readonly pick: (module: Record<string, unknown>) => unknown
}

type Load = (file: string, kind: FileKind) => unknown

const loaders: Readonly<Record<string, Load>> = {
  '.json': (file, kind) => parsed(file, kind, JSON.parse),
  '.yaml': (file, kind) => parsed(file, kind, parseYaml),
  '.yml': (file, kind) => parsed(file, kind, parseYaml),
  '.js': fromModule,
  '.mjs': fromModule,
  '.cjs': fromModule,
  '.ts': fromModule,
  '.mts': fromModule,
  '.cts': fromModule,
}

/** What a file of the user holds: data as JSON or YAML, or what a module exports. A module is run. */
export function loadFile(file: string, kind: FileKind): unknown {
  const load = loaders[extname(file).toLowerCase()]
  if (load) return load(file, kind)
  const known = Object.keys(loaders).join(', ')
  throw new UsageError(kind.code, `${file}: ${kind.name} is read from a file that ends in one of ${known}`)
}

function parsed(file: string, kind: FileKind, parse: (text: string) => unknown): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw fileError(file, error)
  }
  try {
    return parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new UsageError(kind.code, `${file}: ${firstLine(error)}`, { cause: error })
  }
}

function fromModule(file: string, kind: FileKind): unknown {
  let module: Record<string, unknown>
  try {
    // require, which reads ES modules too: only a name that is known beforehand may stand in an import().
    module = createRequire(import.meta.url)(resolve(file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'MODULE_NOT_FOUND' && message.includes(`'${resolve(file)}'`))
      throw fileError(file, { code: 'ENOENT' })
    const problem = advice(code) ?? firstLine(error)
    throw new UsageError(kind.code, `${file}: this module cannot be loaded: ${problem}`, { cause: error })
  }
  const found = kind.pick(module)
  if (found === undefined)
    throw new UsageError(
      kind.code,
      `${file}: write \`export default\` before the ${kind.name.replace(/^an? /, '')}`,
    )
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
