import { type Command, Option } from 'commander'
import { collect } from './input-options.ts'
import { addLimitOptions } from './limit-options.ts'
import type { AskOptions } from './run-ask.ts'

const help = `
The answer goes to standard output, as text or (with --schema) as JSON; what happens on the way to standard error.

Models, the nearest counts: --model, LEGIBLE_MODEL, model in legible.toml or legible.config.ts; without any of them a
rehearsal model answers, offline, and says that it is one.
  ollama:qwen3                        a model of Ollama, at OLLAMA_HOST
  http://127.0.0.1:8080/v1#qwen3      any server with the API of OpenAI; LEGIBLE_API_KEY if it wants a key
  openai:gpt-5-mini                   with OPENAI_API_KEY; needs the package @ai-sdk/openai
  anthropic:claude-sonnet-4-5         with ANTHROPIC_API_KEY; needs the package @ai-sdk/anthropic
  rehearsal:seed=3,damage=fence       no model at all

Policies:
  react         thinks, calls tools, looks at the results, and so on until it answers
  plan-execute  plans all calls at once, makes them, and sums up
  chat          answers in text, with calls on the way

Tools (--tools, also several times): fs, which reads and writes the files of this folder; mcp:ADDRESS or mcp:COMMAND,
those of an MCP server; or a module, with a default export: a list of tools, an object of them by name (also of the
AI SDK), a client of an MCP server; or a promise of these, or a function that gives them:
  export default [{ name: 'add', description: 'Adds.', input: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }) => a + b }]
A tool that asks for permission (needsApproval) is refused without --yes.

Examples:
  legible ask "What is legible?"                              on the rehearsal model
  legible ask --model ollama:qwen3 --tools tools.ts "What changed in Tokyo this week?"
  legible ask --schema city.ts "The largest city of Japan" | jq .population
  legible ask --json "Hello" | jq -r .type                    one event a line, the outcome last
  git diff | legible ask "Review this change:" -               - is what comes in

Exit codes:
    0  answered
    1  not answered: a limit, a plan that was not carried out, or the model says that it cannot
    2  it cannot be carried out: wrong usage, an unreadable file, a model that is not there
    3  the provider failed
  130  interrupted; a second time at once`

export function addAskCommand(program: Command): void {
  const command = program
    .command('ask')
    .summary('give a task to an agent: a model with tools')
    .description('Gives a task to an agent, and prints what it answers.')
    .argument('<task...>', 'what to do; - stands for standard input')
    .option('-m, --model <name>', 'which model answers')
    .addOption(
      new Option('-p, --policy <name>', 'how the agent works')
        .choices(['react', 'plan-execute', 'chat'])
        .default('react'),
    )
    .addOption(
      new Option('-f, --format <name>', 'how replies are parted, and results are written')
        .choices(['xml', 'markdown', 'labels'])
        .default('xml'),
    )
    .addOption(
      new Option('--calls <name>', 'how calls are written; native: by the API of the provider, for chat')
        .choices(['json', 'yaml', 'native'])
        .default('json'),
    )
    .addOption(
      new Option('--tools <list>', 'the tools there are: a module (.js, .ts), fs, mcp:…')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('-s, --schema <file>', 'what the answer is: .json, .yaml, or a module (.js, .ts)')
    .option('--system <text>', 'what the model is told beforehand; @file: what stands in a file')
    .option('-y, --yes', 'permit every call of a tool')
    .option('--json', 'print one event a line, the outcome last')
  addLimitOptions(command)
    .showHelpAfterError('See legible ask --help.')
    .addHelpText('after', help)
    .action(async (words: readonly string[], options: AskOptions, command: Command) => {
      const { runAsk } = await import('./run-ask.ts')
      await runAsk(words, options, command)
    })
}
