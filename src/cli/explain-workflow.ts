import type { Command } from 'commander'
import type { Program } from '../agentfile/run/program.ts'
import { columns } from '../core/columns.ts'
import { LegibleError } from '../core/legible-error.ts'
import { openTools } from './open-tools.ts'
import { paintOf } from './paint.ts'
import { wantsColor } from './print-issues.ts'
import { UsageError } from './usage-error.ts'
import { explainProgram, type PlannedQuestion } from './workflow/explain-program.ts'
import { loadProgram } from './workflow/load-program.ts'

interface ExplainOptions {
  readonly input: Readonly<Record<string, string>>
  readonly tools: readonly string[]
  readonly spawn?: true
  readonly json?: true
}

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .summary('what a workflow would send to models, without asking any')
    .description(
      'Prints what would be sent to a model for each step of a workflow, without asking any. What models would give, and inputs that are not given, are shown as ‹name›.',
    )
    .argument('<file>', 'the Agentfile')
    .option('-i, --input <name=value>', 'an input of the workflow', pair, {})
    .option(
      '--tools <list>',
      'tools of the goals',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option('--spawn', 'as if models could spawn agents')
    .option('--json', 'as data')
    .showHelpAfterError('See legible explain --help.')
    .action(run)
}

const pair = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const at = text.indexOf('=')
  return at < 1 ? { ...before } : { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

async function run(
  file: string,
  { input, tools: names, spawn = false as never, json }: ExplainOptions,
): Promise<void> {
  const program = await loadProgram(file, json)
  const { tools, close } = await openTools(names, process.cwd())
  try {
    const questions = await explainProgram(
      withoutTypes(program),
      { ...placeholders(program), ...input },
      tools,
      spawn,
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
