// The workflows in examples/ and the sessions in docs/agentfile are carried out by the command itself, offline, each in a folder
// of its own.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Schema, Validator } from '@cfworker/json-schema'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { type Program, programOf } from '../src/agentfile/run/program.ts'
import type { Agentfile } from '../src/agentfile/syntax/agentfile.ts'
import { readWithFiles } from '../src/cli/agentfile-files.ts'
import { playSessions } from './shell-sessions.ts'

// Starting the command takes a while on a machine that has other things to do.
vi.setConfig({ testTimeout: 120_000 })

const main = join(root, 'dist/cli/main.js')
// Within the package, so that tools can import it by its name; ignored by git.
mkdirSync(join(root, 'coverage'), { recursive: true })
const top = mkdtempSync(join(root, 'coverage/examples-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const { FORCE_COLOR, NO_COLOR, LEGIBLE_MODEL, ...rest } = process.env
const env = { ...rest, LEGIBLE_STATE: join(top, 'state') }

async function start(command: string, args: readonly string[], cwd: string) {
  const child = spawn(command, args, { cwd, env })
  child.stdin.end()
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status: status as number, stdout, stderr }
}

const legible = (cwd: string, ...args: string[]) => start(process.execPath, [main, ...args], cwd)

/** A git repository with some commits. */
function repository(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  const who = ['user.name=a', 'user.email=a@example.com', 'commit.gpgsign=false'].flatMap((one) => [
    '-c',
    one,
  ])
  git('init', '--quiet')
  for (const subject of ['Begin', 'Add a lamp', 'Mend the lamp'])
    git(...who, 'commit', '--quiet', '--allow-empty', '-m', subject)
}

interface Example {
  readonly inputs?: Readonly<Record<string, string>>
  readonly options?: readonly string[]
  readonly prepare?: (folder: string) => void
  /** It waits for a person before it is completed. */
  readonly waits?: true
  /** What must have been called. */
  readonly calls?: string
}

const examples: Readonly<Record<string, Example>> = {
  'draft.agent': {},
  'invoice.agent': { inputs: { text: 'Invoice 7 of Lamp & Co.\n2 lamps at 12.50: 25.00' } },
  'proposal/proposal.agent': { inputs: { proposal: '@proposal.txt' } },
  'release-notes/release-notes.agent': {
    inputs: { since: 'HEAD~2' },
    options: ['--tools', 'tools.ts'],
    prepare: repository,
    calls: 'Mend the lamp',
  },
  'research.agent': {},
  'review.agent': { inputs: { diff: '-const a = 1\n+const a = 2' } },
  'triage.agent': { inputs: { message: 'The lamp is broken. I want my money back.' }, waits: true },
}

test('all examples are tried', () => {
  expect(globSync('**/*.agent', { cwd: join(root, 'examples') }).sort()).toEqual(Object.keys(examples))
})

test('all are as they should be written', async () => {
  const [check, fmt] = await Promise.all([
    legible(root, 'check', '--strict', 'examples'),
    legible(root, 'fmt', '--check', 'examples'),
  ])
  expect(check.stderr).toBe(`${Object.keys(examples).length} files, no issues\n`)
  expect(check.status).toBe(0)
  expect(fmt).toEqual({ status: 0, stdout: '', stderr: '' })
})

describe.concurrent.each(Object.entries(examples))(
  '%s',
  (file, { inputs = {}, options = [], prepare, waits, calls }) => {
    const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`])

    test('can be drawn and explained', async () => {
      const path = join(root, 'examples', file)
      const folder = mkdtempSync(join(top, 'look-'))
      const [graph, explain] = await Promise.all([
        legible(folder, 'graph', path),
        legible(folder, 'explain', path),
      ])
      expect([graph.status, explain.status]).toEqual([0, 0])
      for (const { name } of programAt(path).goals) {
        expect(graph.stdout).toMatch(new RegExp(`goal\\d+.*\\b${name}\\b`))
        expect(explain.stdout).toMatch(new RegExp(`^main/${name}\\b`, 'm'))
      }
      expect(existsSync(join(folder, '.legible'))).toBe(false)
    })

    test('runs, and gives what it says', async () => {
      const folder = mkdtempSync(join(top, 'run-'))
      // An example in a folder of its own has files beside it.
      const [from, to] = file.includes('/') ? [dirname(file), ''] : [file, file]
      cpSync(join(root, 'examples', from), join(folder, to), { recursive: true })
      prepare?.(folder)
      const name = basename(file)
      let run = await legible(folder, 'run', name, ...given, ...options, '--json')
      if (waits) {
        expect(outcomeOf(run)).toMatchObject({ status: 6, kind: 'suspended' })
        expect((await legible(folder, 'replay')).stdout).toMatch(/: nothing differs\n$/)
        expect((await legible(folder, 'approve')).status).toBe(0)
        run = await legible(folder, 'resume', '--json')
      }
      const { status, kind, variables } = outcomeOf(run)
      expect({ status, kind }).toEqual({ status: 0, kind: 'completed' })
      const { goals, inputs: declared } = programAt(join(folder, name))
      const outputs = goals.flatMap((goal) => goal.outputs)
      expect(Object.keys(variables).sort()).toEqual([...declared, ...outputs].map((one) => one.name).sort())
      for (const { name, schema } of outputs)
        expect(new Validator(schema as Schema).validate(variables[name]).errors).toEqual([])
      if (calls) expect(run.stdout).toContain(calls)
      const replay = await legible(folder, 'replay')
      expect(replay.stdout).toMatch(/^run [\da-f]{8}: nothing differs\n$/)
      expect(replay.status).toBe(0)
    })
  },
)

interface Ended {
  readonly kind: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** The last line says how it ended. */
function outcomeOf({ status, stdout, stderr }: { status: number; stdout: string; stderr: string }) {
  expect(stderr).toBe('')
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string) as Ended
  return { status, ...last }
}

function programAt(path: string): Program {
  const { read, files } = readWithFiles(path, { text: readFileSync(path, 'utf8') })
  return programOf(read.value as Agentfile, files)
}

describe.concurrent.each(['tutorial', 'running'])('docs/agentfile/%s.md', (document) => {
  test('prints what it shows', async () => {
    const folder = mkdtempSync(join(top, `${document}-`))
    expect(await playSessions(join(root, `docs/agentfile/${document}.md`), folder, env)).toBeGreaterThan(0)
  })
})
