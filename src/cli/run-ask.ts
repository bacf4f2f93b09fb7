import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { AgentOptions } from '../agent/agent-options.ts'
import type { Verdict } from '../agent/approval.ts'
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
import type { Tool, ToolCall } from '../tool/tool.ts'
import { yamlToolChain } from '../tool/yaml-tool-chain.ts'
import { eventLine, outcomeLine, Progress } from './ask-output.ts'
import { type ChosenModel, chooseModel, openModel } from './choose-model.ts'
import { endProcess } from './end-process.ts'
import { folderOf } from './folder-of.ts'
import { formatValue } from './format-value.ts'
import { type LimitOptions, limitsOf } from './limit-options.ts'
import { loadConfig } from './load-config.ts'
import { loadSchema } from './load-schema.ts'
import { openTools } from './open-tools.ts'
import { type Guard, openGuard } from './permission/open-guard.ts'
import { wantsColor } from './print-issues.ts'
import { fileError } from './usage-error.ts'

const formats = { xml, markdown, labels }
const chains = { json: jsonToolChain, yaml: yamlToolChain }

export interface AskOptions extends LimitOptions {
  readonly model?: string
  readonly policy: 'react' | 'plan-execute' | 'chat'
  readonly format: keyof typeof formats
  readonly calls: keyof typeof chains | 'native'
  readonly tools: readonly string[]
  readonly schema?: string
  readonly system?: string
  readonly yes?: true
  readonly json?: true
}

export async function runAsk(words: readonly string[], options: AskOptions, command: Command): Promise<void> {
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
  const guard = openGuard({
    root: folderOf(),
    isNamed: false,
    command: 'ask',
    model: () => String(chosen.source),
  })
  const outcome = await play(agentOf(options, model, tools, guard), task, options, chosen)
  await guard.close(outcome.kind)
  await close()
  await endProcess(exitCode(outcome))
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

function agentOf(
  options: AskOptions,
  model: ModelSource,
  tools: readonly Tool[],
  { permissions, record }: Guard,
): Agent<unknown> {
  const { policy, schema, calls } = options
  const limits = limitsOf(options)
  const common: AgentOptions & { system?: string } = {
    model,
    tools,
    limits,
    permissions,
    record,
    approve: async ({ tool, call }): Promise<Verdict> =>
      options.yes || !(await asksFor(tools.find(({ name }) => name === tool) as Tool, call))
        ? 'allow'
        : { decision: 'deny', reason: NOBODY },
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

/** What no rule is about runs, if its tool does not ask for more: whoever named the tools has vouched for them. */
async function asksFor({ needs, needsApproval = false }: Tool, call: ToolCall): Promise<boolean> {
  if (needs !== undefined) return true
  return typeof needsApproval === 'function' ? needsApproval(call.arguments) : needsApproval
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
