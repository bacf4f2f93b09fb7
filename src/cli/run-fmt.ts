import { accessSync, type BigIntStats, constants, realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Command } from 'commander'
import { formatAgentfile } from '../agentfile/syntax/format-agentfile.ts'
import { readAgentfile } from '../agentfile/syntax/read-agentfile.ts'
import type { Issue } from '../core/issue.ts'
import { FileError } from '../tool/file/file-error.ts'
import { fileLimits } from '../tool/file/file-limits.ts'
import { styledText } from '../tool/file/file-text.ts'
import { Folder, hasDescriptorPaths } from '../tool/file/folder.ts'
import { protectedNames } from '../tool/file/protected-names.ts'
import { replaceFile } from '../tool/file/replace-file.ts'
import { findAgentfiles, openAgentfile } from './agentfile-files.ts'
import { formatIssues, wantsColor } from './print-issues.ts'
import type { Input } from './read-input.ts'
import { fileError, UsageError } from './usage-error.ts'

export interface FmtOptions {
  readonly check?: true
  readonly fix?: true
  readonly stdout?: true
}

export async function runFmt(given: readonly string[], options: FmtOptions, command: Command): Promise<void> {
  const { check, stdout } = options
  const files = findAgentfiles(given)
  if (check && stdout) command.error('error: --check prints no file: take --check or --stdout')
  if (stdout && files.length > 1) command.error('error: --stdout is for one file')
  if (files.includes('-') && files.length > 1) command.error('error: - stands alone')
  process.exitCode = 0
  for (const file of files) if (!(await fmt(file, options))) process.exitCode = 1
}

/** Whether the file is in its form, or was brought into it. */
async function fmt(file: string, { check, fix, stdout }: FmtOptions): Promise<boolean> {
  const before = file === '-' ? undefined : statsOf(file)
  const input = await openAgentfile(file)
  if (input.warnings.length > 0)
    throw new UsageError('cli.not_text', `${input.name}: this is not all UTF-8, and would not stay as it is`)
  const { ok, value, issues } = readAgentfile(input.text)
  const errors = issues.filter(({ severity }) => severity === 'error')
  if (!ok) {
    say(input, errors, `${input.name}: left as it is: it has errors`)
    return false
  }
  const old = issues.filter(({ code }) => code.startsWith('agentfile.old_'))
  const formatted = styledText(formatAgentfile(value), styleOf(input.text))
  if (old.length > 0 && !fix) {
    say(input, old, `${input.name}: left as it is: it has older spellings; --fix rewrites them`)
    if (check) process.stdout.write(`${input.name}\n`)
    return false
  }
  const isSame = formatted === input.text
  if (check) {
    if (!isSame) process.stdout.write(`${input.name}\n`)
    return isSame
  }
  if (stdout || before === undefined) process.stdout.write(formatted)
  else if (!isSame) {
    await replace(file, formatted, before)
    process.stdout.write(`${file}\n`)
  }
  return true
}

function say({ text, name }: Input, issues: readonly Issue[], line: string): void {
  const { stderr, env } = process
  stderr.write(formatIssues(text, name, issues, wantsColor(stderr.isTTY, env)))
  stderr.write(`legible: ${line}\n`)
}

/** Line ends and a byte order mark are a matter of the editor. */
const styleOf = (text: string) => ({
  mark: text.startsWith('\ufeff'),
  crlf: text.includes('\r\n') && !/(?<!\r)\n/.test(text),
})

function statsOf(file: string): BigIntStats {
  try {
    return statSync(file, { bigint: true })
  } catch (error) {
    throw fileError(file, error)
  }
}

/** Not if somebody changed it since it was read. Of a link, what it leads to is replaced. */
async function replace(file: string, text: string, before: BigIntStats): Promise<void> {
  try {
    const real = realpathSync(file)
    // Replacing needs the permission of the folder alone; who made a file read-only means the file.
    accessSync(real, constants.W_OK)
    const folder = await Folder.openRoot({
      path: dirname(real),
      byDescriptor: hasDescriptorPaths,
      limits: fileLimits(),
      isProtected: protectedNames(),
    })
    try {
      await replaceFile(folder, basename(real), Buffer.from(text), before, undefined)
    } finally {
      await folder.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const problem =
      error instanceof FileError
        ? 'it has changed meanwhile; nothing was written'
        : code === 'EACCES' || code === 'EPERM'
          ? 'writing this file is not permitted'
          : `it cannot be written: ${message}`
    throw new UsageError('cli.unreadable_file', `${file}: ${problem}`, { cause: error })
  }
}
