import { closestName } from '../core/closest-name.ts'
import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Tool } from '../tool/tool.ts'
import type { AgentOptions } from './agent-options.ts'
import { checkRule } from './approval.ts'

const invalid = (message: string) => new LegibleError('agent.invalid_option', message)

/** Mistakes are found when an agent is defined, not when it runs. */
export function checkAgentOptions(options: AgentOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('An agent needs options: an object with a model, tools and so on.')
  const { retries, backoff, concurrency, timeout, context, prices, approval } = options
  number('retries', retries, 0, true)
  number('backoff', backoff, 0)
  number('concurrency', concurrency, 1, true)
  number('timeout', timeout, 1)
  for (const name of ['context', 'prices', 'settings', 'telemetry', 'permissions'] as const)
    if (options[name] !== undefined && !isRecord(options[name])) throw invalid(`${name} is an object.`)
  for (const name of ['approve', 'after', 'media', 'record'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(`${name} is a function.`)
  if (context) {
    number('context.window', context.window ?? Number.NaN, 1)
    number('context.keep', context.keep, 1, true)
  }
  if (prices) {
    number('prices.input', prices.input ?? Number.NaN, 0)
    number('prices.output', prices.output ?? Number.NaN, 0)
  }
  if (approval === undefined) return
  if (!isRecord(approval)) checkRule(approval)
  else for (const rule of Object.values(approval)) if (typeof rule !== 'function') checkRule(rule)
}

/** What a policy of ours is told beside that. */
export function checkPolicyOptions(options: {
  readonly format: unknown
  readonly system: unknown
  readonly chain?: unknown
  readonly sections?: unknown
  readonly answer?: unknown
  readonly replans?: unknown
}): void {
  const { format, system, chain, sections, answer, replans } = options
  if (!isRecord(format) || typeof format.createReader !== 'function')
    throw invalid('format is a format of legible/text: xml(), markdown(), labels(), or one of your own.')
  if (system !== undefined && typeof system !== 'string') throw invalid('system is text.')
  if (chain !== undefined && typeof chain !== 'function')
    throw invalid('chain is a function that makes one: jsonToolChain, yamlToolChain.')
  if (sections !== undefined && !Array.isArray(sections)) throw invalid('sections is a list of sections.')
  // arktype's schemas are functions.
  if (answer !== undefined && !isRecord(answer) && typeof answer !== 'function')
    throw invalid('answer is a schema, or a termination.')
  number('replans', replans, 0, true)
}

function number(name: string, value: unknown, least: number, whole = false): void {
  if (value === undefined) return
  const isNumber = typeof value === 'number' && Number.isFinite(value) && value >= least
  if (isNumber && (!whole || Number.isInteger(value))) return
  throw invalid(
    `${name} is a ${whole ? 'whole ' : ''}number, ${least} or more, not ${JSON.stringify(value)}.`,
  )
}

/** A rule for a tool that there is not would protect nothing. */
export function checkApproval(rules: AgentOptions['approval'], tools: readonly Tool[]): void {
  if (!isRecord(rules)) return
  const names = tools.map(({ name }) => name)
  for (const name of Object.keys(rules)) {
    if (names.includes(name)) continue
    const meant = closestName(name, names)
    throw new LegibleError(
      'agent.unknown_tool',
      `approval has a rule for "${name}", but there is no such tool.${meant ? ` Did you mean "${meant}"?` : ''}`,
    )
  }
}
