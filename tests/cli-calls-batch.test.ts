// `legible calls --batch` as people get it: the built file, real files, real pipes and real signals.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { call, calls, file, folder, lines, main, plain, row, weather } from './calls-command.ts'

vi.setConfig({ testTimeout: 60_000 })

describe('legible calls --batch', () => {
  it('writes a line for each row, in their order, with what it is known by', () => {
    const cities = Array.from({ length: 3000 }, (_, i) => `city ${i}`)
    // rows of very different length, so that some threads are done long before others
    const rows = cities.map((city, i) =>
      row(i, `${'word '.repeat(i % 50 === 0 ? 4000 : 1)}${call(city)}`, { model: `m${i % 7}`, other: 1 }),
    )
    const { status, stdout, stderr } = calls([
      '--batch',
      '--tools',
      'tools.json',
      file('rows.jsonl', rows.join('')),
    ])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const read = lines(stdout)
    expect(read.map(({ id }) => id)).toEqual(cities.map((_, i) => i))
    expect(read.map((one) => one.calls[0].arguments.city)).toEqual(cities)
    expect(Object.keys(read[0])).toEqual([
      'id',
      'model',
      'ok',
      'complete',
      'calls',
      'content',
      'reasoning',
      'issues',
    ])
  })

  it('gives what one text gives', () => {
    const texts = [call('Oslo', ', "days": "2"'), '<think>Hm.</think>No.', '<tool_call>{"name": "we', '']
    const { stdout } = calls(['--batch', '--tools', 'tools.json'], {
      input: texts.map((text, i) => row(i, text)).join(''),
    })
    for (const [i, one] of lines(stdout).entries()) {
      const { ok, complete, issues, value } = JSON.parse(
        calls(['--json', '--tools', 'tools.json'], { input: texts[i] ?? '' }).stdout,
      )
      const { content, reasoning, calls: found } = value
      expect(one).toEqual({ id: i, ok, complete, issues, content, reasoning, calls: found })
    }
  })

  it('takes the tools of a row before others', () => {
    const raw = call('Oslo', ', "days": "2"')
    const text = { ...weather, parameters: { type: 'object', properties: { days: { type: 'string' } } } }
    const { stdout } = calls(['--batch', '--tools', 'tools.json'], {
      input: [
        row(1, raw),
        row(2, raw, { tools: [text] }),
        row(3, raw, { tools: { tools: [{ type: 'function', function: text }] } }),
        row(4, raw, { tools: null }),
        row(5, raw, { tools: [{ name: 'other' }] }),
      ].join(''),
    })
    const read = lines(stdout)
    expect(read.slice(0, 4).map((one) => one.calls[0].arguments.days)).toEqual([2, '2', '2', 2])
    expect(read.map(({ ok }) => ok)).toEqual([true, true, true, true, false])
  })

  it('reports lines that are no rows, and goes on', () => {
    const input = [
      row('a', 'One.'),
      '{"raw": "\u001b]0;owned\n',
      '\n',
      '[]\n',
      '{"id": "b", "model": "m"}\n',
      row('c', 'x', { tools: 7 }),
      row('d', '<tool_call>{"name": "e", "arguments": {}}</tool_call>', {
        tools: [{ name: 'e', parameters: { properties: 1 } }],
      }),
      ' \r\n',
      '{"id": "last", "raw": "Two."}',
    ].join('')
    const { status, stdout, stderr } = calls(['--batch'], { input })
    expect(status).toBe(1)
    const read = lines(stdout)
    expect(read.map(({ line, id }) => line ?? id)).toEqual(['a', 2, 4, 5, 6, 7, 'last'])
    expect(read[1]).toEqual({ error: { code: 'cli.broken_line', message: expect.any(String) }, line: 2 })
    expect(read[3]).toEqual({
      id: 'b',
      model: 'm',
      error: { code: 'cli.broken_line', message: 'expected {"raw": "…"}, but there is no raw' },
      line: 5,
    })
    expect(read[4]).toMatchObject({ id: 'c', error: { code: 'cli.invalid_tools' } })
    expect(read[5]).toMatchObject({ id: 'd', error: { code: 'cli.invalid_tools' } })
    expect(stderr.match(/^legible: stdin:\d+: /gm)).toEqual(
      [2, 4, 5, 6, 7].map((line) => `legible: stdin:${line}: `),
    )
    expect(stderr).not.toContain('\u001b')
  })

  it('does not say the same a thousand times', () => {
    const { status, stdout, stderr } = calls(['--batch'], { input: 'nonsense\n'.repeat(1000) })
    expect({ status, errors: lines(stdout).filter(({ error }) => error).length }).toEqual({
      status: 1,
      errors: 1000,
    })
    expect(stderr.split('\n').length).toBeLessThan(60)
    expect(stderr).toContain('1000 lines could not be read')
  })

  it('does not read lines that are too long', () => {
    const long = row('long', 'x'.repeat(300_000))
    const input = [
      row(1, 'a'),
      long,
      row(2, 'b'),
      row('also', 'x'.repeat(1000)),
      row(3, 'c'),
      long.trim(),
    ].join('')
    const { status, stdout, stderr } = calls(['--batch', '--max-line', '500'], { input })
    expect(status).toBe(1)
    expect(lines(stdout).map(({ id, line }) => id ?? line)).toEqual([1, 2, 2, 4, 3, 6])
    expect(lines(stdout)[1].error.code).toBe('cli.line_too_long')
    expect(stderr).toContain('stdin:2: this line is longer than 500 bytes')
    expect(calls(['--batch'], { input }).status).toBe(0)
  })

  it('keeps characters whole, and warns of bytes that are no text', () => {
    const text = '東'.repeat(100_000)
    const bad = Buffer.concat([Buffer.from('{"raw": "M'), Buffer.from([0xfc]), Buffer.from('nchen"}\n')])
    const { status, stdout } = calls(['--batch'], { input: Buffer.concat([Buffer.from(row(1, text)), bad]) })
    expect(status).toBe(0)
    const [first, second] = lines(stdout)
    expect(first.content).toBe(text)
    expect(second).toMatchObject({ content: 'M\ufffdnchen', warnings: [expect.stringContaining('UTF-8')] })
  })

  it('loses a row that a thread does not survive, and no other', () => {
    const tools = file(
      'deadly.mjs',
      `console.log('loaded')
      const validate = (value) => (value.city === 'Styx' ? process.exit(7) : { value })
      export default [{ name: 'weather', input: { '~standard': { version: 1, vendor: 'x', validate } } }]`,
    )
    const input = ['Oslo', 'Styx', 'Rome', 'Styx', 'Bern'].map((city, i) => row(i + 1, call(city))).join('')
    const { status, stdout } = calls(['--batch', '--jobs', '2', '--tools', tools], { input })
    expect(status).toBe(1)
    expect(stdout.startsWith('loaded\n')).toBe(true)
    const read = lines(stdout.slice('loaded\n'.length))
    expect(read.map(({ id, line, error }) => error?.code ?? id ?? line)).toEqual([
      1,
      'cli.lost_worker',
      3,
      'cli.lost_worker',
      5,
    ])
  })

  it('says so when no thread can start, also while the input goes on', async () => {
    const tools = file(
      'shy.mjs',
      `import { isMainThread } from 'node:worker_threads'
      if (!isMainThread) throw new Error('not here')
      export default []`,
    )
    const child = spawn(process.execPath, [main, 'calls', '--batch', '--tools', tools], {
      cwd: folder,
      env: plain,
    })
    const exit = once(child, 'exit')
    child.stdin.on('error', () => undefined)
    child.stdin.write(row(1, 'Hello.'))
    const [message] = await once(child.stderr, 'data')
    expect(String(message)).toBe('legible: shy.mjs: this module cannot be loaded: not here\n')
    expect(await exit).toEqual([2, null])
  })

  it('works from the source as well', () => {
    const program = join(root, 'src/cli/main.ts')
    const { status, stdout, stderr } = calls(['--batch'], { input: row(1, call('Oslo')), program })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(lines(stdout)[0].calls).toMatchObject([{ name: 'weather' }])
  })

  it('reads nothing as no rows', () => {
    expect(calls(['--batch'])).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

describe('legible calls --batch, while it runs', () => {
  const start = (args: string[] = [], node: string[] = []) => {
    const child = spawn(process.execPath, [...node, main, 'calls', '--batch', ...args], {
      cwd: folder,
      env: plain,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    // whoever ends early does not read all
    child.stdin.on('error', () => undefined)
    return child
  }
  const collect = async (stream: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  }

  it('gives each row as soon as it is there', async () => {
    const child = start()
    const exit = once(child, 'exit')
    for (const id of [1, 2, 3]) {
      child.stdin.write(row(id, 'Hello.'))
      const [chunk] = await once(child.stdout, 'data')
      expect(lines(String(chunk))).toMatchObject([{ id }])
    }
    child.stdin.end()
    expect(await exit).toEqual([0, null])
  })

  it('finishes what it has begun when it is interrupted, and writes whole lines only', async () => {
    const child = start(['--tools', 'tools.json'])
    const exit = once(child, 'exit')
    const output = collect(child.stdout)
    const text = Array.from({ length: 20_000 }, (_, i) =>
      row(i, `${'word '.repeat(50)}${call('Oslo')}`),
    ).join('')
    child.stdin.write(text)
    await once(child.stdout, 'readable')
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
    const written = await output
    expect(written.endsWith('\n')).toBe(true)
    const read = lines(written)
    expect(read.length).toBeGreaterThan(0)
    expect(read.length).toBeLessThan(20_000)
    expect(read.map(({ id }) => id)).toEqual(read.map((_, i) => i))
  })

  it('ends when it is interrupted while it waits', async () => {
    const child = start()
    const exit = once(child, 'exit')
    const output = collect(child.stdout)
    // the second row is not whole: it is not taken for a broken one
    child.stdin.write(`${row(1, 'Hello.')}{"raw": "Hel`)
    await once(child.stdout, 'readable')
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
    expect(lines(await output)).toMatchObject([{ id: 1 }])
  })

  it('stops at once when it is interrupted twice', async () => {
    const child = start()
    const exit = once(child, 'exit')
    // nobody reads what it writes, so that it cannot finish
    child.stdin.write(Array.from({ length: 3000 }, (_, i) => row(i, 'word '.repeat(200))).join(''))
    await once(child.stdout, 'readable')
    child.kill('SIGINT')
    await sleep(500)
    expect(child.exitCode).toBe(null)
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
  })

  it('ends quietly when nobody reads on', () => {
    file('many.jsonl', Array.from({ length: 3000 }, (_, i) => row(i, 'Hello.')).join(''))
    const command = '"$0" "$1" calls --batch many.jsonl | head -n 1'
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, main], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect({ rows: lines(stdout).length, stderr }).toEqual({ rows: 1, stderr: '' })
  })

  it('takes no more rows than it can hand on', async () => {
    const child = start(['--jobs', '2'])
    const exit = once(child, 'exit')
    // what is said comes out again, so that the output is as large as the input; and nobody reads it
    const text = row(1, 'word '.repeat(100_000))
    let taken = 0
    const feed = async () => {
      for (; taken < 200; taken++) if (!child.stdin.write(text)) await once(child.stdin, 'drain')
    }
    const fed = feed().catch(() => undefined)
    for (let before = -1; before < taken || taken === 0; await sleep(1500)) before = taken
    expect(taken * text.length).toBeLessThan(40_000_000)
    child.kill('SIGKILL')
    await Promise.all([exit, fed])
  })

  // What a process has needed at the most is known on Linux only.
  it.skipIf(process.platform !== 'linux')('needs the same memory however long the input is', async () => {
    const child = start(['--jobs', '2', '--tools', 'tools.json'], ['--max-old-space-size=48'])
    const exit = once(child, 'exit')
    let peak = 0
    const watch = setInterval(() => {
      const status = readStatus(`/proc/${child.pid}/status`)
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
    }, 50)
    const count = 2000
    const counted = (async () => {
      let rows = 0
      for await (const part of child.stdout) for (const byte of part as Buffer) if (byte === 10) rows++
      return rows
    })()
    let sent = 0
    for (let i = 0; i < count; i++) {
      const text = row(i, `${'word '.repeat(20)}${call('Oslo')}`, { pad: 'x'.repeat(100_000) })
      sent += text.length
      if (!child.stdin.write(text)) await once(child.stdin, 'drain')
    }
    child.stdin.end()
    expect(await exit).toEqual([0, null])
    clearInterval(watch)
    expect({ rows: await counted, sent: sent > 200_000_000 }).toEqual({ rows: count, sent: true })
    expect(peak).toBeGreaterThan(10)
    expect(peak).toBeLessThan(300)
  })

  function readStatus(name: string): string {
    try {
      return readFileSync(name, 'utf8')
    } catch {
      return ''
    }
  }

  // `script` gives a command a terminal; where there is none, or another one, this is not tested
  const terminal = 'script'
  const hasScript = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0
  it.skipIf(!hasScript)('shows on a terminal how far it is', () => {
    file('some.jsonl', `${Array.from({ length: 300 }, (_, i) => row(i, 'Hello.')).join('')}broken\n`)
    const { stdout: shown } = spawnSync(
      terminal,
      ['-qec', `'${process.execPath}' '${main}' calls --batch some.jsonl > out.jsonl`, '/dev/null'],
      { cwd: folder, env: { ...plain, TERM: 'xterm' }, encoding: 'utf8' },
    )
    expect(shown).toMatch(/━+─* +\d+% {2}\d+ rows {2}[\d,]+ rows\/s/)
    expect(shown).toContain('legible: some.jsonl:301: this is no JSON')
    expect(shown).toMatch(/✗ 300 rows, 1 broken in \d+\.\d s: [\d,]+ rows\/s/)
    expect(lines(readFileSync(join(folder, 'out.jsonl'), 'utf8'))).toHaveLength(301)
  })
})
