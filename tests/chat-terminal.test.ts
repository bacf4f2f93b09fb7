// Whole conversations of `legible chat` on a real pseudo-terminal, with the rehearsal model behind HTTP.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import {
  createRehearsalServer,
  type ServedRequest,
} from '../src/cli/rehearsal-server/create-rehearsal-server.ts'
import { rehearsalModels } from '../src/cli/rehearsal-server/rehearsal-models.ts'
import { verifyAudit } from '../src/durable/audit/verify-audit.ts'
import { openPty, type Pty } from './terminal/pty.ts'

// A process of its own for each, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const main = join(root, 'dist/cli/main.js')
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

interface Served {
  readonly server: Server
  readonly served: ServedRequest[]
  readonly model: string
}

async function serve(
  options: Parameters<typeof rehearsalModels>[0] = {},
  name = 'rehearsal',
): Promise<Served> {
  const served: ServedRequest[] = []
  const server = createRehearsalServer({ ...rehearsalModels(options), onServed: (one) => served.push(one) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  open.push({ close })
  const { port } = server.address() as AddressInfo
  return { server, served, model: `http://127.0.0.1:${port}/v1#${name}` }
}

/** A folder with a file in it, a state folder of its own, and a way to start a chat there. */
function scene() {
  const folder = mkdtempSync(join(tmpdir(), 'legible-chat-'))
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'a.txt'), 'one\ntwo\n')
  open.push({ close: () => rmSync(folder, { recursive: true, force: true }) })
  const start = async (args: string[], size: { cols?: number; rows?: number } = {}): Promise<Pty> => {
    const pty = openPty(process.execPath, [main, 'chat', ...args], {
      cwd: project,
      env: { LEGIBLE_STATE: join(folder, 'state'), LEGIBLE_MODEL: undefined, HOME: folder },
      ...size,
    })
    open.unshift(pty)
    await pty.waitFor('you ›')
    return pty
  }
  return { folder, project, file: (name: string) => join(project, name), start }
}

const say = (pty: Pty, text: string) => {
  pty.write(text)
  pty.key('enter')
}
const call = (tool: string, args: object) => `Please call ${tool} with ${JSON.stringify(args)}`
const write = (path: string, content: string) => call('fs.write', { path, content })
const prompts = (screen: string[]) => screen.filter((line) => line.startsWith('you ›')).length
/** The prompt is there for the nth time. */
const prompt = (n: number) => (screen: string[]) =>
  prompts(screen) >= n && screen.at(-1)?.trimEnd() === 'you ›'
const QUESTION = /\[nev\]er\? *$/m

describe('a conversation on a terminal', () => {
  test('an answer streams in, and the next message goes on from it', async () => {
    const { model, served } = await serve()
    const pty = await scene().start(['--model', model])
    expect(pty.screen().join('\n')).toContain(model.slice(0, 30))
    say(pty, 'Good morning! Do not use tools.')
    await pty.waitFor(prompt(2))
    expect(pty.screen().join('')).toContain('no language model wrote this answer')
    say(pty, 'And now? Do not use tools.')
    await pty.waitFor(prompt(3))
    expect(served).toHaveLength(2)
    pty.key('ctrl-d')
    expect((await pty.exit).code).toBe(0)
  })

  test('reading is not asked about, and shown', async () => {
    const { model } = await serve()
    const pty = await scene().start(['--model', model])
    say(pty, call('fs.read', { path: 'a.txt' }))
    await pty.waitFor(prompt(2))
    const screen = pty.screen().join('\n')
    expect(screen).toContain('→ fs.read {"path":"a.txt"}')
    expect(screen).toMatch(/✓ one \(\+1 line\)/)
    say(pty, '/quit')
    expect((await pty.exit).code).toBe(0)
  })

  test('a change is shown as a diff, made on yes, and written down', async () => {
    const { model } = await serve()
    const { start, file } = scene()
    const pty = await start(['--model', model])
    say(pty, write('b.txt', 'new line\n'))
    await pty.waitFor(QUESTION)
    const question = pty.screen().join('\n')
    expect(question).toContain('? fs.write needs fs.write:b.txt')
    expect(question).toContain('+new line')
    expect(existsSync(file('b.txt'))).toBe(false)
    say(pty, 'y')
    await pty.waitFor(prompt(2))
    expect(readFileSync(file('b.txt'), 'utf8')).toBe('new line\n')
    say(pty, '/quit')
    await pty.exit
    const entries = readFileSync(file('.legible/audit.jsonl'), 'utf8').trim().split('\n')
    expect(entries.map((line) => JSON.parse(line).type)).toEqual([
      'session-start',
      'call-start',
      'call-end',
      'session-end',
    ])
    expect(JSON.parse(entries[1]!)).toMatchObject({ permittedBy: 'person' })
    expect((await verifyAudit(file('.legible/audit.jsonl'))).problems).toEqual([])
  })

  test('nothing is changed on no, and the model is told', async () => {
    const { model } = await serve()
    const { start, file } = scene()
    const pty = await start(['--model', model, '--max-iterations', '2'])
    say(pty, write('b.txt', 'x'))
    await pty.waitFor(QUESTION)
    say(pty, 'n')
    await pty.waitFor(/not run/)
    await pty.waitFor((screen) => screen.filter((line) => line.includes('[nev]er?')).length === 2)
    await pty.waitFor(QUESTION)
    say(pty, 'n')
    await pty.waitFor(prompt(2))
    expect(existsSync(file('b.txt'))).toBe(false)
    expect(readFileSync(file('.legible/audit.jsonl'), 'utf8')).toContain('call-refused')
  })

  test('always is kept for the next time, and can be revoked; never too', async () => {
    const { model } = await serve()
    const { start, file } = scene()
    const pty = await start(['--model', model])
    say(pty, write('b.txt', 'x'))
    await pty.waitFor(QUESTION)
    say(pty, 'always')
    await pty.waitFor(prompt(2))
    expect(readFileSync(file('b.txt'), 'utf8')).toBe('x')
    say(pty, '/quit')
    await pty.exit

    const next = await start(['--model', model])
    say(next, write('c.txt', 'y'))
    await next.waitFor(prompt(2))
    expect(readFileSync(file('c.txt'), 'utf8')).toBe('y')
    expect(next.screen().join('\n')).not.toMatch(QUESTION)
    say(next, '/permissions')
    await next.waitFor(/r1 +grant +fs\.write:\. \(kept\)/)
    say(next, '/revoke r1')
    await next.waitFor('The rule r1 is no more.')
    say(next, write('d.txt', 'z'))
    await next.waitFor(QUESTION)
    say(next, 'never')
    await next.waitFor(/not run/)
    await next.waitFor(prompt(5))
    expect(existsSync(file('d.txt'))).toBe(false)
    say(next, write('e.txt', 'z'))
    await next.waitFor(prompt(6))
    expect(existsSync(file('e.txt'))).toBe(false)
    const types = readFileSync(file('.legible/audit.jsonl'), 'utf8')
    for (const type of ['permission-grant', 'permission-revoke', 'permission-deny'])
      expect(types).toContain(type)
  })

  test('what is typed before the question is no answer to it', async () => {
    const { model } = await serve({ delay: 20 })
    const { start, file } = scene()
    const pty = await start(['--model', model])
    say(pty, write('b.txt', 'x'))
    await pty.waitFor(/rehearsal of/)
    say(pty, 'y')
    await pty.waitFor(QUESTION, 15_000)
    expect(existsSync(file('b.txt'))).toBe(false)
    pty.key('ctrl-c')
    await pty.waitFor(/not run/)
    expect(existsSync(file('b.txt'))).toBe(false)
  })
})

describe('Ctrl-C', () => {
  test('stops the reply and not the program; the turn can be asked again', async () => {
    const { model } = await serve({ delay: 30 })
    const pty = await scene().start(['--model', model])
    say(pty, 'Tell me something long. Do not use tools.')
    await pty.waitFor(/This is a/)
    pty.key('ctrl-c')
    await pty.waitFor('! stopped; /retry goes on from there')
    await pty.waitFor(prompt(2))
    say(pty, '/retry')
    await pty.waitFor(prompt(3), 20_000)
    expect(pty.screen().join('')).toContain('no language model wrote this answer')
    pty.key('ctrl-d')
    expect((await pty.exit).code).toBe(0)
  })

  test('twice leaves', async () => {
    const { model } = await serve()
    const pty = await scene().start(['--model', model])
    pty.key('ctrl-c')
    await pty.waitFor('Ctrl-C again leaves')
    pty.key('ctrl-c')
    expect((await pty.exit).code).toBe(130)
  })

  test('after a reply that was stopped leaves', async () => {
    const { model } = await serve({ delay: 30 })
    const pty = await scene().start(['--model', model])
    say(pty, 'Hello. Do not use tools.')
    await pty.waitFor(/This is a/)
    pty.key('ctrl-c')
    await pty.waitFor(prompt(2))
    pty.key('ctrl-c')
    expect((await pty.exit).code).toBe(130)
  })

  test('at a question is a no', async () => {
    const { model } = await serve()
    const { start, file } = scene()
    const pty = await start(['--model', model, '--max-iterations', '1'])
    say(pty, write('b.txt', 'x'))
    await pty.waitFor(QUESTION)
    pty.key('ctrl-c')
    await pty.waitFor(prompt(2))
    expect(existsSync(file('b.txt'))).toBe(false)
  })
})

describe('a provider that dies', () => {
  test('in the middle of a reply is said so; what arrived is no answer; /retry asks again', async () => {
    const { model, server } = await serve({ delay: 30 })
    const { port } = server.address() as AddressInfo
    const pty = await scene().start(['--model', model], { cols: 120 })
    say(pty, 'Hello. Do not use tools.')
    await pty.waitFor(/This is a/)
    server.close()
    server.closeAllConnections()
    await pty.waitFor(
      /what had arrived is no answer; \/retry goes on from there|\/retry goes on from there/,
      20_000,
    )
    const other = createRehearsalServer(rehearsalModels({}))
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    open.push({ close: () => other.close() })
    say(pty, '/retry')
    await pty.waitFor(/no language model wrote/, 20_000)
    await pty.waitFor(prompt(3))
  })

  test('once only is asked again by itself, and what stood there does not count', async () => {
    const { model } = await serve({}, 'rehearsal+break')
    const pty = await scene().start(['--model', model], { cols: 160 })
    say(pty, 'Hello. Do not use tools.')
    await pty.waitFor(prompt(2), 20_000)
    const screen = pty.screen().join('\n')
    expect(screen).toContain('what stands above does not count; asking again')
    expect(screen).toContain('no language model wrote this answer')
  })

  test('after a call: the call is not made again', async () => {
    const { model, server, served } = await serve({ delay: 20 })
    const { port } = server.address() as AddressInfo
    const { start, file } = scene()
    const pty = await start(['--model', model, '--allow', 'fs.write'], { cols: 120 })
    say(pty, write('b.txt', 'once\n'))
    await pty.waitFor('Created b.txt', 20_000)
    server.close()
    server.closeAllConnections()
    await pty.waitFor('/retry goes on from there', 20_000)
    writeFileSync(file('b.txt'), 'by hand\n')
    const other = createRehearsalServer({ ...rehearsalModels({}), onServed: (one) => served.push(one) })
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    open.push({ close: () => other.close() })
    say(pty, '/retry')
    await pty.waitFor(/The tools gave/, 20_000)
    await pty.waitFor(prompt(3))
    expect(readFileSync(file('b.txt'), 'utf8')).toBe('by hand\n')
    expect(pty.screen().filter((line) => line.startsWith('→ fs.write'))).toHaveLength(1)
  })
})

describe('the terminal', () => {
  test('a paste of many lines is one message', async () => {
    const { model, served } = await serve()
    const pty = await scene().start(['--model', model])
    pty.paste('line one\nline two\nDo not use tools.\n')
    await pty.waitFor(/lines pasted/)
    pty.key('enter')
    await pty.waitFor(prompt(2))
    expect(served).toHaveLength(1)
    expect(pty.screen().join('')).toContain('line one')
  })

  test('follows a resize, while a line is written and while a reply arrives', async () => {
    const { model } = await serve({ delay: 10 })
    const pty = await scene().start(['--model', model])
    pty.write('Hello. Do not')
    pty.resize(40, 20)
    pty.write(' use tools.')
    pty.key('enter')
    await pty.waitFor(/This is a/)
    pty.resize(100, 30)
    await pty.waitFor((screen) => screen.at(-1)?.trimEnd() === 'you ›', 20_000)
    expect(pty.screen().join('')).toContain('Hello. Do not use tools.')
  })

  test('history is kept between runs, and not what begins with a space', async () => {
    const { model } = await serve()
    const { start } = scene()
    const pty = await start(['--model', model])
    say(pty, 'First. Do not use tools.')
    await pty.waitFor(prompt(2))
    say(pty, ' secret. Do not use tools.')
    await pty.waitFor(prompt(3))
    say(pty, '/quit')
    await pty.exit
    const next = await start(['--model', model])
    next.key('up')
    next.key('up')
    await next.waitFor('First. Do not use tools.')
    expect(next.screen().join('\n')).not.toContain('secret')
  })

  test('what the model thinks is folded, and shown by Ctrl-T', async () => {
    const { model } = await serve({ delay: 15 }, 'rehearsal+reasoning')
    const pty = await scene().start(['--model', model])
    say(pty, 'Hello. Do not use tools.')
    await pty.waitFor(/▸ thinking/, 20_000)
    await pty.waitFor(/▸ thought for/, 20_000)
    await pty.waitFor(prompt(2), 20_000)
    say(pty, '/think')
    await pty.waitFor(/^│ /m)
  })

  test('/explain, /tools, /model, /save, and commands that are none', async () => {
    const { model } = await serve()
    const { start, file } = scene()
    const pty = await start(['--model', model], { cols: 120 })
    say(pty, '/explain')
    await pty.waitFor('There is no reply yet.')
    say(pty, call('fs.read', { path: 'a.txt' }))
    await pty.waitFor(prompt(3))
    say(pty, '/explain')
    await pty.waitFor('The reply is text.')
    say(pty, '/tools')
    await pty.waitFor(/fs\.write +asks/)
    say(pty, '/model rehearsal:seed=4')
    await pty.waitFor((screen) => screen.includes('rehearsal:seed=4'))
    say(pty, '/model nonsense:x')
    await pty.waitFor(/^! .*nonsense/m)
    say(pty, '/expain')
    await pty.waitFor('did you mean /explain?')
    say(pty, '/save talk.json')
    await pty.waitFor('Saved as talk.json')
    say(pty, '/save talk.json')
    await pty.waitFor(/^! talk.json is there already/m)
    say(pty, '/quit')
    expect((await pty.exit).code).toBe(0)
    const next = await start(['--model', model, '--continue', 'talk.json'])
    say(next, '/save again.json')
    await next.waitFor('Saved as')
    expect(readFileSync(file('again.json'), 'utf8')).toBe(readFileSync(file('talk.json'), 'utf8'))
  })

  test('escapes of the model and of files are shown, not obeyed', async () => {
    const { model } = await serve()
    const { start, file } = scene()
    writeFileSync(file('evil.txt'), '\x1b]0;owned\x07\x1b[2J\x1b[31mred\u202e\n')
    const pty = await start(['--model', model], { cols: 120 })
    say(pty, call('fs.read', { path: 'evil.txt' }))
    await pty.waitFor(prompt(2))
    expect(pty.raw).not.toContain('\x1b]0;owned')
    expect(pty.raw).not.toContain('\x1b[31mred')
    expect(pty.raw).not.toContain('\u202e')
    expect(pty.screen().join('\n')).toContain('\\u001b]0;owned')
    say(pty, write('x.txt', '\x1b[2Jwiped\r+safe\n'))
    await pty.waitFor(QUESTION)
    const question = pty.screen().join('\n')
    expect(question).toContain('+\\u001b[2Jwiped\\r+safe')
    expect(question).toContain('Please call fs.read')
  })
})
