import { realpathSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { formatMermaid } from '../agentfile/graph/format-mermaid.ts'
import { formatSvg } from '../agentfile/graph/format-svg.ts'
import { graphOf } from '../agentfile/graph/graph-of.ts'
import { openAgentfile, readWithFiles } from './agentfile-files.ts'
import { formatIssues, wantsColor } from './print-issues.ts'
import { UsageError } from './usage-error.ts'

const formats = { mermaid: formatMermaid, svg: formatSvg }

export interface GraphOptions {
  readonly format?: keyof typeof formats
  readonly out?: string
}

export async function runGraph(file: string, { format, out }: GraphOptions): Promise<void> {
  const input = await openAgentfile(file)
  const { read, files } = readWithFiles(file, input)
  if (!read.ok) {
    const { stderr, env } = process
    const errors = read.issues.filter(({ severity }) => severity === 'error')
    stderr.write(formatIssues(input.text, input.name, errors, wantsColor(stderr.isTTY, env)))
    process.exitCode = 1
    return
  }
  const chosen = format ?? (extname(out ?? '').toLowerCase() === '.svg' ? 'svg' : 'mermaid')
  const drawn = formats[chosen](graphOf(read.value, files))
  if (out === undefined || out === '-') process.stdout.write(drawn)
  else write(out, drawn, file)
}

function write(out: string, text: string, source: string): void {
  try {
    if (source !== '-' && isSame(out, source))
      throw new UsageError('cli.usage', `${out}: this is the Agentfile itself; write the picture elsewhere`)
    writeFileSync(out, text)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { message } = error as Error
    throw new UsageError('cli.unreadable_file', `${out}: it cannot be written: ${message}`, { cause: error })
  }
}

function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}
