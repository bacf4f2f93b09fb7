import { type Command, InvalidArgumentError, Option } from 'commander'
import { defaultLimits } from '../core/limits.ts'
import { dialects } from '../dialects/dialects.ts'
import { MAX_LINE } from './calls-lines.ts'
import type { CallsOptions } from './run-calls.ts'
import { wholeNumber } from './whole-number.ts'

const names = ['auto', ...dialects.map(({ name }) => name)]

const help = `
The calls, what the model says and what it thinks go to standard output as JSON, { calls, content, reasoning };
what was wrong with the text goes to standard error.

The tools say what the arguments mean, and which calls may run. They are a list in a file of JSON or YAML, of
{ name, description, parameters }, in OpenAI's form { type: "function", function: { … } } or in MCP's, { name,
inputSchema }, also within { tools: [ … ] }; or a module that exports one. Without tools every name is taken for one.

Dialects, of which auto knows all:
${wrapped(names.slice(1))}

Examples:
  legible calls --tools tools.json reply.txt              the calls in a reply, checked
  some-model "Weather in Oslo?" | legible calls --tools tools.json | jq '.calls'
  legible calls reply.txt | jq -r '.calls[].name'         without knowing the tools
  legible calls --tools tools.json --expect calls reply.txt
                                                          also those in fences, prose and other syntaxes
  legible calls --dialect qwen3-coder --reasoning open --tools tools.json reply.txt
                                                          the prompt ended in <think>
  legible calls --tools tools.json --explain reply.txt    what is what in the text
  legible calls --tools tools.json --json reply.txt | jq -r '.issues[].code'
  legible calls --batch --expect calls rows.jsonl > calls.jsonl
                                                          a file of {"raw": "…", "tools": [ … ]} a line

With --batch, each line of the input is {"raw": "…"}, and each line of the output
{ ok, complete, calls, content, reasoning, issues }, in the same order, with the id and the model of the row if it has
them. Tools of a row come before those of --tools. A line that is no row gives { error: { code, message }, line } and
does not stop the others.

Exit codes:
    0  it was read; there may be repairs and warnings, or no calls.
       With --batch: every line was a row, whatever is wrong with its text: each has its own ok
    1  an issue is an error: there is no such tool, the arguments do not fit, the text breaks off within a
       call. What was found is printed all the same; do not run it.
       Also, with --complete: the text was cut off; with --batch: a line was no row
    2  it cannot be carried out: wrong usage, an unreadable file, broken tools, a text that is none.
       With --json: { "ok": false, "error": { "code", "message" } }
  130  interrupted. With --batch the lines at hand are written first; a second interrupt stops at once`

export function addCallsCommand(program: Command): void {
  program
    .command('calls')
    .summary('read the tool calls in the text of a model, in whatever dialect it writes them')
    .description('Reads the tool calls in the text of a model, in whatever dialect it writes them.')
    .argument('[file]', 'the text, in UTF-8; - or nothing: standard input')
    .option('--tools <file>', 'the tools there are: .json, .yaml, or a module (.js, .ts)')
    .option('--dialect <name>', 'how the model writes calls; auto: the text tells', dialectName, 'auto')
    .addOption(new Option('--expect <what>', 'find calls however they are written').choices(['calls']))
    .addOption(
      new Option('--reasoning <mode>', 'open: the prompt has opened it; none: its marks are plain text')
        .choices(['auto', 'open', 'none'])
        .default('auto'),
    )
    .option('--json', 'print { ok, value, complete, issues } and nothing on standard error')
    .option('--explain', 'print the text with its parts and issues marked, instead of the calls')
    .option('--complete', 'a text that was cut off is a failure: exit code 1')
    .option('--batch', 'read a row {"raw": …} from each line, and write a line for each')
    .option('--jobs <n>', 'batch: threads (default: one for each core)', wholeNumber)
    .option('--max-line <n>', `batch: bytes of a line that are read (default: ${MAX_LINE})`, wholeNumber)
    .option('--max-length <n>', 'characters that are read', wholeNumber, defaultLimits.maxLength)
    .option('--max-depth <n>', 'lists and objects within each other', wholeNumber, defaultLimits.maxDepth)
    .showHelpAfterError('See legible calls --help.')
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: CallsOptions, command: Command) => {
      const { runCalls } = await import('./run-calls.ts')
      await runCalls(file, options, command)
    })
}

function dialectName(text: string): string {
  if (!names.includes(text)) throw new InvalidArgumentError(`There are ${names.join(', ')}.`)
  return text
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)}, ${word}`
    if (lines.length > 0 && longer.length < 100) lines[lines.length - 1] = longer
    else lines.push(`  ${word}`)
  }
  return lines.join(',\n')
}
