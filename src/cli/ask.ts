import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { AgentOptions } from '../agent/agent-options.ts'
import { chat } from '../agent/chat.ts'
import type { Agent } from '../agent/define-agent.ts'
import type { Outcome } from '../agent/outcome.ts'
import { planExecute } from '../agent/plan-execute.ts'
import { react } from '../agent/react.ts'
import { columns } from '../core/columns.ts'
import type { ModelSource } from '../model/load-model.ts'
import { labels } from '../text/labels.ts'
import { markdown } from '../text/markdown.ts'
import { xml } from '../text/xml.ts'
import { jsonToolChain } from '../tool/json-tool-chain.ts'
import type { Tool } from '../tool/tool.ts'
import { yamlToolChain } from '../tool/yaml-tool-chain.ts'
import { eventLine, outcomeLine, Progress } from './ask-output.ts'
import { type ChosenModel, chooseModel, openModel } from './choose-model.ts'
import { formatValue } from './format-value.ts'
import { addLimitOptions, type LimitOptions, limitsOf } from './limit-options.ts'
import { loadConfig } from './load-config.ts'
import { loadSchema } from './load-schema.ts'
import { openTools } from './open-tools.ts'
import { wantsColor } from './print-issues.ts'
import { fileError } from './usage-error.ts'

const formats = { xml, markdown, labels }
const chains = { json: jsonToolChain, yaml: yamlToolChain }
const policies = ['react', 'plan-execute', 'chat'] as const

interface AskOptions extends LimitOptions {
  readonly model?: string
  readonly policy: (typeof policies)[number]
  readonly format: keyof typeof formats
  readonly calls: keyof typeof chains | 'native'
  readonly tools: readonly string[]
  readonly schema?: string
  readonly system?: string
  readonly yes?: true
  readonly json?: true
}

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
    .addOption(new Option('-p, --policy <name>', 'how the agent works').choices(policies).default('react'))
    .addOption(
      new Option('-f, --format <name>', 'how replies are parted, and results are written')
        .choices(Object.keys(formats))
        .default('xml'),
    )
    .addOption(
      new Option('--calls <name>', 'how calls are written; native: by the API of the provider, for chat')
        .choices([...Object.keys(chains), 'native'])
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
    .action(runAsk)
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value]

async function runAsk(words: readonly string[], options: AskOptions, command: Command): Promise<void> {
  if (options.schema !== undefined && options.policy === 'chat')
    command.error('error: --schema is for react and plan-execute: chat answers in text')
  if (options.calls === 'native' && options.policy !== 'chat')
    command.error('error: --calls native is for chat')
  if (options.calls === 'yaml' && options.policy !== 'react')
    command.error('error: --calls yaml is for react')
  const task = taskOf(words)
  if (task.trim() === '') command.error('error: the task is empty')
  // What is nearer counts more: a file that is not needed is not looked at.
  const isNamed = options.model !== undefined || Boolean(process.env.LEGIBLE_MODEL?.trim())
  const chosen = chooseModel(options.model, process.env, isNamed ? {} : loadConfig({ cwd: process.cwd() }))
  const model = await openModel(chosen)
  const { tools, close } = await openTools(options.tools, process.cwd())
  const outcome = await play(agentOf(options, model, tools), task, options, chosen)
  await close()
  process.exitCode = exitCode(outcome)
  // A tool that hangs, or a client that stays connected, must not keep the command from ending.
  await Promise.all([process.stdout, process.stderr].map(flushed))
  process.exit()
}

/** `-` stands for what comes in. */
const taskOf = (words: readonly string[]): string =>
  words.map((word) => (word === '-' ? standardInput() : word)).join(' ')

function standardInput(): string {
  try {
    return readFileSync(0, 'utf8')
  } catch (error) {
    throw fileError('standard input', error)
  }
}

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    stream.write('', () => resolve())
  })

function agentOf(options: AskOptions, model: ModelSource, tools: readonly Tool[]): Agent<unknown> {
  const { policy, schema, calls } = options
  const limits = limitsOf(options)
  const common: AgentOptions & { system?: string } = {
    model,
    tools,
    limits,
    approve: () => (options.yes ? 'allow' : { decision: 'deny', reason: NOBODY }),
    ...(options.system !== undefined && { system: textOf(options.system) }),
  }
  const format = formats[options.format]()
  const answer = schema === undefined ? undefined : loadSchema(schema)
  if (policy === 'chat') return chat({ ...common, format, native: calls === 'native' })
  if (policy === 'plan-execute')
    return answer === undefined
      ? planExecute({ ...common, format })
      : planExecute({ ...common, format, answer })
  const chain = chains[calls as keyof typeof chains]
  return answer === undefined
    ? react({ ...common, format, chain })
    : react({ ...common, format, chain, answer })
}

async function play(
  agent: Agent<unknown>,
  task: string,
  { json }: AskOptions,
  chosen: ChosenModel,
): Promise<Outcome<unknown>> {
  const { stdout, stderr, env } = process
  const progress = json ? undefined : new Progress(stderr, wantsColor(stderr.isTTY, env))
  const run = agent.start(task)
  let interrupts = 0
  const onInterrupt = () => {
    if (++interrupts > 1) process.exit(130)
    run.cancel('interrupted')
  }
  process.on('SIGINT', onInterrupt)
  try {
    progress?.begin(agent.name, chosen)
    for await (const event of run)
      if (json) stdout.write(`${eventLine(event)}\n`)
      else progress?.show(event)
    const outcome = await run.outcome
    if (json) stdout.write(`${outcomeLine(outcome)}\n`)
    else {
      progress?.end(outcome)
      printAnswer(outcome)
    }
    return outcome
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

function printAnswer(outcome: Outcome<unknown>): void {
  const value =
    outcome.kind === 'answered' ? outcome.value : outcome.kind === 'unfinished' ? outcome.text : undefined
  if (value === undefined) return
  const text = typeof value === 'string' ? value : formatValue(value).text
  process.stdout.write(`${process.stdout.isTTY ? harmless(text) : text}\n`)
}

/** What a model writes must not steer a terminal. */
const harmless = (text: string) =>
  text
    .split('\n')
    .map((line) => columns(line).text)
    .join('\n')

function exitCode({ kind }: Outcome<unknown>): number {
  if (kind === 'answered') return 0
  if (kind === 'cancelled') return 130
  return kind === 'failed' ? 3 : 1
}

function textOf(given: string): string {
  if (!given.startsWith('@')) return given
  try {
    return readFileSync(given.slice(1), 'utf8')
  } catch (error) {
    throw fileError(given.slice(1), error)
  }
}

/** For the model. What the person can do about it, `ask-output` says. */
const NOBODY = 'This tool needs permission, and nobody is there to give it. Do without it.'
