import { defineAgent } from '../../agent/define-agent.ts'
import type { Durable } from '../../agent/durable.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Loop } from '../../agent/loop.ts'
import type { Outcome, PolicyResult } from '../../agent/outcome.ts'
import { cutOff, sayResults } from '../../agent/say-results.ts'
import { textReader } from '../../agent/text-reader.ts'
import type { Issue } from '../../core/issue.ts'
import { suggestRetry } from '../../core/suggest-retry.ts'
import { complaint } from '../../model/loop-words.ts'
import { noUsage } from '../../model/usage.ts'
import { createReplyReader } from '../../reply/create-reply-reader.ts'
import { describeReply } from '../../reply/describe-reply.ts'
import { formatReply } from '../../reply/format-reply.ts'
import { retryAdvice } from '../../reply/retry-advice.ts'
import { xml } from '../../text/xml.ts'
import { jsonToolChain } from '../../tool/json-tool-chain.ts'
import type { Tool, ToolCall } from '../../tool/tool.ts'
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
    const { said, cut } = asked
    if (asked.kind === 'action') {
      doubted = false
      const { call, written } = asked
      if (call.name === spawnAgentTool.name) {
        const made = await spawnAgent(call, { number: ++spawned, path, journal, crew, depth: task.depth })
        sayResults(loop, written, await jsonToolChain({ tools: [made] }).run(call, { format }))
      } else sayResults(loop, written, await loop.call((about) => chain.run(call, { ...about, format })))
      continue
    }
    if (asked.kind === 'reported') {
      // Outputs may be called type, code and message.
      const read = task.outputs.length > 0 && !cut ? readOutputs(said, task.outputs) : undefined
      if (!read?.ok) return { kind: 'reported', code: asked.code, message: asked.message }
      return { kind: 'answered', value: { ok: true, text: said, values: read.values } }
    }
    if (asked.kind === 'unusable' && !(asked.doubtful && doubted)) {
      // Fields may be what looks like a broken action: an output can be called "type".
      const read = task.outputs.length > 0 && !cut ? readOutputs(said, task.outputs) : undefined
      if (read?.ok) return { kind: 'answered', value: { ok: true, text: said, values: read.values } }
      doubted = asked.doubtful
      loop.say({ role: 'assistant', content: said })
      loop.sayIdle(asked.reason)
      continue
    }
    const text = asked.kind === 'unusable' ? said : asked.text
    const attempt = attemptOf(text, task, cut)
    if (!attempt.ok) loop.emit({ type: 'issues', issues: attempt.issues })
    if (attempt.ok || reasks >= crew.reasks) return { kind: 'answered', value: attempt }
    reasks++
    loop.say({ role: 'assistant', content: text })
    const reason = cut ? cutOff(asked.finish) : suggestRetry(attempt.issues)
    loop.say({ role: 'user', content: complaint(reason || missing(task)) })
  }
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

interface AskedBase {
  readonly said: string
  readonly cut: boolean
  readonly finish: Extract<AgentEvent, { type: 'turn-end' }>['finish']
}
type Asked = AskedBase &
  (
    | { readonly kind: 'text'; readonly text: string }
    | { readonly kind: 'action'; readonly call: ToolCall; readonly written: string }
    | { readonly kind: 'reported'; readonly code: string; readonly message: string }
    /** `doubtful`: text that may have been meant as an action; when it is said again, it is text. */
    | { readonly kind: 'unusable'; readonly reason: string; readonly doubtful: boolean }
  )

async function askForText(loop: Loop): Promise<Asked> {
  const { read: text, reply, cut } = await loop.ask(textReader)
  return { kind: 'text', text, said: text, cut, finish: reply.finish }
}

/** As chat reads it: text, an action, or an error. */
async function askForReply(loop: Loop): Promise<Asked> {
  const { tools } = loop
  const callsBefore = loop.messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? (message.calls?.length ?? 0) : 0),
    0,
  )
  const {
    read,
    reply: raw,
    cut,
  } = await loop.ask((onEvent) => {
    const reader = createReplyReader({ tools, callsBefore, onEvent })
    return {
      push: (chunk: string) => reader.push(chunk),
      end: (about: { cut: boolean }) => reader.end(about),
    }
  })
  loop.emit({ type: 'issues', issues: read.issues })
  const { finish } = raw
  const said = textReaderOf(raw.text)
  const { retry, reason, message } = retryAdvice(read)
  if (!read.ok) await loop.refuse(raw.text, read.issues)
  if (!read.ok || retry)
    return {
      kind: 'unusable',
      said,
      cut,
      finish,
      reason: cut ? cutOff(finish) : message,
      doubtful: read.ok && reason === 'embedded',
    }
  const reply = read.value
  const base = { said, cut, finish }
  if (reply.type === 'action')
    return { ...base, kind: 'action', call: reply.call, written: formatReply(reply, tools) }
  if (reply.type === 'error') return { ...base, kind: 'reported', code: reply.code, message: reply.message }
  return { ...base, kind: 'text', text: reply.text }
}

/** The whole of a text, without its reasoning. */
function textReaderOf(text: string): string {
  const reader = textReader(() => {})
  reader.push(text)
  return reader.end({ cut: false })
}
