import { type AskedReply, askForReply } from '../../agent/ask-for-reply.ts'
import { defineAgent } from '../../agent/define-agent.ts'
import type { Durable } from '../../agent/durable.ts'
import type { Loop } from '../../agent/loop.ts'
import type { Outcome, PolicyResult } from '../../agent/outcome.ts'
import { cutOff, sayResults } from '../../agent/say-results.ts'
import { textReader } from '../../agent/text-reader.ts'
import type { Issue } from '../../core/issue.ts'
import { suggestRetry } from '../../core/suggest-retry.ts'
import { complaint } from '../../model/loop-words.ts'
import { noUsage } from '../../model/usage.ts'
import { describeReply } from '../../reply/describe-reply.ts'
import { xml } from '../../text/xml.ts'
import { jsonToolChain } from '../../tool/json-tool-chain.ts'
import type { Tool } from '../../tool/tool.ts'
import { withoutConverged } from './converged.ts'
import type { Crew } from './crew.ts'
import { Halt } from './halt.ts'
import { describeOutputs } from './prompts.ts'
import { readOutputs } from './read-outputs.ts'
import { spawnAgent, spawnAgentTool } from './spawn-agent.ts'
import type { Task, Work } from './task.ts'
import type { Path } from './workflow-event.ts'

type Attempt = ({ readonly ok: true } & Work) | { readonly ok: false; readonly issues: readonly Issue[] }

/** Has a model work on a task until there is what was asked for. Throws a Halt when there is no way. */
export async function workOn(task: Task, path: Path, journal: Durable, crew: Crew): Promise<Work> {
  const { role, name } = task
  const { name: modelName, model } = await crew.modelFor(task.requires)
  crew.emit({ type: 'worker-start', path, role, name, model: modelName })
  const spawns = task.tools && crew.spawn !== undefined && task.depth < crew.spawn.depth
  const tools: Tool[] = task.tools ? [...crew.tools, ...(spawns ? [spawnAgentTool] : [])] : []
  const agent = defineAgent<Attempt>('goal', { ...crew.agent, model, tools }, (loop) =>
    converse(loop, task, path, journal, crew),
  )
  const prompt =
    task.outputs.length > 0 && !task.described
      ? `${task.prompt}\n\n${describeOutputs(task.outputs)}`
      : task.prompt
  const run = agent.start(prompt, { journal: crew.budget.counting(journal, path), signal: crew.signal })
  for await (const event of run) crew.emit({ type: 'worker-event', path, event })
  const outcome = await run.outcome
  try {
    const work = workOf(outcome, path, crew.signal)
    crew.emit({ type: 'worker-end', path, role, name, usage: outcome.usage ?? noUsage, ...work })
    return work
  } catch (error) {
    if (error instanceof Halt && error.why.kind === 'failed')
      crew.emit({ type: 'worker-failed', path, role, name, reason: error.why.reason })
    throw error
  }
}

/** What came of the conversation; what stops the run is thrown. */
function workOf(outcome: Outcome<Attempt>, path: Path, signal: AbortSignal): Work {
  switch (outcome.kind) {
    case 'answered': {
      const { value } = outcome
      if (value.ok) {
        const { ok: _, ...work } = value
        return work
      }
      const reason = `the reply does not have what was asked for: ${value.issues.map(({ message }) => message).join('; ')}`
      throw new Halt({ kind: 'failed', path, paths: [path], reason, issues: value.issues, provider: false })
    }
    case 'reported':
      throw failed(path, `the model says that it cannot go on: ${outcome.code}: ${outcome.message}`)
    case 'unfinished':
      throw failed(path, outcome.reason)
    case 'limit':
      throw new Halt({ kind: 'limit', path, limit: outcome.limit, most: outcome.most })
    case 'suspended':
      throw new Halt({
        kind: 'suspended',
        judgements: [],
        approvals: outcome.pending.map((request) => ({ ...request, id: `${path}/approval:${request.id}` })),
      })
    case 'cancelled':
      signal.throwIfAborted()
      throw outcome.reason
    case 'failed':
      throw new Halt({
        kind: 'failed',
        path,
        paths: [path],
        reason: outcome.error.message,
        issues: [],
        provider: true,
      })
  }
}

const failed = (path: Path, reason: string) =>
  new Halt({ kind: 'failed', path, paths: [path], reason, issues: [], provider: false })

const format = xml()

/** The conversation itself: calls on the way, then the answer, asked for again while fields are missing. */
async function converse(
  loop: Loop,
  task: Task,
  path: Path,
  journal: Durable,
  crew: Crew,
): Promise<PolicyResult<Attempt>> {
  const { tools } = loop
  const chain = jsonToolChain({ tools })
  const system = [
    task.system,
    tools.length > 0 && describeReply(tools, task.outputs.length > 0 ? 'json' : 'text'),
  ]
    .filter(Boolean)
    .join('\n\n')
  if (system !== '') loop.say({ role: 'system', content: system })
  loop.say({ role: 'user', content: loop.task })
  let doubted = false
  let reasks = 0
  let spawned = 0
  for (;;) {
    const asked = tools.length > 0 ? await askForReply(loop) : await askForText(loop)
    const { reply, written, cut, finish, problem, doubtful } = asked
    if (reply?.type === 'action' && problem === undefined) {
      doubted = false
      const { call } = reply
      if (call.name === spawnAgentTool.name) {
        const made = await spawnAgent(call, { number: ++spawned, path, journal, crew, depth: task.depth })
        sayResults(loop, written, await jsonToolChain({ tools: [made] }).run(call, { format }))
      } else sayResults(loop, written, await loop.call((about) => chain.run(call, { ...about, format })))
      continue
    }
    const isUsable = reply !== undefined && (problem === undefined || doubted)
    if (!isUsable || reply.type === 'error') {
      // Fields may look like an error, or like a broken action: an output can be called "type".
      const read = task.outputs.length > 0 && !cut ? readOutputs(asked.said, task.outputs) : undefined
      if (read?.ok) return { kind: 'answered', value: { ok: true, text: asked.said, values: read.values } }
      if (isUsable && reply.type === 'error')
        return { kind: 'reported', code: reply.code, message: reply.message }
      doubted = doubtful
      loop.say({ role: 'assistant', content: asked.said })
      loop.sayIdle(problem ?? '')
      continue
    }
    const text = reply.type === 'text' ? reply.text : asked.said
    const attempt = attemptOf(text, task, cut)
    if (!attempt.ok) loop.emit({ type: 'issues', issues: attempt.issues })
    if (attempt.ok || reasks >= crew.reasks) return { kind: 'answered', value: attempt }
    reasks++
    loop.say({ role: 'assistant', content: text })
    const reason = cut ? cutOff(finish) : suggestRetry(attempt.issues)
    loop.say({ role: 'user', content: complaint(reason || missing(task)) })
  }
}

/** Without tools there is no contract: all that is said is text. */
async function askForText(loop: Loop): Promise<AskedReply> {
  const { read: text, reply, cut } = await loop.ask(textReader)
  const said = { type: 'text', text } as const
  return { said: text, cut, finish: reply.finish, reply: said, written: text, doubtful: false }
}

const missing = ({ outputs }: Task): string =>
  outputs.length > 0 ? describeOutputs(outputs) : 'Your reply is empty. Write the text that is wanted first.'

function attemptOf(said: string, { outputs, converge }: Task, cut: boolean): Attempt {
  const { text, converged } = converge && !cut ? withoutConverged(said) : { text: said, converged: false }
  // What came before is the last word.
  if (converged && text === '' && converge === 'next') return { ok: true, text: '', converged }
  const mark = converged ? { converged } : {}
  if (outputs.length > 0) {
    const read = readOutputs(text, outputs, !cut)
    // A word about it, and no other version.
    if (!read.ok && converged && converge === 'next' && !text.includes('{'))
      return { ok: true, text: '', converged }
    return read.ok ? { ok: true, text, values: read.values, ...mark } : { ok: false, issues: read.issues }
  }
  return cut || text === '' ? { ok: false, issues: [] } : { ok: true, text, ...mark }
}
