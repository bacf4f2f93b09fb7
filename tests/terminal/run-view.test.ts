// A run of a workflow as it is shown on real terminals.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openPty, type Pty, type PtyOptions } from './pty.ts'
import { recordGoals, recordResearch } from './run-view-script.ts'

// A process of its own for each, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const program = fileURLToPath(new URL('./run-view-program.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'legible-run-view-'))
const open: Pty[] = []
afterAll(() => {
  for (const pty of open) pty.close()
  rmSync(folder, { recursive: true, force: true })
})
const research = join(folder, 'research.json')
writeFileSync(research, JSON.stringify(await recordResearch()))
const many = join(folder, 'many.json')
writeFileSync(many, JSON.stringify(await recordGoals(12)))

function start(args: readonly string[], options: PtyOptions = {}): Pty {
  const env = { TERM_PROGRAM: undefined, ...options.env }
  const pty = openPty(process.execPath, [program, ...args], { cols: 101, ...options, env })
  open.push(pty)
  return pty
}

/** The program whose emulator reads what is written: it moves the cursor in its own way. */
const known = { TERM_PROGRAM: 'vscode' }

/** Without what differs from run to run. */
const plain = (lines: readonly string[]) =>
  lines.map((line) => line.replace(/ *\d+\.\d s/g, '').replace(/ +/g, ' '))

const tree = [
  'research solid-state batteries rehearsal model (offline): see --model',
  '├─ ✓ scout summary 440 tokens',
  '│ ├─ ✓ optimist points: 4',
  '│ ├─ ✓ critic issues: 3 · 1 call',
  '│ └─ ✓ synthesis',
  '├─ ✓ weigh confidence: 0.8 660 tokens',
  '│ ├─ ✓ supervisor again: Have the numbers checked.',
  '│ └─ ✓ try 2 confidence: 0.8',
  '│ ├─ ✓ checker The numbers are right.',
  '│ └─ ✓ supervisor continue',
  '└─ ✓ report final_report: A first draft. 220 tokens',
  ' ├─ ✓ version 1 final_report: A first draft.',
  ' └─ ✓ version 2 nothing left to do',
  'run 7f3a completed in · legible show 7f3a',
]

const manyTree = (goals: number) => [
  'many rehearsal model (offline): see --model',
  ...Array.from({ length: goals }, (_, i) => {
    const isLast = i === goals - 1
    return [
      `${isLast ? '└' : '├'}─ ✓ goal_${i + 1} goal_${i + 1}_result: 7 220 tokens`,
      `${isLast ? '' : '│'} ├─ ✓ worker found: 2`,
      `${isLast ? '' : '│'} └─ ✓ synthesis`,
    ]
  }).flat(),
  'run 7f3a completed in · legible show 7f3a',
]

const hasCursor = (pty: Pty) => pty.raw.lastIndexOf('\x1b[?25h') > pty.raw.lastIndexOf('\x1b[?25l')

const framesOf = (pty: Pty) => pty.raw.split('\x1b[?2026h').length

describe.concurrent('a run on a terminal', () => {
  test('is a tree that stays', async () => {
    const pty = start([research, '10'])
    await pty.waitFor('⠋', 15_000)
    expect(await pty.exit).toEqual({ code: 0, signal: undefined })
    expect(plain(pty.screen())).toEqual(tree)
    expect(hasCursor(pty)).toBe(true)
  })

  test.each([[8], [3], [2], [1]])('with more goals than there are rows: %i', async (rows) => {
    const pty = start([many, '4'], { rows })
    await pty.exit
    expect(plain(pty.screen())).toEqual(manyTree(12))
  })

  // What has scrolled away cannot be taken back, so it is not so narrow and low at once that broken lines do not fit.
  test.each([
    ['width', known, ['40x12', '120x12', '60x12', '60x5', '101x20', '60x30', '101x30']],
    ['height', {}, ['101x5', '101x20', '101x12', '101x6', '101x30']],
  ] as const)('in a window that changes its %s', async (_, env, sizes) => {
    const pty = start([research, '25'], { rows: 12, env })
    await pty.waitFor('scout', 15_000)
    for (const size of sizes) {
      const [wide = 0, high = 0] = size.split('x').map(Number)
      const before = framesOf(pty)
      pty.resize(wide, high)
      await pty.waitFor(() => framesOf(pty) > before + 1, 15_000)
    }
    await pty.exit
    // Lines are as wide as the window was; each is there once.
    const screen = plain(pty.screen()).join('\n')
    for (const name of ['scout', 'optimist', 'critic', 'weigh', 'try 2', 'checker', 'report', 'version 1'])
      expect(screen.match(new RegExp(`✓ ${name}`, 'g')), `${name} in\n${screen}`).toHaveLength(1)
    expect(screen).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
    expect(hasCursor(pty)).toBe(true)
  })

  test('in a window of one column and one row, and back', async () => {
    const pty = start([research, '20'], { rows: 12, env: known })
    await pty.waitFor('scout', 15_000)
    pty.resize(1, 1)
    const before = framesOf(pty)
    await pty.waitFor(() => framesOf(pty) > before + 1, 15_000)
    pty.resize(101, 12)
    expect(await pty.exit).toEqual({ code: 0, signal: undefined })
    expect(plain(pty.screen()).slice(-2)).toEqual(tree.slice(-2))
  })

  test('gets nothing of what a model wrote that a terminal would obey', async () => {
    const pty = start([research, '5', 'hostile'])
    await pty.waitFor('\\u001b[?1049h', 15_000)
    await pty.exit
    expect(plain(pty.screen())).toEqual(tree)
    for (const text of ['\x1b]', '\x1b[2J', '\x1b[H', '\x07', '\x9b', '\u202e', '\u2066', '\u200b', '\t'])
      expect(pty.raw).not.toContain(text)
  })

  test('gives way to a question', async () => {
    const pty = start([research, '5', 'ask'])
    await pty.waitFor('Is scout fine?', 15_000)
    await pty.exit
    const screen = plain(pty.screen())
    expect(screen.filter((line) => !line.startsWith('Is '))).toEqual(tree)
    expect(screen.indexOf('Is scout fine?')).toBe(1)
    expect(screen.indexOf('Is weigh fine?')).toBeGreaterThan(screen.indexOf(tree[1] as string))
  })

  test.each([
    ['SIGTERM', ''],
    ['SIGINT', ''],
    ['SIGHUP', ''],
    // Two that give the terminal back, whoever hears of it first.
    ['SIGTERM', 'keys-before'],
    ['SIGTERM', 'keys-after'],
  ])('ends at %s %s', async (signal, keys) => {
    const pty = start([research, '10', signal, keys])
    expect((await pty.exit).signal).toBeGreaterThan(0)
    expect(hasCursor(pty)).toBe(true)
    // What stood there stays, unless somebody else ends the program.
    if (keys !== 'keys-after') expect(pty.screen().join('\n')).toMatch(/‖ scout/)
  })

  test('says that it was cancelled', async () => {
    const pty = start([research, '50', 'cancel'])
    await pty.waitFor('critic', 15_000)
    pty.key('ctrl-c')
    expect((await pty.exit).code).toBe(130)
    expect(hasCursor(pty)).toBe(true)
    expect(pty.screen().at(-1)).toMatch(/^run 7f3a cancelled after .* · legible resume 7f3a$/)
    expect(pty.screen().filter((line) => line.includes('scout'))).toHaveLength(1)
  })

  test('leaves the cursor when the program breaks', async () => {
    const pty = start([research, '20', 'fail'])
    expect((await pty.exit).code).toBe(1)
    expect(hasCursor(pty)).toBe(true)
    expect(pty.screen().join('\n')).toContain('Error: as asked')
    expect(pty.screen().join('\n')).toMatch(/‖ scout/)
  })

  test('can be stopped and continued', async () => {
    const pty = start([research, '10', 'SIGTSTP'])
    await pty.waitFor('critic', 15_000)
    await pty.waitFor((screen) => screen.length === 1, 15_000)
    expect(hasCursor(pty)).toBe(true)
    expect(await pty.exit).toEqual({ code: 0, signal: undefined })
    expect(plain(pty.screen())).toEqual(tree)
  })
})
