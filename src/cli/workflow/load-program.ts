import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Program, programOf } from '../../agentfile/run/program.ts'
import type { Agentfile } from '../../agentfile/syntax/agentfile.ts'
import { openAgentfile, readWithFiles } from '../agentfile-files.ts'
import { formatIssues, wantsColor } from '../print-issues.ts'
import { UsageError } from '../usage-error.ts'

/** The program of an Agentfile. What is wrong with the file is shown; a UsageError ends it if that is an error. */
export async function loadProgram(given: string, quiet = false): Promise<Program> {
  const file = isFolder(given) ? join(given, 'Agentfile') : given
  const input = await openAgentfile(file)
  const { read, files } = readWithFiles(file, input)
  const color = wantsColor(process.stderr.isTTY, process.env)
  const errors = read.issues.filter(({ severity }) => severity === 'error')
  const frames = formatIssues(input.text, input.name, read.ok ? read.issues : errors, color)
  if (!read.ok)
    throw new UsageError('cli.invalid_workflow', `${input.name} cannot be run:\n${frames.trimEnd()}`)
  if (!quiet && frames !== '') process.stderr.write(frames)
  return programOf(read.value as Agentfile, files)
}

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
