import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type RecordedRun,
  recordGoals,
  recordResearch,
  recordRun,
} from '../../../tests/terminal/run-view-script.ts'
import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import { noUsage } from '../../model/usage.ts'
import { createRunView } from './create-run-view.ts'
import type { RunView } from './run-view.ts'

// A real terminal, with an emulator that reads what is written, is in tests/terminal.
class Output extends EventEmitter {
  columns = 101
  rows = 24
  writes: string[] = []
  write(text: string): boolean {
    this.writes.push(text)
    return true
  }
  get text(): string {
    return this.writes.join('')
  }
}

// Those that a view may write, and no others.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they begin
const sequence = /\x1b\[(\?(2026|25|7)[hl]|[KJ]|\d+A|\d+m)/g

/** The rows that a write draws, without what moves the cursor; printed lines are among them. Times and spinners vary. */
const linesOf = (write: string) =>
  write
    .replace(/\d+\.\d s/g, '#.# s')
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠋')
    .replace(sequence, '')
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.trimEnd())

interface Shown {
  readonly view: RunView
  readonly output: Output
  /** What was drawn last. */
  frame(): string[]
}

function open(
  run: Pick<RecordedRun, 'program' | 'inputs'>,
  options: { live: boolean; color?: boolean },
): Shown {
  const output = new Output()
  const view = createRunView({
    output: output as unknown as NodeJS.WriteStream,
    color: options.color ?? false,
    live: options.live,
    program: run.program,
    inputs: run.inputs,
    runId: '7f3a',
    model: 'gpt-5',
    isRehearsal: false,
  })
  opened.push(view)
  return { view, output, frame: () => linesOf(output.writes.at(-1) ?? '') }
}

// On a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 })

const opened: RunView[] = []
let research: RecordedRun

beforeEach(async () => {
  research ??= await recordResearch()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  for (const view of opened.splice(0)) view.close()
  vi.useRealTimers()
})

/** Each event takes some time. */
function play({ view }: Shown, events: readonly WorkflowEvent[], milliseconds: number): void {
  for (const event of events) {
    view.show(event)
    vi.advanceTimersByTime(milliseconds)
  }
}

const until = (events: readonly WorkflowEvent[], type: string, n = 1) => {
  let left = n
  const i = events.findIndex(
    (event) => (event.type === 'worker-event' ? event.event.type : event.type) === type && --left === 0,
  )
  return events.slice(0, i + 1)
}

const totals = { variables: {}, goals: {}, usage: noUsage, cost: 0, turns: 0, calls: 0 }
const outcomeOf = (why: object) => ({ ...totals, ...why }) as WorkflowOutcome

describe('a terminal', () => {
  test('shows who works on what while it streams', () => {
    const shown = open(research, { live: true })
    play(shown, until(research.events, 'text-delta', 3), 10)
    vi.advanceTimersByTime(200)
    expect(shown.frame()).toEqual([
      '└─ ⠋ scout                 2 agents in parallel                                 #.# s     330 tokens',
      '   ├─ ✓ optimist           points: 4                                            #.# s',
      '   ├─ ✓ critic             issues: 3 · 1 call                                   #.# s',
      '   └─ ⠋ synthesis          {"summary":"                                         #.# s',
    ])
    play(shown, until(research.events, 'text-delta', 8).slice(-5), 100)
    expect(shown.frame().at(-1)).toBe(
      '   └─ ⠋ synthesis          … batteries come, but later than it was said, and    #.# s',
    )
  })

  test('shows a call while it runs', () => {
    const shown = open(research, { live: true })
    play(shown, until(research.events, 'call-start'), 10)
    vi.advanceTimersByTime(100)
    expect(shown.frame().join('\n')).toContain('critic             → lookup {"term":"dendrites"}')
  })

  test('keeps the whole tree as text', () => {
    const shown = open(research, { live: true })
    play(shown, research.events, 10)
    shown.view.end(research.outcome)
    const [tree = '', last = ''] = shown.output.writes.slice(-2)
    expect(linesOf(tree)).toEqual([
      '├─ ✓ scout                 summary                                              #.# s     440 tokens',
      '│  ├─ ✓ optimist           points: 4                                            #.# s',
      '│  ├─ ✓ critic             issues: 3 · 1 call                                   #.# s',
      '│  └─ ✓ synthesis                                                               #.# s',
      '├─ ✓ weigh                 confidence: 0.8                                      #.# s     660 tokens',
      '│  ├─ ✓ supervisor         again: Have the numbers checked.                     #.# s',
      '│  └─ ✓ try 2              confidence: 0.8                                      #.# s',
      '│     ├─ ✓ checker         The numbers are right.                               #.# s',
      '│     └─ ✓ supervisor      continue                                             #.# s',
      '└─ ✓ report                final_report: A first draft.                         #.# s     220 tokens',
      '   ├─ ✓ version 1          final_report: A first draft.                         #.# s',
      '   └─ ✓ version 2          nothing left to do                                   #.# s',
      '',
    ])
    expect(linesOf(last)).toEqual(['run 7f3a completed in #.# s · legible show 7f3a', ''])
    expect(linesOf(shown.output.text)[0]).toBe(
      `research  solid-state batteries${' '.repeat(100 - 31 - 5)}gpt-5`,
    )
  })

  test('is written to ten times a second, and not without need', () => {
    const shown = open(research, { live: true })
    play(shown, until(research.events, 'text-delta', 3), 1)
    vi.advanceTimersByTime(1000 - 3)
    expect(shown.output.writes.length).toBeLessThanOrEqual(10)
    shown.view.pause()
    const { length } = shown.output.writes
    play(shown, research.events.slice(8), 100)
    expect(shown.output.writes).toHaveLength(length)
  })

  test('a run that is taken up tells all at once: nothing spins, and what is over is short', () => {
    const shown = open(research, { live: true })
    for (const event of until(research.events, 'goal-end', 2)) shown.view.show(event)
    for (const event of research.events.slice(until(research.events, 'goal-end', 2).length, -8))
      shown.view.show(event)
    expect(shown.output.writes).toEqual([])
    vi.advanceTimersByTime(100)
    expect(shown.output.writes).toHaveLength(1)
    expect(shown.frame().slice(1)).toEqual([
      '├─ ✓ scout                 summary                                                        440 tokens',
      '├─ ✓ weigh                 confidence: 0.8                                                660 tokens',
      expect.stringMatching(/^└─ . report/),
      expect.stringMatching(/^ {3}└─ . version 1/),
    ])
  })

  test('gives way to a question, and comes back', () => {
    const shown = open(research, { live: true })
    play(shown, until(research.events, 'goal-start', 2), 10)
    vi.advanceTimersByTime(100)
    shown.view.pause()
    // What is over stays above the question.
    expect(shown.frame()[0]).toMatch(/^├─ ✓ scout/)
    expect(shown.frame().at(-1)).toBe('')
    expect(shown.output.writes.at(-1)?.endsWith('\x1b[?25h')).toBe(true)
    shown.view.pause()
    shown.view.resume()
    vi.advanceTimersByTime(500)
    expect(shown.frame()[0]).toMatch(/^├─ ✓ scout/)
    shown.view.resume()
    vi.advanceTimersByTime(100)
    expect(shown.frame()).toEqual([expect.stringMatching(/^└─ . weigh/)])
    shown.view.end(outcomeOf({ kind: 'cancelled', reason: undefined }))
    // It is not printed again.
    expect(linesOf(shown.output.writes.at(-2) ?? '')).toEqual([expect.stringMatching(/^└─ ‖ weigh/), ''])
  })

  test('has as many rows as it has', async () => {
    const run = await recordGoals(40)
    const shown = open(run, { live: true })
    shown.output.rows = 6
    for (const event of run.events) {
      shown.view.show(event)
      vi.advanceTimersByTime(50)
      const up = /\[(\d+)A/.exec(shown.output.writes.at(-1) ?? '')
      expect(Number(up?.[1] ?? 0)).toBeLessThan(6)
    }
    shown.view.end(run.outcome)
    // All of them are on paper, once, with what is below them.
    for (let n = 1; n <= 40; n++) expect(shown.output.text).toMatch(new RegExp(`✓ goal_${n} `))
  })

  test('shows those who work when not all fit, and all in the end', () => {
    const shown = open(research, { live: true })
    shown.output.rows = 7
    shown.view.show({ type: 'goal-start', path: 'main/scout', goal: 'scout' })
    // Told again, it is the same goal.
    shown.view.show({ type: 'goal-start', path: 'main/scout', goal: 'scout' })
    const worker = (n: number) => ({ path: `main/scout/a${n}`, role: 'agent', name: `a${n}` }) as const
    for (let n = 1; n <= 20; n++) shown.view.show({ type: 'worker-start', ...worker(n), model: 'm' })
    for (let n = 1; n <= 10; n++)
      shown.view.show({ type: 'worker-end', ...worker(n), text: 'x', usage: noUsage })
    vi.advanceTimersByTime(100)
    expect(shown.frame().slice(1)).toEqual([
      expect.stringMatching(/^└─ ⠋ scout/),
      ...[11, 12, 13, 14].map((n) => expect.stringMatching(new RegExp(`^ {3}├─ ⠋ a${n} `))),
      '└─ … 16 more',
    ])
    shown.view.close()
    expect(shown.frame()).toHaveLength(22)
  })

  test('of any size, with any names and texts, gets lines that fit', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 130 }),
        fc.integer({ min: 1, max: 30 }),
        texts,
        (wide, high, text) => {
          const shown = open(research, { live: true, color: true })
          shown.output.columns = wide
          shown.output.rows = high
          for (const [i, event] of research.events.entries()) {
            shown.view.show(event)
            if (event.type === 'worker-start') {
              const delta = { type: 'text-delta', text: `${text}\x1b[2J\u202e` } as const
              shown.view.show({ type: 'worker-event', path: event.path, event: delta })
            }
            if (i % 4 === 0) vi.advanceTimersByTime(100)
          }
          shown.view.close()
          // Nothing but what we write ourselves.
          const lines = new Set(shown.output.writes.flatMap(linesOf))
          const most = Math.max(1, wide - 1)
          const wrong = [...lines].filter((line) => {
            const { text: safe, width } = columns(line)
            return safe !== line || width > most
          })
          expect(wrong).toEqual([])
        },
      ),
      { numRuns: 12 },
    )
  })

  test('listens to nothing when it is closed', () => {
    const before = process.eventNames().map((name) => process.listenerCount(name))
    const shown = open(research, { live: true })
    play(shown, research.events.slice(0, 5), 10)
    shown.view.close()
    shown.view.close()
    expect(process.eventNames().map((name) => process.listenerCount(name))).toEqual(before)
    expect(shown.output.listenerCount('resize')).toBe(0)
    // It stays as it stood.
    expect(shown.frame()[1]).toMatch(/‖ scout/)
  })
})

describe('how a run ended', () => {
  const ending = (outcome: object, live = true) => {
    const shown = open(research, { live })
    play(shown, until(research.events, 'call-start'), 10)
    shown.view.end(outcomeOf(outcome))
    return shown.output.writes.slice(live ? -2 : 0).flatMap((write) => linesOf(write).slice(0, -1))
  }

  test.each([
    [
      { kind: 'not-converged', unconverged: ['a', 'b'] },
      /^run 7f3a ended in .* s, not converged: a, b · legible show 7f3a$/,
    ],
    [
      { kind: 'limit', limit: 'tokens', most: 10, path: '' },
      /^run 7f3a stopped: the limit of 10 for tokens is used up · legible resume 7f3a$/,
    ],
    [
      { kind: 'limit', limit: 'turns', most: 10, path: '' },
      /^run 7f3a stopped: 10 turns used up · legible resume 7f3a$/,
    ],
    [
      { kind: 'limit', limit: 'spawns', most: 2, path: '' },
      /^run 7f3a stopped: no more than 2 agents can be spawned · legible resume 7f3a$/,
    ],
    [{ kind: 'cancelled', reason: 0 }, /^run 7f3a cancelled after .* s · legible resume 7f3a$/],
    [
      {
        kind: 'suspended',
        judgements: [{ id: 'main/scout/judgement', goal: 'scout', text: '' }],
        approvals: [],
      },
      /^run 7f3a waits for you: 1 goal to judge · legible approve 7f3a$/,
    ],
    [
      { kind: 'failed', path: 'main/scout', reason: 'no', issues: [], provider: false },
      /^run 7f3a failed after .* s · legible resume 7f3a$/,
    ],
  ])('%j', (outcome, words) => {
    expect(ending(outcome).at(-1)).toMatch(words)
    expect(ending(outcome, false).at(-1)).toMatch(words)
  })

  test('a failure stands where it happened', () => {
    const lines = ending({
      kind: 'failed',
      path: 'main/scout/critic',
      reason: 'the reply\nis \x1b[31mbad',
      issues: [],
      provider: false,
    })
    expect(lines).toEqual([
      expect.stringMatching(/^└─ ✗ scout/),
      expect.stringMatching(/^ {3}├─ ✓ optimist/),
      expect.stringMatching(/^ {3}└─ ✗ critic {13}the reply is \\u001b\[31mbad/),
      '✗ main/scout/critic: the reply is \\u001b[31mbad',
      expect.stringContaining('failed'),
    ])
  })

  test('a call that waits stands where it waits', () => {
    const call = { id: '1', name: 'lookup', arguments: { term: 'x' } }
    const lines = ending({
      kind: 'suspended',
      judgements: [],
      approvals: [{ id: 'main/scout/critic/approval:1', tool: 'lookup', call }],
    })
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^└─ ‖ scout/),
      expect.stringMatching(/^ {3}├─ ✓ optimist/),
      expect.stringMatching(/^ {3}└─ ‖ critic {13}may it run\? lookup/),
    ])
  })
})

describe('no terminal', () => {
  test('gets a line for each thing that happens', () => {
    const shown = open(research, { live: false })
    play(shown, research.events, 10)
    shown.view.end(research.outcome)
    expect(shown.output.text).not.toContain('\x1b')
    expect(
      shown.output.text
        .replace(/\d+\.\d s/g, 'T')
        .trimEnd()
        .split('\n'),
    ).toEqual([
      'research · solid-state batteries · gpt-5',
      '▸ scout',
      '✓ scout/optimist  points: 4 · T · 110 tokens',
      '  scout/critic  → lookup {"term":"dendrites"}',
      '  scout/critic  ✓ lookup',
      '✓ scout/critic  issues: 3 · T · 220 tokens',
      '✓ scout/synthesis  summary · T · 110 tokens',
      '✓ scout  summary · T · 440 tokens',
      '▸ weigh',
      '! weigh  supervisor: again: Have the numbers checked.',
      '✓ weigh/again-1/spawn-1  The numbers are right. · T · 110 tokens',
      '✓ weigh/again-1  confidence: 0.8 · T · 220 tokens',
      '✓ weigh/again-1  supervisor: continue',
      '✓ weigh  confidence: 0.8 · T · 660 tokens',
      '▸ report',
      '✓ report/version-1  final_report: A first draft. · T · 110 tokens',
      '✓ report/version-2  nothing left to do · T · 110 tokens',
      '✓ report  final_report: A first draft. · T · 220 tokens',
      'run 7f3a completed in T · legible show 7f3a',
    ])
  })

  test('says nothing while somebody is asked', () => {
    const shown = open(research, { live: false })
    play(shown, research.events.slice(0, 1), 10)
    shown.view.pause()
    const before = shown.output.text
    play(shown, research.events.slice(1), 10)
    expect(shown.output.text).toBe(before)
    shown.view.resume()
    expect(shown.output.text).toContain('✓ report  final_report')
  })

  test('has what a model wrote on one line, without what would be obeyed', () => {
    const shown = open(research, { live: false })
    const path = 'main/scout/critic'
    shown.view.show({ type: 'goal-start', path: 'main/scout', goal: 'scout' })
    shown.view.show({ type: 'worker-start', path, role: 'agent', name: 'critic', model: 'm' })
    shown.view.show({
      type: 'worker-failed',
      path,
      role: 'agent',
      name: 'critic',
      reason: 'a\n\x1b[2J\u202eb',
    })
    expect(shown.output.text.split('\n').at(-2)).toBe('✗ scout/critic  a \\u001b[2J\\u202eb')
  })
})

describe('rounds and runs', () => {
  const source = `NAME loop
AGENT a "A."
GOAL draft "Draft."
GOAL review "Review."
GOAL publish "Publish."
RUN write USING draft, review WITHIN 2
RUN send USING publish
`
  test('have headings', async () => {
    const run = await recordRun(source, () => 'text')
    expect(run.outcome.kind).toBe('not-converged')
    const shown = open(run, { live: true })
    play(shown, run.events, 0)
    shown.view.end(run.outcome)
    const goal = (name: string, lead = '├─') => `${lead} ✓ ${name.padEnd(22)}text${' '.repeat(59)}110 tokens`
    expect(linesOf(shown.output.text).slice(1, -2)).toEqual([
      '├╴write, round 1',
      goal('draft'),
      goal('review'),
      '├╴write, round 2',
      goal('draft'),
      goal('review'),
      '├─ ! write                 not converged in 2 rounds',
      '├╴send',
      goal('publish', '└─'),
    ])
  })
})

describe('cost', () => {
  test('a thousand goals and ten thousand events take less than a second', async () => {
    const one = await recordGoals(1)
    const events = Array.from({ length: 1000 }, (_, i) =>
      one.events.map((event) => ({ ...event, path: event.path.replace('goal_1', `goal_${i}`) })),
    ).flat()
    expect(events.length).toBeGreaterThan(10_000)
    for (const live of [true, false]) {
      const shown = open(one, { live, color: true })
      const before = process.cpuUsage()
      for (const [i, event] of events.entries()) {
        shown.view.show(event)
        if (i % 30 === 0) vi.advanceTimersByTime(100)
      }
      shown.view.end(one.outcome)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6).toBeLessThan(1)
      expect(shown.output.text).toContain('goal_1 ')
      expect(shown.output.writes.length).toBeGreaterThan(300)
    }
  })

  test('of a stream the last line is kept', () => {
    const shown = open(research, { live: true })
    play(shown, until(research.events, 'worker-start', 2), 10)
    const path = 'main/scout/critic'
    const delta = (text: string): WorkflowEvent => ({
      type: 'worker-event',
      path,
      event: { type: 'text-delta', text },
    })
    for (const text of ['x'.repeat(1e6), '😀'.repeat(1e5), '\n', 'first\n\n', ' \n', 'the ', 'last 🇩🇪 漢字'])
      shown.view.show(delta(text))
    vi.advanceTimersByTime(100)
    expect(shown.frame().at(-1)).toMatch(/critic {13}the last 🇩🇪 漢字 /)
    shown.view.show(delta('😀'.repeat(1000).slice(1)))
    vi.advanceTimersByTime(100)
    expect(shown.frame().at(-1)).toMatch(/critic {13}…(😀)+ +#/u)
  })
})
