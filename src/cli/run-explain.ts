import type { Program } from '../agentfile/run/program.ts'
import { columns } from '../core/columns.ts'
import { LegibleError } from '../core/legible-error.ts'
import { inputTexts } from './input-options.ts'
import { loadConfig } from './load-config.ts'
import { openTools } from './open-tools.ts'
import { paintOf } from './paint.ts'
import { wantsColor } from './print-issues.ts'
import { UsageError } from './usage-error.ts'
import { explainProgram, type PlannedQuestion } from './workflow/explain-program.ts'
import { loadProgram } from './workflow/load-program.ts'

export interface ExplainOptions {
  readonly input: Readonly<Record<string, string>>
  readonly tools: readonly string[]
  readonly spawn?: true
  readonly json?: true
}

export async function runExplain(
  file: string,
  { input, tools: names, spawn, json }: ExplainOptions,
): Promise<void> {
  const program = await loadProgram(file, json)
  const config = loadConfig({ cwd: process.cwd() })
  const { tools, close } = await openTools(names.length > 0 ? names : (config.tools ?? []), process.cwd())
  try {
    const questions = await explainProgram(
      withoutTypes(program),
      { ...placeholders(program), ...inputTexts(input) },
      tools,
      spawn ?? config.spawn ?? false,
    )
    process.stdout.write(json ? `${JSON.stringify({ questions }, null, 2)}\n` : textOf(questions))
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.usage', error.message, { cause: error })
  } finally {
    await close()
  }
}

/** A placeholder is of no type. */
const withoutTypes = (program: Program): Program => ({
  ...program,
  inputs: program.inputs.map((input) => ({ ...input, schema: true })),
})

/** For those that have no default. */
const placeholders = ({ inputs }: Program): Record<string, string> =>
  Object.fromEntries(inputs.filter((one) => one.default === undefined).map(({ name }) => [name, `‹${name}›`]))

function textOf(questions: readonly PlannedQuestion[]): string {
  const { bold, cyan } = paintOf(wantsColor(process.stdout.isTTY, process.env))
  const blocks = questions.map(({ path, messages }) => {
    const lines = messages.flatMap(({ role, content }) =>
      (typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      )
        .split('\n')
        .map((line, i) => `  ${cyan((i === 0 ? role : '').padEnd(9))} ${columns(line).text}`),
    )
    return [bold(columns(path).text), ...lines].join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}
