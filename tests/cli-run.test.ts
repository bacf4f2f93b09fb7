// `legible run` and what belongs to it, as a person or a program uses it.
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'

vi.setConfig({ testTimeout: 60_000 })

const main = join(root, 'dist/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'legible-run-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { FORCE_COLOR, NO_COLOR, LEGIBLE_MODEL, ...plain } = process.env

let projects = 0
function project(files: Record<string, string>) {
  const dir = join(folder, `project-${++projects}`)
  mkdirSync(dir)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const env = { ...plain, HOME: folder, LEGIBLE_STATE: join(folder, `state-${projects}`) }
  const legible = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      cwd: dir,
      env,
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  return { dir, env, legible }
}

const research = `NAME research
INPUT topic
AGENT pro "Speak for $topic" -> points: list<string>
AGENT con "Speak against $topic" -> issues: list<string>
GOAL scout "Look at $topic" -> summary USING pro, con
GOAL report "Report on $summary" -> title: string, pages: integer
RUN main USING scout, report
`

describe('legible run', () => {
  test('prints what happens on standard error, and the result on standard output', () => {
    const { legible } = project({ 'r.agent': research })
    const { status, stdout, stderr } = legible('run', 'r.agent', '--input', 'topic=tea')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ title: expect.any(String), pages: expect.any(Number) })
    expect(stderr).toContain('rehearsal model (offline): see --model')
    expect(stderr).toMatch(/✓ scout\/pro {2}points: 1/)
    expect(stderr).toMatch(/run [\da-f]{8} completed in .* · legible show [\da-f]{8}/)
  })

  test('for programs: events, the outcome last; the result in a file', () => {
    const { legible, dir } = project({ 'r.agent': research })
    const { status, stdout, stderr } = legible(
      'run',
      'r.agent',
      '-i',
      'topic=tea',
      '--json',
      '--out',
      'result.json',
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({ type: 'run-start', run: expect.stringMatching(/^[\da-f]{8}$/) })
    expect(events.at(-1)).toMatchObject({ type: 'outcome', kind: 'completed', turns: 4 })
    const result = JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8'))
    expect(result).toMatchObject({ outcome: 'completed', variables: { topic: 'tea' } })
    expect(Object.keys(result.variables)).toEqual(['topic', 'summary', 'title', 'pages'])
  })

  test('what is kept of a run is for its owner alone', () => {
    const { legible, dir } = project({ 'r.agent': research })
    legible('run', 'r.agent', '-i', 'topic=tea')
    const [name] = spawnSync('ls', [join(dir, '.legible/runs')], { encoding: 'utf8' })
      .stdout.trim()
      .split('\n')
    expect(statSync(join(dir, '.legible/runs', name!)).mode & 0o777).toBe(0o600)
    expect(statSync(join(dir, '.legible')).mode & 0o777).toBe(0o700)
  })

  test('inputs that are missing, unknown or wrong are all named', () => {
    const { legible } = project({ 'r.agent': research })
    const { status, stderr } = legible('run', 'r.agent', '-i', 'topik=tea')
    expect(status).toBe(2)
    expect(stderr).toContain('there is no input "topik"; did you mean topic?')
    expect(stderr).toContain('the input topic is missing')
    expect(existsSync(join(folder, `project-${projects}`, '.legible'))).toBe(false)
  })

  test('without a name it is the Agentfile of the folder', () => {
    const { legible, dir } = project({ Agentfile: 'NAME n\nGOAL g "Go"\nRUN r USING g\n' })
    expect(legible('run').status).toBe(0)
    expect(legible('run', '.').status).toBe(0)
    expect(legible('explain').stdout).toContain('user      Go')
    rmSync(join(dir, 'Agentfile'))
    expect(legible('run')).toMatchObject({ status: 2, stderr: 'legible: Agentfile: there is no such file\n' })
  })

  test('inputs may stand in a file', () => {
    const { legible } = project({ 'r.agent': research, 'topic.txt': 'green tea' })
    const { stderr, status } = legible('run', 'r.agent', '-i', 'topic=@topic.txt')
    expect(status).toBe(0)
    expect(stderr).toContain('green tea')
    expect(legible('run', 'r.agent', '-i', 'topic=@nothing.txt').status).toBe(2)
  })

  test('a file with errors is shown with its errors, and nothing runs', () => {
    const { legible } = project({ 'r.agent': research.replace('$summary', '$sumary') })
    const { status, stderr } = legible('run', 'r.agent', '-i', 'topic=tea')
    expect(status).toBe(2)
    expect(stderr).toContain('agentfile.undefined_variable')
    expect(stderr).toContain('did you mean')
  })

  test('a profile that nobody knows, and a model that is not there', () => {
    const text = 'NAME n\nAGENT a "A" REQUIRES "fast"\nGOAL g "Go" USING a\nRUN r USING g\n'
    const { legible } = project({ 'p.agent': text })
    const { status, stderr } = legible('run', 'p.agent')
    expect(status).toBe(2)
    expect(stderr).toContain('a requires "fast"; no profile is configured')
    expect(legible('run', 'p.agent', '--profile', 'fast=rehearsal').status).toBe(0)
    expect(legible('run', 'p.agent', '--profile', 'fast=nonsense:x').status).toBe(2)
  })

  test('what a configuration says counts, and slips in it are told', () => {
    const text = 'NAME n\nAGENT a "A" REQUIRES "fast"\nGOAL g "Go" USING a\nRUN r USING g\n'
    const { legible, dir } = project({
      'p.agent': text,
      'legible.toml': '[profiles]\nfast = "rehearsal:seed=2"\n[limits]\nturns = 5\n',
    })
    expect(legible('run', 'p.agent').status).toBe(0)
    writeFileSync(join(dir, 'legible.toml'), '[limits]\nturn = 5\n')
    const { status, stderr } = legible('run', 'p.agent')
    expect(status).toBe(2)
    expect(stderr).toContain('did you mean turns?')
  })
})

describe('how a run can end', () => {
  test('at a limit, and go on with a higher one', () => {
    const { legible } = project({ 'r.agent': research })
    const first = legible('run', 'r.agent', '-i', 'topic=tea', '--max-turns', '2')
    expect(first.status).toBe(5)
    expect(first.stdout).toBe('')
    expect(first.stderr).toContain('legible resume')
    const again = legible('resume', '--max-turns', '9')
    expect(again.status).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ title: expect.any(String) })
  })

  test('without converging', () => {
    const text = 'NAME n\nCONVERGE d "Write" -> text WITHIN 1\nRUN r USING d\n'
    const { legible } = project({ 'c.agent': text })
    expect(legible('run', 'c.agent').status).toBe(4)
    expect(legible('runs').stdout).toContain('not-converged')
  })

  test('with a provider that is not there, and go on when it is', () => {
    const { legible } = project({ 'r.agent': research })
    const { status, stderr } = legible(
      'run',
      'r.agent',
      '-i',
      'topic=tea',
      '--model',
      'http://127.0.0.1:1/v1#x',
    )
    expect(status).toBe(3)
    expect(stderr).toContain('legible resume')
    expect(legible('resume', '--model', 'rehearsal').status).toBe(0)
  })

  test('a provider that fails is asked again, and that is kept', async () => {
    let asked = 0
    const server = createServer((request, response) => {
      request.resume()
      if (++asked === 1) {
        response.writeHead(500).end('{"error": {"message": "overloaded"}}')
        return
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const delta = { content: 'fine' }
      response.end(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { dir, env, legible } = project({ 'g.agent': 'NAME n\nGOAL g "Go"\nRUN r USING g\n' })
      const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#x`
      const child = spawn(process.execPath, [main, 'run', 'g.agent', '--model', model], { cwd: dir, env })
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
      expect(legible('show').stdout).toMatch(/asked again .*overloaded/)
    } finally {
      server.close()
    }
  })

  test('with a goal that fails, which is done again', async () => {
    const replies = ['no fields', 'still none', 'none', '{"text": "at last"}']
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const delta = { content: replies.shift() ?? '' }
      response.end(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { dir, env } = project({ 'g.agent': 'NAME n\nGOAL g "Go" -> text\nRUN r USING g\n' })
      const run = (...args: string[]) =>
        new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
          const child = spawn(process.execPath, [main, ...args], { cwd: dir, env })
          let stdout = ''
          let stderr = ''
          child.stdout.on('data', (chunk) => {
            stdout += chunk
          })
          child.stderr.on('data', (chunk) => {
            stderr += chunk
          })
          child.on('close', (code) => resolve({ code, stdout, stderr }))
        })
      const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#x`
      const first = await run('run', 'g.agent', '--model', model)
      expect(first.code).toBe(1)
      expect(first.stderr).toContain('text')
      const again = await run('resume')
      expect(again.code).toBe(0)
      expect(JSON.parse(again.stdout)).toEqual({ text: 'at last' })
      // What was asked in vain was asked all the same.
      expect((await run('runs')).stdout).toContain('4 turns')
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  test('by Ctrl-C, with what there is kept', async () => {
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { dir, env, legible } = project({ 'r.agent': research })
    const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#x`
    const child = spawn(process.execPath, [main, 'run', 'r.agent', '-i', 'topic=tea', '--model', model], {
      cwd: dir,
      env,
    })
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
      if (stderr.includes('▸ scout')) child.kill('SIGINT')
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    server.closeAllConnections()
    server.close()
    expect(code).toBe(130)
    expect(stderr).toContain('legible resume')
    expect(legible('runs').stdout).toContain('cancelled')
    expect(legible('resume', '--model', 'rehearsal').status).toBe(0)
  })
})

describe('a run that waits for a person', () => {
  const text =
    'NAME n\nGOAL migrate "Migrate" SUPERVISED HUMAN\nGOAL after "After"\nRUN r USING migrate, after\n'

  test('is approved, and goes on', () => {
    const { legible } = project({ 'h.agent': text })
    const { status, stderr } = legible('run', 'h.agent')
    expect(status).toBe(6)
    expect(stderr).toContain('legible approve')
    expect(legible('resume').status).toBe(6)
    const approved = legible('approve')
    expect(approved.status).toBe(0)
    expect(approved.stdout).toMatch(
      /r\/migrate\/judgement: migrate\nlegible resume [\da-f]{8} goes on with it/,
    )
    expect(legible('resume').status).toBe(0)
    expect(legible('approve').status).toBe(2)
  })

  test('is rejected, and ends', () => {
    const { legible } = project({ 'h.agent': text })
    legible('run', 'h.agent')
    expect(legible('reject', '--reason', 'Too risky').status).toBe(0)
    const { status, stderr } = legible('resume')
    expect(status).toBe(1)
    expect(stderr).toContain('Too risky')
  })

  test('is done again with a correction, and waits again', () => {
    const { legible } = project({ 'h.agent': text })
    const id = /run ([\da-f]{8})/.exec(legible('run', 'h.agent').stderr)?.[1] as string
    legible('approve', id, '--again', 'Slower, please')
    expect(legible('resume', id).status).toBe(6)
    expect(legible('show', id).stdout).toContain('Slower, please')
    legible('approve', id.slice(0, 5))
    expect(legible('resume', id.slice(0, 6)).status).toBe(0)
  })

  test('a call that needs permission waits, too', () => {
    const file =
      'NAME n\nGOAL g "Please call fs.write with {\\"path\\": \\"a.txt\\", \\"content\\": \\"x\\"}" -> done\nRUN r USING g\n'
    const { legible, dir } = project({ 'w.agent': file })
    expect(legible('run', 'w.agent', '--tools', 'fs').status).toBe(6)
    expect(existsSync(join(dir, 'a.txt'))).toBe(false)
    expect(legible('approve').stdout).toContain('fs.write')
    expect(legible('resume').status).toBe(0)
    expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('x')
    expect(legible('audit').stdout).toContain('fs.write')
    expect(legible('audit', 'verify').status).toBe(0)
  })
})

describe('what is known of runs', () => {
  test('runs lists them, show tells all, replay finds nothing different', () => {
    const { legible } = project({ 'r.agent': research })
    expect(legible('runs').stdout).toBe('There are no runs in this folder.\n')
    legible('run', 'r.agent', '-i', 'topic=tea')
    expect(legible('runs').stdout).toMatch(
      /^[\da-f]{8} {2}\d{4}-\d\d-\d\d .* completed +research {2}4 turns, \d+ tokens\n$/,
    )
    const { stdout } = legible('show')
    for (const words of [
      'main/scout/pro',
      'system    Speak for tea',
      '- points: list<string>',
      'reply',
      '$title = ',
      'completed',
    ])
      expect(stdout).toContain(words)
    const shown = JSON.parse(legible('show', '--json').stdout)
    expect(shown.turns).toHaveLength(4)
    expect(legible('replay')).toMatchObject({ status: 0, stdout: expect.stringContaining('nothing differs') })
  })

  test('replay against a file that has changed says what differs', () => {
    const { legible, dir } = project({ 'r.agent': research })
    legible('run', 'r.agent', '-i', 'topic=tea')
    writeFileSync(join(dir, 'r.agent'), research.replace('Report on', 'Write about'))
    const { status, stdout } = legible('replay', '--file', 'r.agent')
    expect(status).toBe(1)
    expect(stdout).toBe('main/report/turn:1: another question is asked\n')
    writeFileSync(join(dir, 'r.agent'), research.replace('USING scout, report', 'USING scout'))
    expect(legible('replay', '--file', 'r.agent').stdout).toContain(
      'main/report/turn:1: this step is not taken now',
    )
  })

  test('looking at a run calls nothing, also where a call was begun and has no result', () => {
    const tools = `import { appendFileSync } from 'node:fs'
export default [{ name: 'pay', description: 'Pays.', input: undefined, run: () => { appendFileSync('paid', 'x'); return 'paid' } }]`
    const file = 'NAME n\nGOAL g "Please call pay with {}" -> done\nRUN r USING g\n'
    const { legible, dir } = project({ 'w.agent': file, 'tools.mjs': tools })
    legible('run', 'w.agent', '--tools', 'tools.mjs')
    legible('approve')
    legible('resume')
    expect(readFileSync(join(dir, 'paid'), 'utf8')).toBe('x')
    const [name] = readdirSync(join(dir, '.legible/runs')).filter((one) => one.endsWith('.jsonl'))
    const path = join(dir, '.legible/runs', name!)
    const lines = readFileSync(path, 'utf8').split('\n')
    // As if it had been killed while it paid.
    const at = lines.findIndex((line) => line.includes('call:'))
    writeFileSync(path, `${lines.slice(0, at).join('\n')}\n`)
    expect(legible('show').status).toBe(0)
    legible('replay')
    expect(readFileSync(join(dir, 'paid'), 'utf8')).toBe('x')
  })

  test('a run that somebody else has begun starts nothing', () => {
    const { legible, dir, env } = project({ 'r.agent': research })
    legible('run', 'r.agent', '-i', 'topic=tea')
    const [name] = readdirSync(join(dir, '.legible/runs')).filter((one) => one.endsWith('.jsonl'))
    const path = join(dir, '.legible/runs', name!)
    const text = readFileSync(path, 'utf8').replace('"tools":[]', '"tools":["mcp:touch owned"]')
    writeFileSync(path, text)
    expect(legible('show').stderr).toContain('not begun by you')
    expect(legible('resume')).toMatchObject({ status: 2, stderr: expect.stringContaining('--trust') })
    expect(existsSync(join(dir, 'owned'))).toBe(false)
    expect(env.HOME).toBe(folder)
  })

  test('a run that is not there, and a file that is none', () => {
    const { legible, dir } = project({ 'r.agent': research })
    expect(legible('show')).toMatchObject({
      status: 2,
      stderr: 'legible: there are no runs in this folder\n',
    })
    legible('run', 'r.agent', '-i', 'topic=tea')
    expect(legible('show', 'ffffffff').stderr).toContain('there is no run "ffffffff"')
    writeFileSync(join(dir, '.legible/runs/00000000.jsonl'), 'nonsense\n')
    expect(legible('show', '00000000')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('line 1 is damaged'),
    })
    expect(legible('runs').status).toBe(0)
  })

  test('explain shows what would be sent, and asks nobody', () => {
    const { legible, dir } = project({ 'r.agent': research })
    const { stdout, status } = legible('explain', 'r.agent')
    expect(status).toBe(0)
    expect(stdout).toContain('system    Speak for ‹topic›')
    expect(stdout).toContain('user      Report on ‹summary›')
    expect(JSON.parse(legible('explain', 'r.agent', '--json').stdout).questions).toHaveLength(4)
    expect(existsSync(join(dir, '.legible'))).toBe(false)
  })
})
