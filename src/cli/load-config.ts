import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { closestName } from '../core/closest-name.ts'
import { formatCodeFrame } from '../core/code-frame.ts'
import { isRecord } from '../core/is-record.ts'
import type { Span } from '../core/span.ts'
import { findConfig } from './find-config.ts'
import { type FileKind, loadFile } from './load-file.ts'
import { tomlKeySpan } from './toml-key-span.ts'
import { fileError, UsageError } from './usage-error.ts'

/** What a configuration file may hold. Each key has its row in `keys`. */
export interface Config {
  /** The model to ask, as in `--model`. */
  readonly model?: string
}

interface KeyKind {
  /** What it must be, as in `model must be text`. */
  readonly must: string
  readonly fits: (value: unknown) => boolean
}

const keys: ReadonlyMap<string, KeyKind> = new Map<keyof Config, KeyKind>([
  [
    'model',
    {
      must: 'text, as in "ollama:qwen3"',
      fits: (value) => typeof value === 'string' && value.trim() !== '',
    },
  ],
])

/** The configuration that holds in a folder. Throws a UsageError when the file is not as it should be. */
export function loadConfig({ cwd }: { readonly cwd: string }): Config & { readonly file?: string } {
  const file = findConfig(cwd)
  if (file === undefined) return {}
  const config = file.endsWith('.toml') ? fromToml(file, cwd) : fromModule(file, cwd)
  return { ...config, file }
}

const kind: FileKind = {
  code: 'cli.invalid_config',
  name: 'a configuration',
  pick: (module) => module.default,
}

function fromModule(file: string, cwd: string): Config {
  const given = loadFile(resolve(cwd, file), kind)
  const problem = isRecord(given) ? checkKeys(given)[0]?.problem : 'a configuration is an object'
  if (problem !== undefined) throw new UsageError('cli.invalid_config', `${file}: ${problem}`)
  return given as Config
}

function fromToml(file: string, cwd: string): Config {
  let text: string
  try {
    text = readFileSync(resolve(cwd, file), 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    throw fileError(file, error)
  }
  const fail = (message: string, span: Span | undefined, cause?: unknown) => {
    const issue = { code: 'cli.invalid_config', severity: 'error', message, ...(span && { span }) } as const
    return new UsageError('cli.invalid_config', formatCodeFrame(text, issue, { file }), { cause })
  }
  let given: Record<string, unknown>
  try {
    given = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const at = offsetOf(text, error.line, error.column)
    throw fail(firstSentence(error.message), [at, at], error)
  }
  const [wrong] = checkKeys(given)
  if (wrong) throw fail(wrong.problem, tomlKeySpan(text, wrong.key))
  return given as Config
}

function checkKeys(given: Record<string, unknown>): { key: string; problem: string }[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const known = keys.get(key)
    if (known?.fits(value)) return []
    if (known) return { key, problem: `${key} must be ${known.must}` }
    const meant = closestName(key, keys.keys())
    const names = [...keys.keys()].join(', ')
    const advice = meant ? `did you mean ${meant}?` : `the keys are: ${names}`
    return { key, problem: `there is no key ${JSON.stringify(key)}; ${advice}` }
  })
}

/** The message of smol-toml goes on with a frame of its own. */
const firstSentence = (message: string) => message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '')

function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  for (let i = 1; i < line; i++) start = text.indexOf('\n', start) + 1
  return start + column - 1
}
