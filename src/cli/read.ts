import { type Command, Option } from 'commander'
import { defaultLimits } from '../core/limits.ts'
import { readFormats } from './read-formats.ts'
import type { ReadOptions } from './run-read.ts'
import { wholeNumber } from './whole-number.ts'

const help = `
What was read goes to standard output as JSON, what was wrong with the text to standard error.

Formats:
  json      the value in the text, alone, in prose or in a fence, clean or damaged; --schema
  xml       sections between tags, <answer>…</answer>; --section, once for each
  markdown  sections behind headers, # Answer; --section
  labels    sections behind labels, Answer: …; --section
  reply     text, one tool call {"type": "action", …}, or an error of the model; --tools
  plan      the parts Title, Intent, Plan and Tool Calls; --tools to check the calls

Examples:
  legible read reply.txt                                  the JSON value in a reply
  legible read reply.txt --schema invoice.json            fitted to a JSON Schema, and validated
  legible read reply.txt --schema invoice.ts              with zod: export default z.object(…)
  some-model "Three ports, as JSON" | legible read | jq '.[0]'
  legible read -f xml --section thinking --section answer reply.txt | jq -r '.sections.answer[0]'
  legible read -f markdown --section Action --section Answer reply.txt
  legible read -f labels --section Question --section Answer reply.txt
  legible read -f reply --tools tools.json reply.txt      is it a call, and may it run?
  legible read -f plan plan.txt | jq '.toolCalls'
  legible read reply.txt --explain                        what is what in the text
  legible read reply.txt --json | jq -r '.issues[].code'

Exit codes:
    0  it was read; there may be repairs and warnings
    1  an issue is an error: nothing was found, the value does not fit the schema, the call may not
       run. What was found is printed all the same; do not take it for valid.
       Also, with --complete: the text was cut off
    2  it cannot be carried out: wrong usage, an unreadable file, a broken schema, a text that is none.
       With --json: { "ok": false, "error": { "code", "message" } }
  130  interrupted`

export function addReadCommand(program: Command): void {
  program
    .command('read')
    .summary('read JSON, sections, a tool call or a plan in the text of a model')
    .description('Reads what is in the text of a model: JSON unless another format is asked for.')
    .argument('[file]', 'the text, in UTF-8; - or nothing: standard input')
    .addOption(new Option('-f, --format <name>', 'what to read').choices(readFormats).default('json'))
    .option('-s, --schema <file>', 'json: fit the value to this schema: .json, .yaml, or a module (.js, .ts)')
    .option('--section <name>', 'xml, markdown, labels: a section to expect; may be repeated', collect)
    .option('--tools <file>', 'reply, plan: the tools there are: a list of { name, description, parameters }')
    .option('--json', 'print { ok, value, complete, issues } and nothing on standard error')
    .option('--explain', 'print the text with its parts and issues marked, instead of the value')
    .option('--complete', 'a text that was cut off is a failure: exit code 1')
    .option('--max-length <n>', 'characters that are read', wholeNumber, defaultLimits.maxLength)
    .option('--max-depth <n>', 'lists and objects within each other', wholeNumber, defaultLimits.maxDepth)
    .showHelpAfterError('See legible read --help.')
    .addHelpText('after', help)
    .action(async (file: string | undefined, options: ReadOptions, command: Command) => {
      const { runRead } = await import('./run-read.ts')
      await runRead(file, options, command)
    })
}

const collect = (name: string, before: readonly string[] = []) => [...before, name]
