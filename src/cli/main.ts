#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addReadCommand } from './read.ts'
import { UsageError } from './usage-error.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

// `legible read huge.txt | head`: who reads has had enough, and that is no failure.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    if (stream === process.stdout) process.stderr.write(`legible: cannot write: ${error.message}\n`)
    process.exit(2)
  })
process.on('SIGINT', () => process.exit(130))

const program = new Command('legible')
  .description('Reads what language models write.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('See legible --help.')
addReadCommand(program)

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has said what there is to say: help that was asked for, or what is wrong with the usage.
    process.exitCode = error.exitCode === 0 ? 0 : 2
  } else if (error instanceof UsageError) {
    process.stderr.write(`legible: ${error.message}\n`)
    process.exitCode = 2
  } else {
    // Not 1, which says something about the text.
    process.stderr.write(`This is a mistake in legible. Please report it.\n${(error as Error).stack}\n`)
    process.exitCode = 2
  }
}
