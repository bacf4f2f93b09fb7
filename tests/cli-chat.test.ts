// `legible chat` without a terminal: lines from a pipe, and programs.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'

vi.setConfig({ testTimeout: 60_000 })

const main = join(root, 'dist/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'legible-chat-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { FORCE_COLOR, NO_COLOR, LEGIBLE_MODEL, ...plain } = process.env

let projects = 0
function project(): { dir: string; env: NodeJS.ProcessEnv } {
  const dir = join(folder, `project-${++projects}`)
  mkdirSync(dir)
  writeFileSync(join(dir, 'a.txt'), 'one\n')
  return { dir, env: { ...plain, HOME: folder, LEGIBLE_STATE: join(folder, `state-${projects}`) } }
}

function chat(input: string, args: string[] = [], { dir, env } = project()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'chat', ...args], {
    cwd: dir,
    env,
    input,
    encoding: 'utf8',
  })
  return { status, stdout, stderr, dir, env }
}
const write = (path: string, content = 'x\n') => `call fs.write with ${JSON.stringify({ path, content })}`

describe('lines from a pipe', () => {
  test('are messages, one after the other; the end of input ends it', () => {
    const { status, stdout, stderr } = chat('First. Do not use tools.\n\nSecond. Do not use tools.')
    expect(status).toBe(0)
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringContaining('You asked: "First. Do not use tools."'),
      expect.stringContaining('You asked: "Second. Do not use tools."'),
    ])
    expect(stderr).toContain('rehearsal (offline, no language model: see --model)')
  })

  test('nothing at all is nothing to do', () => {
    expect(chat('')).toMatchObject({ status: 0, stdout: '' })
  })

  test('nobody is asked: what is not granted does not run', () => {
    const { status, stderr, dir } = chat(write('b.txt'))
    expect(status).toBe(1)
    expect(stderr).toContain('nobody can be asked; --allow fs.write:b.txt permits it')
    expect(existsSync(join(dir, 'b.txt'))).toBe(false)
  })

  test('what is granted runs, and only that', () => {
    const { dir } = chat(`${write('notes/b.txt')}\n${write('c.txt')}`, ['--allow', 'fs.write:notes'])
    expect(readFileSync(join(dir, 'notes/b.txt'), 'utf8')).toBe('x\n')
    expect(existsSync(join(dir, 'c.txt'))).toBe(false)
  })

  test('what is denied is not even read', () => {
    const input = 'call fs.read with {"path": "a.txt"}'
    const denied = chat(input, ['--deny', 'fs.read:a.txt'])
    expect(denied.stderr).toContain('not run: This call is not permitted: fs.read for a.txt is denied.')
    expect(chat(input).stderr).toContain('→ fs.read {"path":"a.txt"}\n')
  })

  test('commands work there too', () => {
    const { stderr, status } = chat('/tools\n/nothing\n/quit\nnever sent')
    expect(status).toBe(0)
    expect(stderr).toMatch(/fs\.read +permitted/)
    expect(stderr).toContain('There is no command /nothing')
    expect(stderr).not.toContain('never sent')
  })

  test('a provider that is not there is said so', () => {
    const { status, stderr, stdout } = chat('Hello', ['--model', 'http://127.0.0.1:9/v1#x'])
    expect(status).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^! The provider answered nothing: Cannot connect/m)
  })

  test('a reply that breaks off is no answer', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = { choices: [{ index: 0, delta: { content: 'Half of an ans' } }] }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const { dir, env } = project()
      const child = spawn(process.execPath, [main, 'chat', '--model', `http://127.0.0.1:${port}/v1#x`], {
        cwd: dir,
        env,
      })
      child.stdin.end('Hello\n')
      const { code, stdout, stderr } = await ended(child)
      expect(code).toBe(3)
      expect(stdout).not.toContain('Half')
      expect(stderr).toContain('what had arrived is no answer')
    } finally {
      server.close()
    }
  })
})

describe('for programs', () => {
  test('one event a line, the outcome after each message', () => {
    const { stdout, stderr, status } = chat(
      '{"type": "user", "text": "/help is no command here. Do not use tools."}\nHello. Do not use tools.',
      ['--json'],
    )
    expect(status).toBe(0)
    expect(stderr).toBe('')
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({
      type: 'session-start',
      model: 'rehearsal',
      tools: expect.arrayContaining(['fs.read']),
    })
    const outcomes = events.filter(({ type }) => type === 'outcome')
    expect(outcomes).toMatchObject([{ kind: 'answered' }, { kind: 'answered' }])
    expect(outcomes[0].value).toContain('/help is no command here')
  })

  test('a program is asked, and its verdict counts', async () => {
    for (const [verdict, made] of [
      ['allow', true],
      ['deny', false],
    ] as const) {
      const { dir, env } = project()
      const child = spawn(process.execPath, [main, 'chat', '--json', '--max-iterations', '2'], {
        cwd: dir,
        env,
      })
      const lines = createInterface({ input: child.stdout })
      child.stdin.write(`${JSON.stringify({ type: 'verdict', id: 'early', verdict: 'allow' })}\n`)
      child.stdin.write(`${JSON.stringify({ type: 'user', text: write('b.txt') })}\n`)
      const seen: { type: string; kind?: string }[] = []
      for await (const line of lines) {
        const event = JSON.parse(line)
        seen.push(event)
        if (event.type === 'question') {
          expect(event).toMatchObject({
            tool: 'fs.write',
            needs: [{ capability: 'fs.write', path: 'b.txt' }],
          })
          expect(event.preview.diff).toContain('+x')
          expect(existsSync(join(dir, 'b.txt'))).toBe(false)
          child.stdin.write(`${JSON.stringify({ type: 'verdict', id: event.id, verdict })}\n`)
        }
        if (event.type === 'outcome') child.stdin.end()
      }
      expect(existsSync(join(dir, 'b.txt'))).toBe(made)
      expect(seen).toContainEqual(expect.objectContaining({ type: 'notice', kind: 'problem' }))
    }
  })

  test('a line that is half an object is not sent', () => {
    const { stdout } = chat('{"type": "user", "text": "x"\n{"type": "usr"}', ['--json'])
    expect(stdout.match(/"kind":"problem"/g)).toHaveLength(2)
    expect(stdout).not.toContain('"outcome"')
  })

  test('rules for what no tool needs are refused', () => {
    for (const args of [
      ['--deny', 'fs.raed:private'],
      ['--allow', 'bogus'],
    ]) {
      const { status, stderr } = chat('Hello', args)
      expect(status).toBe(2)
      expect(stderr).toContain('no tool needs')
    }
  })

  test('the end of input while a call waits is a no', () => {
    const { dir, stdout } = chat(JSON.stringify({ type: 'user', text: write('b.txt') }), ['--json'])
    expect(stdout).toContain('"type":"question"')
    expect(existsSync(join(dir, 'b.txt'))).toBe(false)
  })

  test('an interrupt stops the reply; a second one leaves', async () => {
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { dir, env } = project()
    const child = spawn(
      process.execPath,
      [main, 'chat', '--json', '--model', `http://127.0.0.1:${port}/v1#x`],
      { cwd: dir, env },
    )
    const lines = createInterface({ input: child.stdout })
    child.stdin.write('Hello\nAgain\n')
    let outcomes = 0
    for await (const line of lines) {
      const { type, kind } = JSON.parse(line)
      if (type === 'turn-start') child.kill('SIGINT')
      // Nobody answers any more: it ends the program.
      if (type === 'outcome' && kind === 'cancelled' && ++outcomes === 2) child.kill('SIGINT')
    }
    server.closeAllConnections()
    server.close()
    expect(outcomes).toBe(2)
    expect(child.exitCode ?? (await ended(child)).code).toBe(130)
  })

  test('mistakes in usage are data too', () => {
    const { status, stdout } = chat('', ['--json', '--root', 'nowhere'])
    expect(status).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'cli.unreadable_file' } })
  })
})

describe('where it works', () => {
  test('the home folder is not read without a question unless it is named', () => {
    const home = join(folder, 'home')
    mkdirSync(home)
    writeFileSync(join(home, 'a.txt'), 'mine')
    const env = { ...plain, HOME: home, LEGIBLE_STATE: join(folder, 'state-home') }
    const input = 'call fs.read with {"path": "a.txt"}'
    expect(chat(input, [], { dir: home, env }).stderr).toContain('nobody can be asked; --allow fs.read:a.txt')
    expect(chat(input, ['--root', '.'], { dir: home, env }).stderr).toContain('→ fs.read')
  })

  test('permissions that come with a project count for nothing', () => {
    const { dir, env } = project()
    mkdirSync(join(dir, '.legible'))
    for (const name of ['permissions.json', 'permissions/x.json']) {
      mkdirSync(join(dir, '.legible', 'permissions'), { recursive: true })
      writeFileSync(
        join(dir, '.legible', name),
        '{"rules": [{"id": "r1", "effect": "grant", "capability": "fs.write"}]}',
      )
    }
    chat(write('b.txt'), [], { dir, env })
    expect(existsSync(join(dir, 'b.txt'))).toBe(false)
  })

  test('a folder for the log that leads elsewhere is refused, and then nothing runs', () => {
    const { dir, env } = project()
    mkdirSync(join(folder, 'elsewhere'), { recursive: true })
    symlinkSync(join(folder, 'elsewhere'), join(dir, '.legible'))
    const { stderr } = chat(write('b.txt'), ['--allow', 'fs.write'], { dir, env })
    expect(stderr).toContain('could not be recorded')
    expect(existsSync(join(dir, 'b.txt'))).toBe(false)
    expect(existsSync(join(folder, 'elsewhere/audit.jsonl'))).toBe(false)
  })

  test('permissions that cannot be read are told before anything else', () => {
    const { dir, env } = project()
    chat('call fs.read with {"path": "a.txt"}', [], { dir, env })
    const state = join(env.LEGIBLE_STATE!, 'permissions')
    mkdirSync(state, { recursive: true })
    // The name of the file is told when it is broken, so the test need not know how it is made.
    const name = chat('/allow fs.write\n', [], { dir, env })
    expect(name.status).toBe(0)
    const [file] = spawnSync('ls', [state], { encoding: 'utf8' }).stdout.trim().split('\n')
    writeFileSync(join(state, file!), '{')
    const { status, stderr } = chat('Hello', [], { dir, env })
    expect(status).toBe(2)
    expect(stderr).toContain('cannot be read as permissions')
  })
})

describe('tools', () => {
  test('of an MCP server that is started, with a question', () => {
    const server = join(root, 'tests/mcp-server.ts')
    const args = ['--tools', `fs,mcp:${process.execPath} ${server}`]
    const { stderr } = chat('/tools\ncall add with {"a": 1, "b": 2}', args)
    expect(stderr).toMatch(/add +asks/)
    expect(stderr).toContain('nobody can be asked; --allow add permits it')
    const allowed = chat('call add with {"a": 1, "b": 2}', [...args, '--allow', 'add'])
    expect(allowed.stderr).toContain('→ add {"a":1,"b":2}')
    expect(allowed.stdout).toContain('3')
  })

  test('of a server that does not start: why', () => {
    const { status, stderr } = chat('Hello', [
      '--tools',
      `mcp:${process.execPath} -e "console.error('no luck'); process.exit(1)"`,
    ])
    expect(status).toBe(2)
    expect(stderr).toContain('no luck')
  })

  test('none', () => {
    const { stderr } = chat('/tools', ['--tools', 'none'])
    expect(stderr).toContain('There are no tools')
  })
})

async function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  const code = await new Promise<number | null>((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode)
    else child.on('close', resolve)
  })
  return { code, stdout, stderr }
}

describe('legible permissions', () => {
  const permissions = (args: string[], { dir, env }: { dir: string; env: NodeJS.ProcessEnv }) =>
    spawnSync(process.execPath, [main, 'permissions', ...args], { cwd: dir, env, encoding: 'utf8' })

  test('grants, lists and revokes what chats then see; and it is written down', () => {
    const here = project()
    expect(permissions([], here).stdout).toContain('There are no rules')
    expect(permissions(['grant', 'fs.write:notes', '--for', '2h'], here).stdout).toMatch(
      /^r1 +grant fs\.write:notes {2}until 20/,
    )
    chat(write('notes/a.txt'), [], here)
    expect(existsSync(join(here.dir, 'notes/a.txt'))).toBe(true)
    expect(permissions(['deny', 'fs.write'], here).status).toBe(0)
    chat(write('notes/b.txt'), [], here)
    expect(existsSync(join(here.dir, 'notes/b.txt'))).toBe(false)
    expect(JSON.parse(permissions(['--json'], here).stdout).rules).toHaveLength(2)
    expect(permissions(['revoke', 'r2'], here).stdout).toContain('revoked: r2')
    expect(permissions(['revoke', 'r2'], here)).toMatchObject({
      status: 1,
      stderr: 'legible: there is no rule r2\n',
    })
    const log = readFileSync(join(here.dir, '.legible/audit.jsonl'), 'utf8')
    expect(log.match(/"type":"permission-[a-z]+"/g)).toEqual([
      '"type":"permission-grant"',
      '"type":"permission-deny"',
      '"type":"permission-revoke"',
    ])
  })

  test('says what is wrong with a scope or a duration', () => {
    const here = project()
    for (const args of [
      ['grant', 'fs.write', '--for', '30'],
      ['grant', '../x'],
      ['grant', 'fs.write:/etc'],
      ['deny', 'net@a b'],
      ['grant', 'a', '--for', 'ever'],
    ]) {
      const { status, stderr } = permissions(args, here)
      expect(status, args.join(' ')).toBe(2)
      expect(stderr).toMatch(/^legible: /)
    }
    expect(permissions([], here).stdout).toContain('There are no rules')
  })
})
