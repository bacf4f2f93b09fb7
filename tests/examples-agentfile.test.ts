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
import { afterAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { type Output, type Program, programOf } from '../src/agentfile/run/program.ts'
import { schemaOfOutputs } from '../src/agentfile/run/prompts.ts'
import type { Agentfile } from '../src/agentfile/syntax/agentfile.ts'
import { readWithFiles } from '../src/cli/agentfile-files.ts'
import { compileSchema } from '../src/schema/compile-schema.ts'

// Starting the command takes a while on a machine that has other things to do.
vi.setConfig({ testTimeout: 60_000 })

const main = join(root, 'dist/cli/main.js')
// Within the package, so that tools can import it by its name; ignored by git.
mkdirSync(join(root, 'coverage'), { recursive: true })
const top = mkdtempSync(join(root, 'coverage/examples-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const { FORCE_COLOR, NO_COLOR, LEGIBLE_MODEL, ...rest } = process.env
const env = { ...rest, LEGIBLE_STATE: join(top, 'state') }

async function legible(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { cwd, env })
  child.stdin.end()
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status: status as number, stdout, stderr }
}

/** A git repository with some commits. */
function repository(folder: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
  git('init', '--quiet')
  for (const subject of ['Begin', 'Add a lamp', 'Mend the lamp'])
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '-m', subject)
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

describe.each(Object.entries(examples))('%s', (file, { inputs = {}, options = [], prepare, waits, calls }) => {
  const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`])

  test('is as it should be written, and can be drawn and explained', async () => {
    const path = join(root, 'examples', file)
    const folder = mkdtempSync(join(top, 'look-'))
    const [check, fmt, graph, explain] = await Promise.all([
      legible(folder, 'check', '--strict', path),
      legible(folder, 'fmt', '--check', path),
      legible(folder, 'graph', path),
      legible(folder, 'explain', path),
    ])
    expect(check).toEqual({ status: 0, stdout: '', stderr: '1 file, no issues\n' })
    expect(fmt).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(graph.status).toBe(0)
    expect(explain.status).toBe(0)
    const { goals } = programAt(path)
    for (const { name } of goals) {
      expect(graph.stdout).toContain(name)
      expect(explain.stdout).toMatch(new RegExp(`^main/${name}\\b`, 'm'))
    }
    expect(existsSync(join(folder, '.legible'))).toBe(false)
  })

  test('runs, and gives what it says', async () => {
    const folder = mkdtempSync(join(top, 'run-'))
    const beside = dirname(file)
    cpSync(join(root, 'examples', beside === '.' ? file : beside), join(folder, beside === '.' ? file : ''), {
      recursive: true,
    })
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
    for (const output of outputs) expect(problemsOf(output, variables[output.name])).toEqual([])
    if (calls) expect(run.stdout).toContain(calls)
    const replay = await legible(folder, 'replay')
    expect(replay.stdout).toMatch(/^run [\da-f]{8}: nothing differs\n$/)
    expect(replay.status).toBe(0)
  })
})

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
  const { read, files } = readWithFiles(path, { name: path, text: readFileSync(path, 'utf8') } as never)
  return programOf(read.value as Agentfile, files)
}
