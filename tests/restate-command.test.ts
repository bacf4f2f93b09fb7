// The commands about runs, with the real engine and workers as people start them.
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
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { createEngine, type Engine } from '../src/durable/restate/create-engine.ts'
import { hashProgram } from '../src/durable/restate/run-request.ts'
import { type CountedModels, countedModels } from './restate/counted-models.ts'
import { freePorts, type RestateServer, startRestate, until } from './restate/restate-server.ts'
import { startWorkers, type WorkerGroup } from './restate/workers.ts'
import { playSessions } from './shell-sessions.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const main = join(root, 'dist/cli/main.js')
// Within the package, so that tools can import it by its name; ignored by git.
mkdirSync(join(root, 'coverage'), { recursive: true })
const top = mkdtempSync(join(root, 'coverage/restate-'))
const { FORCE_COLOR, NO_COLOR, LEGIBLE_MODEL, ...rest } = process.env
let env: Record<string, string | undefined>
let server: RestateServer
let models: CountedModels
let engine: Engine

beforeAll(async () => {
  ;[server, models] = await Promise.all([startRestate(), countedModels()])
  env = { ...rest, ...server.env, LEGIBLE_STATE: join(top, 'state') }
  engine = createEngine(server)
})
afterAll(async () => {
  await server?.stop()
  await models?.close()
  rmSync(top, { recursive: true, force: true })
})
afterEach(() => {
  models.release()
  models.forget()
})

function begin(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: env as NodeJS.ProcessEnv })
  child.stdin.end()
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [status]]) => ({ status: status as number, stdout, stderr }),
  )
  return { child, ended }
}
const legible = (cwd: string, ...args: string[]) => begin(cwd, ...args).ended
const onEngine = (cwd: string, command: string, ...args: string[]) =>
  legible(cwd, command, ...args, '--engine', 'restate')
const newFolder = () => mkdtempSync(join(top, 'run-'))
const outcomeIn = (file: string) => {
  const { run: _, ...outcome } = JSON.parse(readFileSync(file, 'utf8'))
  return outcome
}
const runIn = (said: string): string => /^run ([\da-f]{8})\b/m.exec(said)?.[1] ?? ''

/** A folder that workers stand in: a git repository, with a tool that looks at it. */
function workplace(): string {
  const folder = newFolder()
  cpSync(join(root, 'examples/release-notes/tools.ts'), join(folder, 'tools.ts'))
  // The same hashes wherever it is made.
  const when = { GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' }
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, stdio: 'pipe', env: { ...process.env, ...when } })
  const who = ['user.name=a', 'user.email=a@example.com', 'commit.gpgsign=false'].flatMap((one) => [
    '-c',
    one,
  ])
  git('init', '--quiet')
  for (const subject of ['Begin', 'Add a lamp', 'Mend the lamp'])
    git(...who, 'commit', '--quiet', '--allow-empty', '-m', subject)
  return folder
}

describe('without what it takes', () => {
  test('an engine that is not there', async () => {
    const [port] = await freePorts(1)
    const address = `http://127.0.0.1:${port}`
    const file = join(root, 'examples/research.agent')
    for (const args of [['run', file], ['runs'], ['show'], ['approve'], ['cancel'], ['resume']]) {
      const { status, stderr, stdout } = await onEngine(
        newFolder(),
        ...(args as [string]),
        '--ingress',
        address,
        '--admin',
        address,
      )
      expect({ args, status, stdout }).toEqual({ args, status: 2, stdout: '' })
      expect(stderr).toContain(`The engine at ${address} cannot be reached`)
    }
  })

  test('no worker', async () => {
    const { status, stderr } = await onEngine(newFolder(), 'run', join(root, 'examples/research.agent'))
    expect(status).toBe(2)
    expect(stderr).toBe('legible: No worker is registered at the engine. Start one with legible worker.\n')
    expect((await onEngine(newFolder(), 'runs')).stdout).toBe('There are no runs at the engine.\n')
    expect((await onEngine(newFolder(), 'show')).stderr).toBe('legible: the engine has no runs\n')
  })

  test('models and tools are said to the worker', async () => {
    const file = join(root, 'examples/research.agent')
    const { status, stderr } = await onEngine(
      newFolder(),
      'run',
      file,
      '--model',
      'rehearsal',
      '--tools',
      'fs',
    )
    expect(status).toBe(2)
    expect(stderr).toContain('--model, --tools: models and tools are those of the workers')
  })

  test('a worker and a balancer end when the engine is not there', async () => {
    const ports = await freePorts(3)
    const at = (i: number) => `127.0.0.1:${ports[i]}`
    const all = await Promise.all([
      legible(newFolder(), 'worker', '--listen', at(0), '--admin', `http://${at(2)}`),
      legible(newFolder(), 'balance', '--listen', at(1), '--admin', `http://${at(2)}`, `http://${at(0)}`),
    ])
    for (const { status, stderr } of all) {
      expect(status).toBe(2)
      expect(stderr).toContain('cannot be reached')
    }
  })

  test.each([
    [['worker', '--no-register', '--identity-key', 'abc'], 'publickeyv1_'],
    [['worker', '--no-register', '--model', 'foo:bar'], 'foo'],
    [['worker', '--listen', '9080'], '127.0.0.1:9080'],
    [['worker', '--listen', '127.0.0.1:99999'], '127.0.0.1:9080'],
    [['balance', '10.0.0.2:9080'], 'http://10.0.0.2:9080'],
    [['balance'], "missing required argument 'worker'"],
    [['runs', '--engine', 'temporal'], 'local, restate'],
    [['runs', '--admin', 'localhost'], 'http://127.0.0.1:8080'],
  ])('%j is wrong', async (args, told) => {
    const { status, stderr } = await legible(newFolder(), ...args)
    expect(status).toBe(2)
    expect(stderr).toContain(told)
  })

  test('LEGIBLE_ENGINE and legible.toml say the same as --engine', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'legible.toml'), `engine = "restate"\n[restate]\nadmin = "${server.admin}"\n`)
    expect((await legible(folder, 'runs')).stdout).toBe('There are no runs at the engine.\n')
    expect((await legible(folder, 'runs', '--engine', 'local')).stdout).toBe(
      'There are no runs in this folder.\n',
    )
    writeFileSync(join(folder, 'legible.toml'), 'engine = "restart"\n')
    expect((await legible(folder, 'runs')).stderr).toContain('engine must be local or restate')
    env.LEGIBLE_ENGINE = 'restate'
    expect((await legible(newFolder(), 'runs')).stdout).toBe('There are no runs at the engine.\n')
    delete env.LEGIBLE_ENGINE
  })
})

describe('the examples', () => {
  const inputs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'draft.agent': {},
    'invoice.agent': { text: 'Invoice 7 of Lamp & Co.\n2 lamps at 12.50: 25.00' },
    'proposal/proposal.agent': { proposal: '@proposal.txt' },
    'release-notes/release-notes.agent': { since: 'HEAD~2' },
    'research.agent': {},
    'review.agent': { diff: '-const a = 1\n+const a = 2' },
    'triage.agent': { message: 'The lamp is broken. I want my money back.' },
  }
  const settings = (name: string) => [
    ...['--model', models.modelFor(name), '--tools', 'tools.ts'],
    ...['careful', 'fast'].flatMap((profile) => ['--profile', `${profile}=${models.modelFor(name)}`]),
  ]
  let group: WorkerGroup
  let folder: string
  beforeAll(async () => {
    folder = workplace()
    group = await startWorkers(['one', 'two'], settings, { cwd: folder, env: env as Record<string, string> })
    await engine.register(group.address)
  })
  afterAll(() => group?.stop())

  test('all are tried', () => {
    expect(globSync('**/*.agent', { cwd: join(root, 'examples') }).sort()).toEqual(Object.keys(inputs))
  })

  test.each(Object.entries(inputs))('%s comes to the same as on this machine', async (name, given) => {
    const place = workplace()
    const file = join(root, 'examples', name)
    cpSync(name.includes('/') ? dirname(file) : file, name.includes('/') ? place : join(place, name), {
      recursive: true,
    })
    rmSync(join(place, 'legible.toml'), { force: true })
    const pairs = Object.entries(given).flatMap(([key, value]) => ['--input', `${key}=${value}`])
    const local = async (command: string, ...args: string[]) =>
      legible(place, command, ...args, '--out', 'here.json', ...(command === 'run' ? settings('local') : []))
    const remote = async (command: string, ...args: string[]) =>
      onEngine(place, command, ...args, '--out', 'there.json')
    const ran: [Awaited<ReturnType<typeof legible>>, Awaited<ReturnType<typeof legible>>] = [
      await local('run', basename(name), ...pairs),
      await remote('run', basename(name), ...pairs),
    ]
    expect(ran[1].status).toBe(ran[0].status)
    if (ran[0].status === 6) {
      expect((await legible(place, 'approve')).status).toBe(0)
      expect((await onEngine(place, 'approve')).stdout).toContain('goes on; legible resume')
      ran[0] = await local('resume')
      ran[1] = await remote('resume')
    }
    expect(ran[0].status).toBe(0)
    expect(ran[1].status).toBe(0)
    expect(ran[1].stdout).toBe(ran[0].stdout)
    expect(outcomeIn(join(place, 'there.json'))).toEqual(outcomeIn(join(place, 'here.json')))
    // What is shown on the way is the same, too.
    const shown = ({ stderr }: { stderr: string }) =>
      stderr
        .split('\n')
        .slice(1)
        .filter((line) => !/^run /.test(line))
        .map((line) => line.replaceAll(/ · [\d.]+ m?s\b/g, ''))
        .sort()
    expect(shown(ran[1])).toEqual(shown(ran[0]))
    expect((await onEngine(place, 'replay')).stdout).toMatch(/: nothing differs\n$/)
  })

  test('a run can be looked at from anywhere', async () => {
    const run = await onEngine(newFolder(), 'run', join(root, 'examples/research.agent'), '--json')
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'run-start' })
    expect(lines.at(-1)).toMatchObject({ type: 'outcome', kind: 'completed' })
    expect(lines.some(({ type }) => type === 'worker-end')).toBe(true)
    const id = lines[0].run as string
    const rows = JSON.parse((await onEngine(newFolder(), 'runs', '--json')).stdout).runs
    expect(rows.find((row: { run: string }) => row.run === id)).toMatchObject({
      workflow: 'research',
      outcome: 'completed',
    })
    const show = await onEngine(newFolder(), 'show', id.slice(0, 6))
    expect(show.stdout).toContain('main/scout/critic')
    expect(show.stdout).toMatch(/\ncompleted\n/)
    const shown = JSON.parse((await onEngine(newFolder(), 'show', id, '--json')).stdout)
    expect(shown.turns.length).toBe(lines.at(-1).turns)
    expect((await onEngine(newFolder(), 'cancel', id)).stderr).toBe(
      `legible: run ${id} has ended: completed\n`,
    )
    expect((await onEngine(newFolder(), 'show', 'zzz')).stderr).toBe('legible: the engine has no run "zzz"\n')
  })
})

describe('the guide', () => {
  test('prints what it shows', async () => {
    const folder = newFolder()
    const group = await startWorkers(['one', 'two'], () => [], {
      cwd: folder,
      env: env as Record<string, string>,
    })
    try {
      await engine.register(group.address)
      // It lists all that there are: an engine of its own would be the same.
      const before = (await engine.list()).length
      const page = readFileSync(join(root, 'docs/guide/engine.md'), 'utf8')
      const copy = join(folder, 'guide.md')
      writeFileSync(
        copy,
        page.replace('legible runs --engine restate', 'legible runs --engine restate | head -n 1'),
      )
      expect(await playSessions(copy, folder, env)).toBe(1)
      expect((await engine.list()).length).toBe(before + 1)
    } finally {
      await group.stop()
    }
  })
})

const agents = `NAME two
INPUT topic DEFAULT "tea"
AGENT pro "Speak for $topic" -> points: list<string>
AGENT con "Speak against $topic" -> issues: list<string>
GOAL scout "Look at $topic" -> summary USING pro, con
GOAL last "Sum up $summary" -> title
RUN main USING scout, last`

describe('what stops a run', () => {
  let group: WorkerGroup
  let folder: string
  beforeAll(async () => {
    folder = newFolder()
    writeFileSync(join(folder, 'two.agent'), agents)
    group = await startWorkers(['one', 'two'], (name) => ['--model', models.modelFor(name)], {
      cwd: folder,
      env: env as Record<string, string>,
    })
    await engine.register(group.address)
  })
  afterAll(() => group?.stop())
  const run = (...args: string[]) => onEngine(folder, 'run', 'two.agent', ...args)

  test.each([1, 2, 3])('a limit of %i turns, as on this machine; with more it goes on', async (turns) => {
    const here = await legible(
      folder,
      'run',
      'two.agent',
      '--max-turns',
      String(turns),
      '--model',
      models.modelFor('local'),
      '--out',
      'here.json',
    )
    models.forget()
    const there = await run('--max-turns', String(turns), '--out', 'there.json')
    expect([here.status, there.status]).toEqual([5, 5])
    expect(models.answered.length).toBe(turns)
    const { path: _, ...local } = outcomeIn(join(folder, 'here.json'))
    const { path: __, ...remote } = outcomeIn(join(folder, 'there.json'))
    expect({ ...remote, usage: {} }).toEqual({ ...local, usage: {} })
    // What the first try has used counts.
    const id = runIn(there.stderr)
    const same = await onEngine(folder, 'resume', id)
    expect(same.status).toBe(5)
    const more = await onEngine(
      folder,
      'resume',
      runIn(same.stderr.replace(/.*has kept\n/, '')),
      '--max-turns',
      '4',
    )
    expect(more.status).toBe(0)
    expect(models.answered.length).toBe(4)
    // All of it is there to be looked at, also what came from the tries before.
    const last = runIn(more.stderr.replace(/.*has kept\n/, ''))
    const shown = JSON.parse((await onEngine(folder, 'show', last, '--json')).stdout)
    expect(shown.turns.length).toBe(4)
    expect((await onEngine(folder, 'replay', last)).stdout).toMatch(/: nothing differs\n$/)
  })

  test('a run that was taken up again can wait for a person', async () => {
    writeFileSync(
      join(folder, 'watched.agent'),
      'NAME watched\nGOAL one "Think" -> thought\nGOAL two "Write about $thought" -> letter SUPERVISED HUMAN\nRUN main USING one, two',
    )
    const first = await onEngine(folder, 'run', 'watched.agent', '--max-turns', '1')
    expect(first.status).toBe(5)
    const again = await onEngine(folder, 'resume', '--max-turns', '9')
    expect(again.status).toBe(6)
    expect(again.stderr).toContain('✓ one  thought:')
    const id = runIn(again.stderr.replace(/.*has kept\n/, ''))
    expect((await onEngine(folder, 'reject', id, '--reason', 'not today')).stdout).toContain(
      `run ${id} ends; legible show ${id}`,
    )
    await until(async () => (await engine.state(id))?.end?.outcome.kind === 'failed')
    const anew = await onEngine(folder, 'resume', id)
    expect(anew.status).toBe(6)
    expect((await onEngine(folder, 'approve')).stdout).toContain('goes on; legible resume')
    expect((await onEngine(folder, 'resume')).status).toBe(0)
    // The first goal was asked for once.
    expect(models.answered.length).toBe(3)
  })

  test('a run that was killed at the engine leaves no outcome, and says so', async () => {
    const held = models.holdNext(1)
    const { ended } = begin(folder, 'run', 'two.agent', '--engine', 'restate')
    await held
    const [row] = await engine.list()
    expect((await onEngine(folder, 'cancel', row?.id as string, '--kill')).status).toBe(0)
    const { status, stderr } = await ended
    expect(status).toBe(2)
    expect(stderr).toContain('left no outcome')
    expect((await onEngine(folder, 'runs')).stdout).toMatch(new RegExp(`^${row?.id} .* ended `, 'm'))
  })

  test('a limit on cost needs prices, at the worker', async () => {
    const { status, stderr } = await run('--max-cost', '1')
    expect(status).toBe(2)
    expect(stderr).toContain('A limit on cost needs prices')
  })

  test('agents that are spawned, as on this machine', async () => {
    const settings = ['--spawn', '--out']
    const here = await legible(
      folder,
      'run',
      'two.agent',
      '--model',
      models.modelFor('local'),
      ...settings,
      'here.json',
    )
    const there = await run(...settings, 'there.json')
    expect([here.status, there.status]).toEqual([0, 0])
    const local = outcomeIn(join(folder, 'here.json'))
    expect(local.turns).toBeGreaterThan(4)
    expect(outcomeIn(join(folder, 'there.json'))).toEqual(local)
  })

  test('a run that is cancelled before anybody has begun it', async () => {
    await Promise.all(group.workers.map((worker) => worker.kill()))
    const { ended } = begin(folder, 'run', 'two.agent', '--engine', 'restate')
    let id = ''
    await until(async () => {
      const [first] = await engine.list()
      id = first?.about || first?.end ? '' : (first?.id ?? '')
      return id !== ''
    })
    expect((await onEngine(folder, 'cancel', id)).status).toBe(0)
    await Promise.all(group.workers.map((worker) => worker.start()))
    const { status } = await ended
    expect(status).toBe(130)
    expect(models.asked).toBe(0)
  })

  test('tokens and time', async () => {
    expect((await run('--max-tokens', '1')).status).toBe(5)
    models.holdNext(models.asked + 1)
    const { status, stderr } = await run('--max-time', '1')
    expect(status).toBe(5)
    expect(stderr).toContain('1 seconds are over')
  })

  test('Ctrl-C leaves the run to the engine, resume follows it', async () => {
    const held = models.holdNext(2)
    const { child, ended } = begin(folder, 'run', 'two.agent', '--engine', 'restate')
    await held
    child.kill('SIGINT')
    const { status, stderr } = await ended
    expect(status).toBe(130)
    const [, id = ''] = /run (\w+) goes on at the engine/.exec(stderr) ?? []
    expect((await onEngine(folder, 'runs')).stdout).toMatch(new RegExp(`^${id} .* running `, 'm'))
    models.release()
    const { status: after, stdout } = await onEngine(folder, 'resume', id)
    expect(after).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('title')
    expect(models.answered.length).toBe(4)
  })

  test('cancel ends it, with its agents; resume goes on with what is kept', async () => {
    const held = models.holdNext(3)
    const { ended } = begin(folder, 'run', 'two.agent', '--engine', 'restate')
    await held
    expect((await onEngine(folder, 'cancel')).stdout).toMatch(/^run \w+ ends\n$/)
    const { status, stderr } = await ended
    expect(status).toBe(130)
    models.release()
    const again = await onEngine(folder, 'resume', runIn(stderr))
    expect(again.status).toBe(0)
    expect(again.stderr).toMatch(/^run \w+ goes on with what run \w+ has kept$/m)
    expect(new Set(models.answered.map(({ hash }) => hash)).size).toBe(4)
  })

  test('a provider that fails: exit 3, and resume asks for nothing twice', async () => {
    models.failAt(3)
    const failed = await run()
    expect(failed.status).toBe(3)
    models.failAt(undefined)
    expect(models.answered.length).toBe(2)
    const again = await onEngine(folder, 'resume')
    expect(again.status).toBe(0)
    expect(models.answered.length).toBe(4)
  })

  test('a program that is not the one that was submitted', async () => {
    const program = { name: 'x', inputs: [], agents: [], goals: [], runs: [] }
    const about = { started: new Date().toISOString(), file: 'x', inputs: {}, program }
    await engine.submit({ ...about, id: 'forged01', hash: hashProgram({ ...program, name: 'y' }) })
    await until(async () => (await engine.read('forged01')).end !== undefined)
    expect((await engine.read('forged01')).end?.outcome).toEqual({
      kind: 'broken',
      reason: 'The request cannot be carried out: its program is not the one that it was submitted with.',
    })
    const deep: unknown = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`)
    const whole = { ...about, hash: hashProgram(program) }
    const all = [
      ...[null, 7, [], {}, { program: {} }, { program: { runs: 'all' } }, { id: 'victim' }],
      ...[
        { limits: null },
        { limits: { turns: 'x' } },
        { inputs: { deep } },
        { entries: [null] },
        { entries: 5 },
      ],
      { entries: [{ key: 'main/a/turn:1', value: null }], limits: { turns: 3 } },
    ]
    for (const [i, part] of all.entries()) {
      const wrong = i < 4 ? part : { ...whole, id: `wrong${i}`, ...(part as object) }
      const id = `wrong${i}`
      const response = await fetch(`${server.ingress}/legible-run/${id}/run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(wrong),
      })
      expect(await response.json()).toMatchObject({ kind: 'broken' })
    }
  })
})

describe('calls that a person permits', () => {
  const text = `NAME note
GOAL one "Call note with {\\"text\\": \\"hello\\"}, then say what it gave" -> said
RUN main USING one`
  let group: WorkerGroup
  let folder: string
  beforeAll(async () => {
    folder = newFolder()
    writeFileSync(join(folder, 'note.agent'), text)
    writeFileSync(
      join(folder, 'note.ts'),
      `import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { defineTool } from 'legible/tools'
export default [defineTool({
  name: 'note', description: 'Writes a note.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: async ({ text }, { idempotencyKey }) => {
    appendFileSync('notes', idempotencyKey + '\\n')
    await setTimeout(600)
    return 'noted ' + text
  },
})]`,
    )
    group = await startWorkers(
      ['one', 'two'],
      (name) => ['--model', models.modelFor(name), '--tools', 'note.ts'],
      {
        cwd: folder,
        env: env as Record<string, string>,
      },
    )
    await engine.register(group.address)
  })
  afterAll(() => group?.stop())
  const notes = () =>
    existsSync(join(folder, 'notes')) ? readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n') : []

  test('it waits, also when all is killed meanwhile; the tool knows a second try by its key', async () => {
    const run = await onEngine(folder, 'run', 'note.agent')
    expect(run.status).toBe(6)
    expect(run.stderr).toContain('? note {"text":')
    const id = runIn(run.stderr)
    expect((await onEngine(folder, 'runs')).stdout).toMatch(new RegExp(`^${id} .* suspended `, 'm'))
    await Promise.all([server.kill(), ...group.workers.map((worker) => worker.kill())])
    await Promise.all([server.start(), ...group.workers.map((worker) => worker.start())])
    expect(notes()).toEqual([])
    const approved = await onEngine(folder, 'approve', id)
    expect(approved.stdout).toContain('main/one/approval:')
    await until(() => notes().length === 1)
    // While the tool runs.
    await Promise.all(group.workers.map((worker) => worker.kill()))
    await Promise.all(group.workers.map((worker) => worker.start()))
    const after = await onEngine(folder, 'resume', id)
    expect(after.status).toBe(0)
    expect(notes().length).toBe(2)
    expect(new Set(notes())).toEqual(new Set([expect.stringMatching(new RegExp(`^${id}:main/one/call:`))]))
    const twice = await onEngine(folder, 'approve', id)
    expect(twice.status).toBe(2)
    expect(twice.stderr).toContain(`run ${id} waits for nobody: completed`)
  })

  test('no is an answer', async () => {
    const before = notes().length
    const run = await onEngine(folder, 'run', 'note.agent')
    const id = runIn(run.stderr)
    expect((await onEngine(folder, 'reject', id, '--reason', 'not now')).status).toBe(0)
    // The model asks for the call once more.
    expect((await onEngine(folder, 'resume', id)).status).toBe(6)
    expect(notes().length).toBe(before)
    expect((await onEngine(folder, 'show', id)).stdout).toContain('not now')
    expect((await onEngine(folder, 'cancel', id)).status).toBe(0)
  })

  test('an answer that is none is refused', async () => {
    const run = await onEngine(folder, 'run', 'note.agent')
    const id = runIn(run.stderr)
    const { waits } = await engine.read(id)
    await expect(engine.answer(waits[0] as (typeof waits)[0], 'perhaps')).rejects.toThrow(
      /answered 400: A verdict is allow/,
    )
    expect((await onEngine(folder, 'cancel', id)).status).toBe(0)
    await until(async () => (await engine.read(id)).end?.outcome.kind === 'cancelled')
  })
})
