import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { closestName } from '../core/closest-name.ts'
import { formatCodeFrame } from '../core/code-frame.ts'
import { isRecord } from '../core/is-record.ts'
import type { Span } from '../core/span.ts'
import { type EngineName, engineNames, isAddress } from './engine-options.ts'
import { findConfig } from './find-config.ts'
import { type FileKind, loadFile } from './load-file.ts'
import { tomlKeySpan } from './toml-key-span.ts'
import { fileError, UsageError } from './usage-error.ts'

/** What a configuration file may hold. Each key has its row in `keys`. */
export interface Config {
  /** The model to ask, as in `--model`. */
  readonly model?: string
  /** The models of profiles, as REQUIRES of an Agentfile names them. */
  readonly profiles?: Readonly<Record<string, string>>
  /** The tools of workflows, as in `--tools`. */
  readonly tools?: readonly string[]
  /** Whether models of workflows may spawn agents. */
  readonly spawn?: boolean
  /** What a run of a workflow may use. */
  readonly limits?: {
    readonly turns?: number
    readonly tokens?: number
    readonly cost?: number
    /** Seconds. */
    readonly time?: number
    readonly concurrency?: number
  }
  /** What each goal may use. */
  readonly goalLimits?: { readonly iterations?: number; readonly calls?: number; readonly tokens?: number }
  /** Per million tokens. */
  readonly prices?: { readonly input: number; readonly output: number }
  /** Where runs are carried out: `local` or `restate`. */
  readonly engine?: EngineName
  /** The addresses of the engine. */
  readonly restate?: { readonly ingress?: string; readonly admin?: string }
}

interface KeyKind {
  /** What it must be, as in `model must be text`. */
  readonly must: string
  readonly fits: (value: unknown) => boolean
  /** Of a table: the keys that it may have. */
  readonly keys?: ReadonlyMap<string, KeyKind>
}

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const text: KeyKind = { must: 'text, as in "ollama:qwen3"', fits: isText }
const count: KeyKind = {
  must: 'a whole number, 1 or more',
  fits: (value) => Number.isInteger(value) && (value as number) > 0,
}
const amount: KeyKind = {
  must: 'a number above 0',
  fits: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
}
const price: KeyKind = {
  must: 'a number, 0 or more',
  fits: (value) => typeof value === 'number' && value >= 0,
}
const address: KeyKind = {
  must: 'an address, as in "http://127.0.0.1:8080"',
  fits: (value) => typeof value === 'string' && isAddress(value),
}
const table = (keys: Record<string, KeyKind>): KeyKind => ({
  must: 'a table',
  fits: isRecord,
  keys: new Map(Object.entries(keys)),
})

const keys: ReadonlyMap<string, KeyKind> = new Map<keyof Config, KeyKind>([
  ['model', text],
  [
    'profiles',
    {
      must: 'a table of models, as in { fast = "ollama:qwen3" }',
      fits: (value) => isRecord(value) && Object.values(value).every(isText),
    },
  ],
  [
    'tools',
    {
      must: 'a list of texts, as in ["fs", "tools.ts"]',
      fits: (value) => Array.isArray(value) && value.every(isText),
    },
  ],
  ['spawn', { must: 'true or false', fits: (value) => typeof value === 'boolean' }],
  ['limits', table({ turns: count, tokens: count, cost: amount, time: amount, concurrency: count })],
  ['goalLimits', table({ iterations: count, calls: count, tokens: count })],
  ['prices', table({ input: price, output: price })],
  ['engine', { must: engineNames.join(' or '), fits: (value) => engineNames.some((name) => name === value) }],
  ['restate', table({ ingress: address, admin: address })],
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

function checkKeys(
  given: Record<string, unknown>,
  known = keys,
  within = '',
): { key: string; problem: string }[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const kind = known.get(key)
    const name = `${within}${key}`
    // The place is that of the table: there its keys are found.
    const place = within === '' ? key : within.slice(0, -1)
    if (kind?.fits(value)) {
      const inner = kind.keys ? checkKeys(value as Record<string, unknown>, kind.keys, `${name}.`) : []
      return inner
    }
    if (kind) return { key: place, problem: `${name} must be ${kind.must}` }
    const meant = closestName(key, known.keys())
    const names = [...known.keys()].join(', ')
    const advice = meant ? `did you mean ${meant}?` : `the keys are: ${names}`
    return { key: place, problem: `there is no key ${JSON.stringify(name)}; ${advice}` }
  })
}

/** The message of smol-toml goes on with a frame of its own. */
const firstSentence = (message: string) => message.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '')

function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  for (let i = 1; i < line; i++) start = text.indexOf('\n', start) + 1
  return start + column - 1
}
