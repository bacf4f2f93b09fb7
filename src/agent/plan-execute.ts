import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import { suggestRetry } from '../core/suggest-retry.ts'
import { readJson } from '../json/read-json.ts'
import { complaint, planAgain } from '../model/loop-words.ts'
import type { Message, MessageResult } from '../model/message.ts'
import { createPlanReader } from '../plan/create-plan-reader.ts'
import { describePlan } from '../plan/describe-plan.ts'
import { fillArguments } from '../plan/fill-arguments.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import { readSynthesis } from '../plan/read-synthesis.ts'
import { createTodo, type Step, type Todo } from '../plan/todo.ts'
import { describeSchema } from '../schema/describe-schema.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import type { TextFormat } from '../text/format.ts'
import { xml } from '../text/xml.ts'
import type { ToolCallError } from '../tool/call-outcome.ts'
import { jsonToolChain } from '../tool/json-tool-chain.ts'
import type { ContentPart, ToolChain } from '../tool/tool-chain.ts'
import type { AgentOptions } from './agent-options.ts'
import { checkPolicyOptions } from './check-agent-options.ts'
import { type Agent, defineAgent } from './define-agent.ts'
import type { Loop } from './loop.ts'
import { cutOff } from './say-results.ts'
import { textReader } from './text-reader.ts'
import { withoutThoughts } from './without-thoughts.ts'

export interface PlanExecuteOptions<T = unknown> extends AgentOptions {
  /** What the answer is; text when there is no schema. */
  readonly answer?: Schema<T> | undefined
  /** Goes before what the model is told about plans, and about the answer. */
  readonly system?: string | undefined
  /** How results are written; `xml()` unless said otherwise. */
  readonly format?: TextFormat | undefined
  /** How often a plan that could not be carried out goes back to the model; once unless said otherwise. */
  readonly replans?: number | undefined
}

/** Plans all calls at once, makes them (those that do not depend on each other at the same time), and sums up. */
export function planExecute(
  options: PlanExecuteOptions<string> & { readonly answer?: undefined },
): Agent<string>
export function planExecute<S extends Schema>(
  options: Omit<PlanExecuteOptions, 'answer'> & { readonly answer: S },
): Agent<Infer<S>>
export function planExecute(options: PlanExecuteOptions): Agent<unknown> {
  const { format = xml(), replans = 1, system, answer } = options
  checkPolicyOptions({ format, system, answer, replans })
  return defineAgent('plan-execute', options, async (loop) => {
    const chain = jsonToolChain({ tools: loop.tools })
    loop.say({ role: 'system', content: [system, describePlan(loop.tools)].filter(Boolean).join('\n\n') })
    const found: Message[] = loop.messages.filter(({ role }) => role !== 'system')
    loop.say({ role: 'user', content: loop.task })
    found.push({ role: 'user', content: loop.task })
    for (let round = 0; ; round++) {
      const plan = await askForPlan(loop)
      const todo = createTodo(plan.toolCalls ?? [])
      const observed = await execute(loop, plan, todo, chain, format)
      if (todo.steps.length > 0) {
        const results: Message = { role: 'tool', content: observed, results: todo.steps.map(resultOf) }
        loop.say(results)
        if (observed.length > 0) found.push({ role: 'assistant', content: saidOf(plan) }, results)
      }
      const problem = problemOf(todo, toModel)
      if (problem !== undefined && round < replans) {
        loop.sayIdle(planAgain(problem))
        continue
      }
      const value = await synthesise(loop, found, { system, answer, problem })
      if (problem === undefined) return { kind: 'answered', value: value.value }
      return {
        kind: 'unfinished',
        reason: problemOf(todo, toProgram) ?? problem,
        steps: todo.steps,
        text: value.text,
      }
    }
  })
}

async function askForPlan(loop: Loop): Promise<Plan> {
  for (;;) {
    const { read, reply, cut } = await loop.ask((onEvent) => createPlanReader({ onEvent }))
    loop.emit({ type: 'issues', issues: read.issues })
    loop.say({ role: 'assistant', content: withoutThoughts(reply.text), calls: read.value.toolCalls ?? [] })
    const { intent, plan, toolCalls } = read.value
    const isPlan = intent !== undefined || plan !== undefined || toolCalls !== undefined
    if (!cut && isPlan && !read.issues.some(isWrong)) return read.value
    loop.sayIdle(
      cut
        ? cutOff(reply.finish)
        : suggestRetry(read.issues) || 'Your reply holds no plan. Write one, as you were told.',
    )
  }
}

/** A plan that cannot be followed was read all the same: what is wrong with it, its steps say. */
const unfollowable = ['plan.cycle', 'plan.unknown_dependency', 'plan.unknown_reference']
const isWrong = ({ severity, code }: Issue) => severity === 'error' && !unfollowable.includes(code)

/** Makes the calls of a plan, wave by wave, and gives what the model shall see of them. */
async function execute(
  loop: Loop,
  plan: Plan,
  todo: Todo,
  chain: ToolChain,
  format: TextFormat,
): Promise<ContentPart[]> {
  const observed: ContentPart[] = []
  while (!todo.isFinished) {
    const wave = todo.ready.flatMap((call) => filled(call, todo) ?? [])
    for (const { id } of wave) todo.start(id)
    loop.emit({ type: 'plan', plan, steps: todo.steps })
    if (wave.length > 0) {
      const result = await loop.call((about) => chain.run(wave, { ...about, format }))
      for (const [i, { id }] of wave.entries()) {
        const error = result.raw.errors[i]
        if (error) todo.fail(id, error)
        else todo.finish(id, result.raw.results[i]?.output)
      }
      observed.push(...result.toContentParts())
    }
  }
  loop.emit({ type: 'plan', plan, steps: todo.steps })
  return observed
}

/** Every call of the plan has its result, also those that were never made. */
function resultOf(step: Step): MessageResult {
  const { id, name } = step.call
  if (step.status === 'done') return { id, name, output: step.value ?? null }
  return { id, name, output: reasonOf(step, toProgram), failed: true }
}

const saidOf = ({ intent, plan }: Plan): string =>
  [intent && `Intent: ${intent}`, plan && `Plan: ${plan}`].filter(Boolean).join('\n\n')

/** The call with the results that its arguments refer to; a call that cannot be filled has failed. */
function filled(call: PlannedCall, todo: Todo): PlannedCall | undefined {
  const read = fillArguments(call, todo.results)
  if (read.ok) return { ...call, arguments: read.value }
  todo.fail(call.id, suggestRetry(read.issues))
  return undefined
}

/** What keeps a plan from being done; nothing when it is done. `says`: what there is to say about a call that has failed. */
function problemOf(todo: Todo, says: (error: ToolCallError) => string): string | undefined {
  if (todo.unfinished.length === 0) return undefined
  const lines = todo.unfinished.map(
    (step) => `- ${step.call.id} (${step.call.name}) ${step.status}: ${reasonOf(step, says)}`,
  )
  return [suggestRetry(todo.issues), 'Steps of the plan that were not done:', ...lines]
    .filter((line) => line !== '')
    .join('\n')
}

function reasonOf({ error, why, status }: Step, says: (error: ToolCallError) => string): string {
  if (typeof error === 'string') return error
  return isRecord(error) ? says(error as unknown as ToolCallError) : (why ?? status)
}

/** What a tool has said stands in the observation, where nothing in it can pass for anything else. */
const toModel = () => 'see its result'
const toProgram = ({ hint }: ToolCallError) => hint

interface Synthesis {
  readonly system: string | undefined
  readonly answer: Schema | undefined
  readonly problem: string | undefined
}

/**
 * Asks for the answer, in a conversation of its own: the one about the plan speaks of plans. What is to be said of a plan
 * that was not carried out fits no schema.
 */
async function synthesise(
  loop: Loop,
  found: readonly Message[],
  { system, answer: wanted, problem }: Synthesis,
): Promise<{ value: unknown; text: string }> {
  const answer = problem === undefined ? wanted : undefined
  const task = 'Answer the user from the results below. If they do not say what was asked, say so.'
  const shape = answer === undefined ? '' : `Write nothing but the answer.\n\n${describeSchema(answer)}`
  const messages: Message[] = [
    { role: 'system', content: [system, task, shape].filter(Boolean).join('\n\n') },
    ...found,
    { role: 'user', content: [problem, 'Write the answer now.'].filter(Boolean).join('\n\n') },
  ]
  for (;;) {
    const { reply, cut } = await loop.ask(textReader, { messages })
    const { value: text, issues: found } = readSynthesis(reply.text, { unwrapFence: answer !== undefined })
    const read = answer === undefined ? undefined : readJson(reply.text, answer)
    const issues: readonly Issue[] = read?.issues ?? []
    loop.emit({ type: 'issues', issues: [...found, ...issues] })
    const isWhole = !cut && text !== ''
    const isRight = read ? read.ok && read.complete : true
    if (isWhole && isRight) {
      loop.say({ role: 'assistant', content: text })
      return { value: read ? read.value : text, text }
    }
    const reason = cut
      ? cutOff(reply.finish)
      : suggestRetry(issues) || 'Your reply is empty. Write the answer.'
    loop.emit({ type: 'turn-idle', reason })
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: complaint(reason) })
  }
}
