import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import { type CallOutcome, type CheckedCall, errorOf } from './call-outcome.ts'
import { copyArguments } from './copy-arguments.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { toolRunIssues } from './issues.ts'
import { needsOf, refusalText, ruleOn } from './permission/rule-on.ts'
import { problemText } from './problem-text.ts'
import { recordEnd, recordRefusal } from './record-call.ts'
import type { CallRecord, HookContext, RunCallOptions, RunOptions } from './run-options.ts'
import type { Tool, ToolCall, ToolResult } from './tool.ts'
import { asOtherResult, asToolResult, checkMedia } from './tool-result.ts'

/**
 * The way of one call, always in this order: its tool exists and its arguments fit (that is what `entry` says), what it
 * needs is permitted, it runs, and what came of it is recorded.
 */
export async function runCall<C>(
  entry: CheckedCall,
  registry: ToolRegistry,
  options: RunOptions<C>,
  { idempotencyKey = entry.call.id, permitted = false }: RunCallOptions = {},
): Promise<CallOutcome> {
  const { signal: outer, timeout, context, before, after, media, permissions, record } = options
  if (!entry.ok) return recordRefusal(record, entry.call, errorOf(entry.issues, entry.call))
  const tool = registry.get(entry.call.name) as Tool
  const { name } = tool
  const controller = new AbortController()
  const { signal } = controller
  const onAbort = () => controller.abort(outer?.reason)
  if (outer?.aborted) onAbort()
  else outer?.addEventListener('abort', onAbort, { once: true })
  const about: HookContext<C> = { tool, context: context as C, signal }
  const onTimeout = () => controller.abort(new Error(`timed out after ${timeout} ms`))
  let { call } = entry
  let started: number | undefined
  let result: ToolResult | undefined
  let hook: Hook | undefined
  const fail = (issue: Issue, cause?: unknown): CallOutcome => ({
    ok: false,
    call,
    error: errorOf([issue], call, cause),
    ...(result && { result }),
  })
  const attempt = async (): Promise<CallOutcome> => {
    if (before) {
      hook = 'before'
      const verdict = await unlessAborted(signal, async () => before(copyOf(call), about))
      if (verdict && 'refuse' in verdict)
        return fail(toolRunIssues.issue('refused', { name, reason: verdict.refuse }))
      if (verdict && 'arguments' in verdict) {
        const checked = checkGiven(call, verdict.arguments, registry)
        if (!checked.ok) {
          const { problem, issues } = checked
          return fail(toolRunIssues.issue('hook_failed', { name, hook, problem, issues }))
        }
        call = checked.call
      }
      hook = undefined
    }
    // What a person let pass is the call as it was, not what a hook made of it.
    const byPerson = permitted && call === entry.call
    if (permissions) {
      const ruling = ruleOn(permissions, tool, call)
      // A person can permit what no rule is about, and nothing that one denies.
      if (ruling.kind === 'denied' || (ruling.kind === 'unset' && !byPerson))
        return fail(toolRunIssues.issue('not_permitted', { name, reason: refusalText(ruling) }))
    }
    if (record) {
      hook = 'record'
      const permittedBy = byPerson ? 'person' : permissions ? 'rule' : 'program'
      await unlessAborted(signal, async () => record(startOf(tool, call, permittedBy)))
      hook = undefined
    }
    started = performance.now()
    // A tool may change what it gets; what was checked stays as it is.
    const args = copyArguments(call.arguments)
    const output = await unlessAborted(
      signal,
      async () => tool.run(args, { signal, callId: call.id, idempotencyKey, context }),
      timeout,
      onTimeout,
    )
    result = asToolResult(output)
    if (after) {
      hook = 'after'
      const seen = result
      const other = await unlessAborted(signal, async () => after(copyOf(call), seen, about))
      if (other !== undefined) result = asOtherResult(other)
    }
    if (media && result.media.length > 0) {
      hook = 'media'
      const all = result.media
      const change = () => Promise.all(all.map(async (one) => media(one, copyOf(call))))
      const passed = (await unlessAborted(signal, change)).flatMap((one) => one ?? [])
      checkMedia(passed)
      result = { ...result, media: passed }
    }
    return { ok: true, call, result }
  }
  const explain = (error: unknown): CallOutcome => {
    if (error === TIMED_OUT)
      return fail(toolRunIssues.issue('timeout', { name, milliseconds: timeout as number }))
    if (error === ABORTED || signal.aborted) {
      const ran = result !== undefined
      return fail(toolRunIssues.issue('aborted', { name, ran }), outer?.reason ?? error)
    }
    const problem = problemText(error, hook ? 'it threw' : 'the tool failed')
    if (hook === 'record')
      return fail(toolRunIssues.issue('unrecorded', { name, ran: false, problem }), error)
    // Whatever the program's own hook throws says nothing to the model.
    if (hook) return fail(toolRunIssues.issue('hook_failed', { name, hook, problem }), error)
    return fail(toolRunIssues.issue('failed', { name, problem }), error)
  }
  try {
    const outcome = await attempt().catch(explain)
    if (started !== undefined) return await recordEnd(record, outcome, performance.now() - started)
    return outcome.ok ? outcome : await recordRefusal(record, call, outcome.error)
  } finally {
    outer?.removeEventListener('abort', onAbort)
  }
}

function startOf(
  tool: Tool,
  call: ToolCall,
  permittedBy: Extract<CallRecord, { type: 'call-start' }>['permittedBy'],
): CallRecord {
  return { type: 'call-start', call, needs: needsOf(tool, call), permittedBy }
}

type Hook = 'before' | 'record' | 'after' | 'media'

const copyOf = (call: ToolCall): ToolCall => ({ ...call, arguments: copyArguments(call.arguments) })

/** A call with the arguments that a hook gave. That they do not fit is for the developer: the model wrote others. */
function checkGiven(
  call: ToolCall,
  given: unknown,
  registry: ToolRegistry,
): { ok: true; call: ToolCall } | { ok: false; problem: string; issues: Issue[] } {
  if (!isRecord(given)) return { ok: false, problem: 'its arguments are no object', issues: [] }
  const checked = registry.validate(copyOf({ ...call, arguments: given }))
  if (checked.ok) return { ok: true, call: checked.value }
  return {
    ok: false,
    problem: checked.issues.map(({ message }) => message).join(' '),
    issues: checked.issues,
  }
}

const TIMED_OUT = Symbol('timed out')
const ABORTED = Symbol('aborted')

/** Whatever `run` gives, unless the time is up or the call is cancelled: a tool may pay no heed to its signal. */
function unlessAborted<T>(
  signal: AbortSignal,
  run: () => Promise<T>,
  timeout?: number,
  onTimeout?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(ABORTED)
      return
    }
    const onAbort = () => end(() => reject(ABORTED))
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(() => {
            end(() => reject(TIMED_OUT))
            onTimeout?.()
          }, timeout)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    run().then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    )
  })
}
