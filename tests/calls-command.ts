// The command `legible calls` as people get it, in a folder of its own with a file of tools: for the tests of it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { root } from '../scripts/entries.ts'

export const main = join(root, 'dist/cli/main.js')
const { FORCE_COLOR, NO_COLOR, ...rest } = process.env
export const plain = rest
export const folder = mkdtempSync(join(tmpdir(), 'legible-calls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

export const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return name
}

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
}
export const weather = { name: 'weather', description: 'The weather.', parameters: schema }

interface RunOptions {
  readonly input?: string | Uint8Array
  readonly env?: NodeJS.ProcessEnv
  readonly program?: string
}

/** Runs `legible calls …` in the folder of the test. */
export function calls(args: string[], { input = '', env = {}, program = main }: RunOptions = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'calls', ...args], {
    cwd: folder,
    env: { ...plain, ...env },
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, stdout, stderr }
}

export const call = (city: string, more = '') =>
  `<tool_call>\n{"name": "weather", "arguments": {"city": "${city}"${more}}}\n</tool_call>`
export const row = (id: unknown, raw: string, more: object = {}) =>
  `${JSON.stringify({ id, raw, ...more })}\n`
export const lines = (output: string) =>
  output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

file('tools.json', JSON.stringify([weather]))
