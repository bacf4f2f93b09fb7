import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openTerminal } from './open-terminal.ts'

// What depends on a real terminal is in tests/terminal. Here are streams, for what is awkward to bring about on one.
function open() {
  const raised: string[] = []
  const modes: boolean[] = []
  const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => modes.push(mode) })
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  let written = ''
  output.on('data', (text) => {
    written += text
  })
  const terminal = openTerminal({
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    raise: (signal) => raised.push(signal),
  })
  const type = (text: string) => {
    input.emit('data', Buffer.from(text))
  }
  return { terminal, input, output, type, raised, modes, written: () => written }
}

describe('a line', () => {
  test('is read by one at a time', async () => {
    const { terminal, type } = open()
    const line = terminal.readLine('> ')
    await expect(terminal.readLine('> ')).rejects.toMatchObject({ code: 'terminal.busy' })
    type('a\r')
    expect(await line).toEqual({ kind: 'line', text: 'a' })
    terminal.close()
  })

  test('can be given up, and what is typed later is for the next', async () => {
    const { terminal, type } = open()
    const stop = new AbortController()
    const line = terminal.readLine('> ', { signal: stop.signal })
    type('half')
    stop.abort()
    expect(await line).toEqual({ kind: 'interrupt' })
    expect(await terminal.readLine('> ', { signal: stop.signal })).toEqual({ kind: 'interrupt' })
    type('whole\r')
    expect(await terminal.readLine('> ')).toEqual({ kind: 'line', text: 'whole' })
    terminal.close()
  })

  test('is not there at the end of the input, but what came before it is', async () => {
    const { terminal, type, input } = open()
    type('one\rtwo')
    input.emit('end')
    expect(await terminal.readLine('> ')).toEqual({ kind: 'line', text: 'one' })
    expect(await terminal.readLine('> ')).toEqual({ kind: 'end' })
    expect(await terminal.readAnswer('?', { yes: 1 })).toEqual({ kind: 'end' })
    terminal.close()
  })

  test('has nothing of keys that nobody knows', async () => {
    const { terminal, type } = open()
    const line = terminal.readLine('> ')
    type('a\x1b[12;40R\x1b[27;2;13~\x1b[<0;1;1M\x1b[?1;2c\0\x1d\u009bb')
    type('\x1b[')
    await sleep(150)
    type('Ac\x1b')
    await sleep(150)
    type('d\r')
    expect(await line).toEqual({ kind: 'line', text: 'abAcd' })
    terminal.close()
  })

  test('is put into the history', async () => {
    const { terminal, type } = open()
    const lines = ['old']
    const history = { lines, add: (text: string) => lines.push(text) }
    type('\x1b[A!\rnew\r')
    await terminal.readLine('> ', { history })
    await terminal.readLine('> ', { history })
    expect(lines).toEqual(['old', 'old!', 'new'])
    terminal.close()
  })
})

/** Asks a terminal where its cursor is. */
const WHERE = '\x1b[6n'

describe('on a terminal that breaks the line anew', () => {
  test('the rows above the cursor are those of the new width', async () => {
    const { terminal, type, output, written } = open()
    const line = terminal.readLine('> ')
    type('x'.repeat(48))
    output.columns = 20
    output.emit('resize')
    await sleep(50)
    expect(written().endsWith(WHERE)).toBe(true)
    // It stands in the third row now.
    type('\x1b[9;11R')
    expect(written().split(WHERE)[1]?.startsWith('\x1b[2A\x1b[1G\x1b[0J> x')).toBe(true)
    type('\r')
    expect(await line).toEqual({ kind: 'line', text: 'x'.repeat(48) })
    terminal.close()
  })

  test('and those of the old one where it was left as it is, or nobody answers', async () => {
    for (const answer of ['\x1b[9;20R', '']) {
      const { terminal, type, output, written } = open()
      const line = terminal.readLine('> ')
      type('x'.repeat(48))
      output.columns = 20
      output.emit('resize')
      await sleep(50)
      type(answer)
      await sleep(answer === '' ? 250 : 0)
      expect(written().split(WHERE)[1]?.startsWith('\x1b[1G\x1b[0J> x')).toBe(true)
      terminal.close()
      expect(await line).toEqual({ kind: 'end' })
    }
  })
})

describe('while nobody reads', () => {
  test('a key is heard by those who listen, until they stop', () => {
    const { terminal, type, raised } = open()
    let heard = 0
    const stop = terminal.onKey('ctrl-c', () => heard++)
    type('a\x03b')
    expect(heard).toBe(1)
    stop()
    type('\x03')
    expect(heard).toBe(1)
    expect(raised).toEqual(['SIGINT'])
    terminal.close()
  })

  test('what is typed is kept up to a bound', async () => {
    const { terminal, type } = open()
    for (let i = 0; i < 300; i++) type('x'.repeat(100))
    const line = terminal.readLine('> ')
    type('\r')
    expect(await line).toEqual({ kind: 'line', text: 'x'.repeat(10_000) })
    terminal.close()
  })
})

describe('an answer', () => {
  test('that is given up was none', async () => {
    const { terminal, type } = open()
    const stop = new AbortController()
    const answer = terminal.readAnswer('May it?', { yes: 1, no: 1 }, { signal: stop.signal })
    await sleep(300)
    type('ye')
    stop.abort()
    expect(await answer).toEqual({ kind: 'interrupt' })
    terminal.close()
  })

  test('to the first question is none to the second', async () => {
    const { terminal, type } = open()
    const first = terminal.readAnswer('One?', { yes: 1, no: 1 })
    await sleep(300)
    type('y\ry\r')
    expect(await first).toEqual({ kind: 'answer', answer: 'yes' })
    const second = terminal.readAnswer('Two?', { yes: 1, no: 1 })
    await sleep(300)
    terminal.close()
    expect(await second).toEqual({ kind: 'end' })
  })
})

test('modes are set while it is open', () => {
  const { terminal, modes, written } = open()
  expect(modes).toEqual([true])
  expect(written()).toBe('\x1b[?2004h')
  const listeners = process.listenerCount('exit')
  terminal.close()
  expect(modes).toEqual([true, false])
  expect(written()).toBe('\x1b[?2004h\x1b[?2004l')
  expect(process.listenerCount('exit')).toBe(listeners - 1)
})

test('whatever is typed, it never fails, and no message has control characters', async () => {
  const typed = fc.constantFrom(
    ...[
      'a',
      '日',
      '👍',
      '\\',
      ' ',
      '\r',
      '\x1b\r',
      '\t',
      '\x7f',
      '\x1b[3~',
      '\x1b[A',
      '\x1b[B',
      '\x1b[D',
      '\x01',
      '\x05',
      '\x17',
    ],
    ...[
      '\x0b',
      '\x19',
      '\x1f',
      '\x1e',
      '\x04',
      '\x03',
      '\0',
      '\x1b',
      '\x1b[',
      '\x1b[200~',
      '\x1b[201~',
      'x\ny',
      '\x1b]0;t\x07',
      '\u009b2J',
    ],
  )
  await fc.assert(
    fc.asyncProperty(fc.array(typed, { maxLength: 40 }), async (keys) => {
      const { terminal, type } = open()
      const history = { lines: ['one', 'two\nlines'], add() {} }
      const complete = (line: string) => [`${line}b`, `${line}c`]
      const readAll = async () => {
        for (;;) {
          const read = await terminal.readLine('> ', { history, complete })
          if (read.kind === 'end') return
          if (read.kind === 'line') expect(read.text).not.toMatch(/(?![\n\t])\p{Cc}/u)
        }
      }
      const done = readAll()
      for (const key of keys) {
        type(key)
        await Promise.resolve()
      }
      terminal.close()
      await done
    }),
    { numRuns: 200 },
  )
})
