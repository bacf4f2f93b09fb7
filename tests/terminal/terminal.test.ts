// The terminal layer of the command, on real terminals.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openPty, type Pty, type PtyOptions } from './pty.ts'

// A process of its own for each, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'legible-terminal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = fileURLToPath(new URL('./echo-program.ts', import.meta.url))
const open: Pty[] = []
afterAll(() => {
  for (const pty of open) pty.close()
})

function openOn(command: string, args: readonly string[], options?: PtyOptions): Pty {
  const pty = openPty(command, args, options)
  open.push(pty)
  return pty
}

async function start(options?: PtyOptions & { history?: string }): Promise<Pty> {
  const history = options?.history === undefined ? [] : [options.history]
  const pty = openOn(process.execPath, [program, ...history], options)
  await pty.waitFor('> ')
  return pty
}

const line = (text: string) => JSON.stringify({ kind: 'line', text })
/** The whole screen, with nothing of how wide it is. */
const unbroken = (pty: Pty) => pty.screen().join('')
/** A message comes out as it was meant. */
const sends = (pty: Pty, text: string) => pty.waitFor(() => unbroken(pty).includes(line(text)))

describe.concurrent('a line', () => {
  test('is edited', async () => {
    const pty = await start()
    pty.write('world')
    pty.key('ctrl-a')
    pty.write('hello ')
    pty.key('ctrl-e')
    pty.write('?!')
    pty.key('backspace')
    pty.key('left')
    pty.key('delete')
    pty.key('enter')
    await sends(pty, 'hello world')
    pty.write('one two three')
    pty.key('ctrl-w')
    pty.key('enter')
    await sends(pty, 'one two ')
  })

  test('has wide characters, and emoji', async () => {
    const pty = await start({ cols: 20 })
    pty.write('日本語のとても長い行です 👍🏽 é')
    pty.key('left')
    pty.key('left')
    pty.key('backspace')
    pty.key('enter')
    // Left of the space stands the colour of the hand, a character of its own.
    await sends(pty, '日本語のとても長い行です 👍 é')
    expect(pty.screen().join('')).toContain('> 日本語のとても長い行です')
  })

  test('of bytes that come one by one', async () => {
    const pty = await start()
    // Written as bytes: a string would be sent as whole characters.
    for (const byte of Buffer.from('é日👍\x1b[D!\r')) {
      pty.write(Buffer.from([byte]))
      await sleep(2)
    }
    await sends(pty, 'é日!👍')
  })

  test('goes on after Alt-Enter, and after a backslash', async () => {
    const pty = await start()
    pty.write('one')
    pty.key('alt-enter')
    await pty.waitFor('… ')
    pty.write('two\\\rthree\r')
    await sends(pty, 'one\ntwo\nthree')
    pty.write('C:\\\\\r')
    await sends(pty, 'C:\\\\')
  })

  test('is completed', async () => {
    const pty = await start()
    pty.write('/h')
    pty.key('tab')
    await pty.waitFor('/help  /history')
    pty.write('i\t\r')
    await sends(pty, '/history ')
  })

  test('is not what Ctrl-C dropped, and Ctrl-D ends it', async () => {
    const pty = await start()
    pty.write('never mind')
    pty.key('ctrl-c')
    await pty.waitFor('{"kind":"interrupt"')
    pty.write('ab')
    pty.key('left')
    pty.key('ctrl-d')
    pty.key('enter')
    await sends(pty, 'a')
    pty.key('ctrl-d')
    await pty.waitFor('{"kind":"end"}')
    expect(await pty.exit).toEqual({ code: 0, signal: undefined })
  })

  test('follows the width', async () => {
    const pty = await start({ cols: 60 })
    pty.write('above\r')
    await sends(pty, 'above')
    const text = 'a line that is rather long and takes more than one row'
    pty.write(text)
    await pty.waitFor('one row')
    for (const [i, cols] of [20, 33, 90, 15, 60].entries()) {
      pty.resize(cols, 24)
      // The program asks where the cursor is, and draws the line again.
      await pty.waitFor(() => pty.raw.split('\x1b[6n')[i + 1]?.includes(text) ?? false)
      expect(unbroken(pty)).toContain(`> ${text}`)
    }
    pty.key('home')
    pty.write('X')
    await pty.waitFor((screen) => screen.at(-1) === `> X${text}`)
    // Nothing of it stands there twice, and nothing above it is gone.
    expect(pty.screen()).toEqual(['> above', line('above'), `> X${text}`])
    pty.key('enter')
    await sends(pty, `X${text}`)
  })
})

describe.concurrent('history', () => {
  test('is there in the next run, a message of several lines as one', async () => {
    const history = join(folder, 'kept', 'history')
    const first = await start({ history })
    first.write('first\r')
    await sends(first, 'first')
    first.paste('two\nlines')
    first.write('\r')
    await sends(first, 'two\nlines')
    first.write(' secret\r')
    await sends(first, ' secret')
    first.write('/quit\r')
    await first.exit
    const second = await start({ history })
    second.key('up')
    second.key('up')
    await second.waitFor('> [2 lines: two…]')
    second.write('\r')
    await sends(second, 'two\nlines')
    second.write('fi')
    second.key('up')
    await second.waitFor('> first')
    second.key('enter')
    await sends(second, 'first')
  })
})

describe.concurrent('a paste', () => {
  test('of many lines is one message', async () => {
    const pty = await start()
    const text = Array.from({ length: 12 }, (_, i) => `line ${i}\tof it`).join('\n')
    pty.write('Look: ')
    pty.paste(text)
    await pty.waitFor('> Look: [12 lines pasted]')
    pty.paste(text.toUpperCase())
    await pty.waitFor('[12 lines pasted #2]')
    pty.write('.\r')
    await sends(pty, `Look: ${text}${text.toUpperCase()}.`)
  })

  test('of one line is text like any other; what a terminal would obey is left out', async () => {
    const pty = await start()
    pty.paste('red \x1b[31malert\x07\x9b')
    pty.write('!\r')
    await sends(pty, 'red alert!')
  })

  test('is taken away as a whole', async () => {
    const pty = await start()
    pty.paste('a\nb')
    await pty.waitFor('[2 lines pasted]')
    pty.key('backspace')
    pty.write('nothing\r')
    await sends(pty, 'nothing')
  })

  test('whose marks are cut apart is a paste', async () => {
    const pty = await start()
    for (const part of ['\x1b', '[20', '0', '~one\r', 'two', '\x1b[', '201', '~', '\r']) {
      pty.write(part)
      await sleep(20)
    }
    await sends(pty, 'one\ntwo')
  })

  test('that never ends can be stopped', async () => {
    const pty = await start()
    pty.write('\x1b[200~one\rtwo')
    await sleep(50)
    pty.key('ctrl-c')
    await pty.waitFor('{"kind":"interrupt"')
  })
})

describe.concurrent('while nobody asks', () => {
  test('what is typed is kept for the next line', async () => {
    const pty = await start()
    pty.write('wait 300\r')
    await pty.waitFor('waiting')
    pty.write('typed ')
    pty.paste('a\nb')
    pty.write('\rand more')
    await sends(pty, 'typed a\nb')
    await pty.waitFor('> and more')
  })

  test('Ctrl-C stops the reply, not the program', async () => {
    const pty = await start()
    pty.write('flood\r')
    await pty.waitFor('word word word word')
    pty.key('ctrl-c')
    await pty.waitFor('"stopped"')
    pty.write('still here\r')
    await sends(pty, 'still here')
  })
})

describe.concurrent('an answer', () => {
  test('is a word, or enough of it', async () => {
    const pty = await start()
    for (const [typed, answer] of [
      ['y', 'yes'],
      ['N', 'no'],
      ['alw', 'always'],
      ['never', 'never'],
    ]) {
      pty.write('ask\r')
      await pty.waitFor((screen) => screen.at(-1)?.endsWith('[nev]er? ') ?? false)
      pty.write(`${typed}\r`)
      await pty.waitFor(`{"kind":"answer","answer":"${answer}"}`)
    }
  })

  test('is neither typed before the question, nor pasted, nor half a word', async () => {
    const pty = await start()
    pty.write('ask 200\r')
    await sends(pty, 'ask 200')
    pty.write('yes\r')
    await pty.waitFor('May it run?')
    // And on after it without a pause.
    for (const key of 'y\ryes\r') {
      pty.write(key)
      await sleep(10)
    }
    await pty.waitFor('er? ')
    pty.paste('yes')
    pty.paste('yes\n')
    for (const [i, typed] of ['a\r', '\r', 'ne\r', 'yesterday\r'].entries()) {
      pty.write(typed)
      await pty.waitFor((screen) => {
        const refused = screen.filter((shown) => shown.startsWith('Please type one of these'))
        return refused.length === i + 1 && screen.at(-1) === '[y]es, [n]o, [alw]ays, [nev]er? '
      })
    }
    expect(pty.raw).not.toContain('"answer"')
    pty.key('ctrl-c')
    await pty.waitFor('{"kind":"interrupt"')
    // What was typed too early is what is written next.
    await sends(pty, 'yes')
  })

  test('is none at the end of the input', async () => {
    const pty = await start()
    pty.write('ask\r')
    await pty.waitFor('er? ')
    pty.key('ctrl-d')
    await pty.waitFor('{"kind":"end"}')
  })
})

describe.concurrent('text of a model', () => {
  test('is styled, and never obeyed', async () => {
    const pty = await start()
    const text = '# Title\n- **bold** \x1b[2J\x1b]0;owned\x07 [go](https://a.example)\n```\n*kept*\n```'
    pty.write(`md ${JSON.stringify(text)}\r`)
    await pty.waitFor('*kept*')
    await pty.waitFor((screen) => screen.at(-1) === '> ')
    const at = pty.screen().indexOf('Title')
    expect(pty.screen().slice(at)).toEqual([
      'Title',
      '• bold \\u001b[2J\\u001b]0;owned\\u0007 go (https://a.example)',
      '```',
      '*kept*',
      '```',
      '> ',
    ])
    expect(pty.raw).toContain('\x1b[1mbold\x1b[22m')
    expect(pty.raw).not.toContain('\x1b]0;')
  })
})

describe.concurrent('reasoning', () => {
  test('is counted in one line, and unfolded in the middle', async () => {
    const pty = await start()
    pty.write('think 80\r')
    await pty.waitFor(/▸ thinking… \d\d+ words {2}\(Ctrl-T shows them\)$/)
    pty.key('ctrl-t')
    await pty.waitFor(/(│ one two three four five\n){5}/)
    pty.key('ctrl-t')
    await pty.waitFor(/▸ thinking… \d+ words/)
    await pty.waitFor(/▸ thought for \d s, 400 words\n/)
    const shown = pty.screen()
    expect(shown.filter((each) => each.includes('thinking'))).toEqual([])
    expect(shown.filter((each) => each.startsWith('▸'))).toHaveLength(1)
  })

  test('stays in one line when the window changes', async () => {
    const pty = await start({ cols: 60 })
    pty.write('think 80\r')
    await pty.waitFor('thinking…')
    for (const cols of [30, 18, 70, 25]) {
      pty.resize(cols, 24)
      await pty.waitFor((screen) => {
        const counting = screen.filter((each) => each.includes('▸') || each.includes('shows'))
        return counting.length === 1 && counting[0]!.length < cols && /…$|\)$/.test(counting[0]!)
      })
    }
    await pty.waitFor('▸ thought for')
    expect(pty.screen().filter((each) => each.includes('▸'))).toHaveLength(1)
    expect(unbroken(pty)).toContain(line('think 80'))
  })
})

describe.concurrent('the terminal is given back', () => {
  const modes = async (pty: Pty) => {
    pty.write('stty -a; echo done=$?\r')
    await pty.waitFor('done=0')
    return pty.screen().join(' ')
  }
  const shell = async () => {
    const pty = openOn('sh', ['-i'], { env: { PS1: '$ ', ENV: '' } })
    await pty.waitFor('$ ')
    pty.write(`'${process.execPath}' '${program}'\r`)
    await pty.waitFor((screen) => screen.at(-1) === '> ')
    return pty
  }
  const sane = /(?<!-)icanon.*(?<!-)echo /

  test.each([
    ['at the end', (pty: Pty) => pty.write('/quit\r')],
    ['when it is terminated', (pty: Pty) => pty.write('die SIGTERM\r')],
    ['when it fails', (pty: Pty) => pty.write('fail\r')],
  ])('%s', async (_how, end) => {
    const pty = await shell()
    expect(pty.raw).toContain('\x1b[?2004h')
    end(pty)
    await pty.waitFor((screen) => screen.at(-1) === '$ ')
    expect(await modes(pty)).toMatch(sane)
    expect(pty.raw.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(pty.raw.lastIndexOf('\x1b[?2004h'))
  })

  test('by Ctrl-Z, until it is continued', async () => {
    const pty = await shell()
    pty.write('half a ')
    await pty.waitFor('half a')
    pty.key('ctrl-z')
    await pty.waitFor((screen) => screen.at(-1) === '$ ')
    expect(await modes(pty)).toMatch(sane)
    pty.write('fg\r')
    await pty.waitFor((screen) => screen.at(-1) === '> half a ')
    pty.write('line\r')
    await sends(pty, 'half a line')
    pty.write('/quit\r')
    await pty.waitFor((screen) => screen.at(-1) === '$ ')
  })
})
