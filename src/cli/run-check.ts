import type { Issue } from '../core/issue.ts'
import { findAgentfiles, openAgentfile, readWithFiles } from './agentfile-files.ts'
import { formatIssues, wantsColor } from './print-issues.ts'
import type { Input } from './read-input.ts'

export interface CheckOptions {
  readonly json?: true
  readonly strict?: true
}

interface CheckedFile {
  readonly input: Input
  readonly ok: boolean
  readonly issues: readonly Issue[]
}

export async function runCheck(given: readonly string[], { json, strict }: CheckOptions): Promise<void> {
  const checked: CheckedFile[] = []
  for (const file of findAgentfiles(given)) {
    const input = await openAgentfile(file)
    const { ok, issues } = readWithFiles(file, input).read
    checked.push({ input, ok: ok && (!strict || count([{ issues }], 'warning') === 0), issues })
  }
  const ok = checked.every((file) => file.ok)
  process.exitCode = ok ? 0 : 1
  if (json) printObject(ok, checked)
  else printFrames(checked)
}

function printObject(ok: boolean, checked: readonly CheckedFile[]): void {
  const files = checked.map(({ input, ok, issues }) => ({
    file: input.name,
    ok,
    issues: issues.map(({ code, severity, message, span }) => ({
      code,
      severity,
      message,
      ...(span && { span, ...placeOf(input.text, span[0]) }),
    })),
    ...(input.warnings.length > 0 && { warnings: input.warnings }),
  }))
  const counts = { errors: count(checked, 'error'), warnings: count(checked, 'warning') }
  process.stdout.write(`${JSON.stringify({ ok, files, ...counts }, null, 2)}\n`)
}

function printFrames(checked: readonly CheckedFile[]): void {
  const { stderr, env } = process
  const color = wantsColor(stderr.isTTY, env)
  for (const { input, issues } of checked) {
    for (const warning of input.warnings) stderr.write(`legible: warning: ${warning}\n`)
    if (issues.length > 0) stderr.write(formatIssues(input.text, input.name, issues, color))
  }
  stderr.write(`${summaryOf(checked)}\n`)
}

/** `3 files, 2 errors, 1 warning` */
function summaryOf(checked: readonly CheckedFile[]): string {
  const counts = (['error', 'warning'] as const).flatMap((severity) => {
    const found = count(checked, severity)
    return found === 0 ? [] : [counted(found, severity)]
  })
  return [counted(checked.length, 'file'), ...(counts.length > 0 ? counts : ['no issues'])].join(', ')
}

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

function count(checked: readonly Pick<CheckedFile, 'issues'>[], wanted: Issue['severity']): number {
  return checked.reduce(
    (sum, { issues }) => sum + issues.filter(({ severity }) => severity === wanted).length,
    0,
  )
}

/** As code frames have it: both from 1 on, and no line behind the last. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const at = offset < text.length ? offset : text.trimEnd().length
  const before = text.slice(0, at)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - start + 1 }
}
