#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { columns } from '../core/columns.ts'
import { addAskCommand } from './ask.ts'
import { addAuditCommand } from './audit.ts'
import { addCallsCommand } from './calls.ts'
import { addChatCommand } from './chat.ts'
import { addCheckCommand } from './check.ts'
import { addExplainCommand } from './explain-workflow.ts'
import { addFmtCommand } from './fmt.ts'
import { addGraphCommand } from './graph.ts'
import { addPermissionsCommand } from './permissions.ts'
import { addReadCommand } from './read.ts'
import { addRehearseCommand } from './rehearse.ts'
import { addRunCommand } from './run.ts'
import { addRunsCommands } from './runs.ts'
import { UsageError } from './usage-error.ts'
import { addWorkerCommands } from './worker.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
/** A program asks: what goes wrong is data too. */
const json = process.argv.includes('--json')

// `legible read huge.txt | head`: who reads has had enough, and that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    if (stream === process.stdout) process.stderr.write(`legible: cannot write: ${error.message}\n`)
    process.exit(2)
  })
process.on('SIGINT', () => {
  // A command that has something to finish listens too.
  if (process.listenerCount('SIGINT') === 1) process.exit(130)
})

/** Colours of ours in a message. */
const color = new RegExp(`(${String.fromCharCode(27)}\\[[\\d;]*m)`)

const program = new Command('legible')
  .description('Reads what language models write.')
  .version(version)
  .exitOverride()
  .configureOutput({
    writeErr: (text) => (json ? undefined : process.stderr.write(text)),
    outputError: (text, write) => write(text.replace(/^error: /, 'legible: ')),
  })
  .showHelpAfterError('See legible --help.')
// These declare commands. What a command needs to run is loaded when it runs: each starts sooner without the others.
addReadCommand(program)
addCallsCommand(program)
addAskCommand(program)
addChatCommand(program)
addRunCommand(program)
addExplainCommand(program)
addRunsCommands(program)
addWorkerCommands(program)
addPermissionsCommand(program)
addRehearseCommand(program)
addAuditCommand(program)
addCheckCommand(program)
addFmtCommand(program)
addGraphCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  // 1 would say something about the text.
  process.exitCode = error instanceof CommanderError && error.exitCode === 0 ? 0 : 2
  if (process.exitCode === 2) report(error as Error)
}

function report(error: Error): void {
  const usage = error instanceof CommanderError
  const message = usage ? error.message.replace(/^error: /, '') : error.message
  if (json) {
    const code = usage ? 'cli.usage' : error instanceof UsageError ? error.code : 'cli.mistake_in_legible'
    process.stdout.write(`${JSON.stringify({ ok: false, error: { code, message } })}\n`)
  } else if (error instanceof UsageError) process.stderr.write(`legible: ${safe(message)}\n`)
  // Commander has said what there is to say about the usage.
  else if (!usage)
    process.stderr.write(`legible: this is a mistake in legible; please report it.\n${error.stack}\n`)
}

/** What others wrote may stand in a message. Colours are ours, or do no harm. */
function safe(message: string): string {
  const lines = message.split('\n').map((line) => {
    const parts = line.split(color)
    return parts.map((part, i) => (i % 2 === 1 ? part : columns(part).text)).join('')
  })
  return lines.join('\n')
}
