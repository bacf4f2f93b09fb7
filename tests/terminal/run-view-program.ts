// Shows a recorded run, with some time between its events.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkflowEvent } from '../../src/agentfile/run/workflow-event.ts'
import { createRunView } from '../../src/cli/run-view/create-run-view.ts'
import { openTerminal } from '../../src/cli/terminal/open-terminal.ts'
import type { RecordedRun } from './run-view-script.ts'

const [file = '', pause = '5', how = '', keys = ''] = process.argv.slice(2)
const run: RecordedRun = JSON.parse(readFileSync(file, 'utf8'))
if (keys === 'keys-before') openTerminal()
const view = createRunView({
  output: process.stdout,
  color: true,
  live: process.stdout.isTTY,
  program: run.program,
  inputs: run.inputs,
  runId: '7f3a',
  model: 'scripted',
  isRehearsal: true,
})

if (keys === 'keys-after') openTerminal()

/** What a model might write to take over a terminal. */
const hostile = [
  '\x1b[2J\x1b[H\x1b]0;owned\x07',
  '\u202eevil\u2066\u200b',
  'a\tb\rc\n\n\nd',
  '漢字👩‍👩‍👧‍👦'.repeat(200),
  'x'.repeat(20_000),
  '\x9b31m\x1b[?1049h\x1b[9999B',
]

if (how === 'cancel')
  process.on('SIGINT', () => {
    view.end({ ...run.outcome, kind: 'cancelled', reason: 'asked' } as never)
    process.exit(130)
  })

for (const [i, event] of run.events.entries()) {
  view.show(event)
  if (how === 'hostile' && event.type === 'worker-start' && event.role === 'synthesis')
    for (const text of hostile) {
      const delta = { type: 'text-delta', text } as const
      view.show({ type: 'worker-event', path: event.path, event: delta } satisfies WorkflowEvent)
      await sleep(120)
    }
  if (how === 'ask' && event.type === 'goal-end') {
    view.pause()
    process.stdout.write(`Is ${event.goal} fine?\n`)
    await sleep(150)
    view.resume()
  }
  if (how.startsWith('SIG') && i === 20) {
    await sleep(150)
    if (how === 'SIGTSTP') spawn('sh', ['-c', `sleep 0.6; kill -CONT ${process.pid}`])
    process.kill(process.pid, how)
  }
  if (how === 'fail' && i === 20) throw new Error('as asked')
  await sleep(Number(pause))
}
view.end(run.outcome)
view.close()
