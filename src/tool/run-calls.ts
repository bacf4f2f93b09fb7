import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import { copyArguments } from './copy-arguments.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { toolRunIssues } from './issues.ts'
import type { Media, RequestedCall, Tool, ToolCall, ToolResult } from './tool.ts'
import { asOtherResult, asToolResult, checkMedia } from './tool-result.ts'

/** What hooks get to know. */
export interface HookContext<C = unknown> {
  readonly tool: Tool
  readonly context: C
  readonly signal: AbortSignal
}

/** What a `before` hook wants: other arguments, or that the call does not run. */
export type BeforeVerdict =
  /** The tool's schema must accept them as they are: what a program writes is not repaired. */
  | { readonly arguments: Record<string, unknown> }
  /** Why, for the model. */
  | { readonly refuse: string }

export interface RunOptions<C = unknown> {
  /** Cancels all calls that have not ended. */
  readonly signal?: AbortSignal | undefined
  /** How many calls run at the same time; 8 unless said otherwise. */
  readonly concurrency?: number | undefined
  /** How long each tool may run, in milliseconds. Hooks are not timed. */
  readonly timeout?: number | undefined
  /** Handed to every tool and hook. */
  readonly context?: C | undefined
  /** Sees each call before it runs: a copy, so that arguments change only by being returned. */
  readonly before?:
    | ((
        call: ToolCall,
        about: HookContext<C>,
        // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
      ) => BeforeVerdict | undefined | void | Promise<BeforeVerdict | undefined | void>)
    | undefined
  /** Sees each result, and may give another in its place. */
  readonly after?:
    | ((
        call: ToolCall,
        result: ToolResult,
        about: HookContext<C>,
        // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
      ) => ToolResult | undefined | void | Promise<ToolResult | undefined | void>)
    | undefined
  /** Changes media on their way to the model: makes them smaller, or leaves them out by giving nothing. */
  readonly media?:
    | ((
        media: Media,
        call: ToolCall,
      ) => Media | readonly Media[] | undefined | Promise<Media | readonly Media[] | undefined>)
    | undefined
  /**
   * Stands around each call that can run, hooks and time limit included: for those who record what comes of calls, or
   * ask first. Gives what came of it.
   */
  readonly around?: ((call: ToolCall, run: RunCall, tool: Tool) => Promise<CallOutcome>) | undefined
}

/** Runs a call. The key tells the tool which tries belong together; the id of the call unless said otherwise. */
export type RunCall = (idempotencyKey?: string) => Promise<CallOutcome>

/** Why a call has no result, or none that could be shown. */
export interface ToolCallError {
  /** As in docs/errors.md: `tool.unknown`, `tool.invalid_arguments`, `tool.failed`, `tool.timeout`, … */
  readonly code: string
  /** The call, unless the text could not be read as calls at all. */
  readonly call?: RequestedCall
  /** For the developer. */
  readonly message: string
  /** What the model is told. */
  readonly hint: string
  readonly issues: readonly Issue[]
  /** What the tool or a hook has thrown. */
  readonly cause?: unknown
}

/** What came of a call. */
export type CallOutcome =
  | { readonly ok: true; readonly call: ToolCall; readonly result: ToolResult }
  | {
      readonly ok: false
      readonly call: RequestedCall
      readonly error: ToolCallError
      /** The tool ran; what came after it failed. */
      readonly result?: ToolResult
    }

/** A call that can run, or why it cannot. */
export type CheckedCall =
  | { readonly ok: true; readonly call: ToolCall; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly call: RequestedCall; readonly issues: readonly Issue[] }

/** Runs the calls that can run, several at once, and gives what came of each in the order of the calls. */
export async function runCalls<C>(
  entries: readonly CheckedCall[],
  registry: ToolRegistry,
  options: RunOptions<C>,
): Promise<CallOutcome[]> {
  const { concurrency = 8 } = options
  const outcomes: CallOutcome[] = []
  let next = 0
  const work = async () => {
    while (next < entries.length) {
      const index = next++
      const entry = entries[index] as CheckedCall
      const run: RunCall = (key) => runEntry(entry, registry, options, key)
      const { around } = options
      outcomes[index] =
        entry.ok && around
          ? await around(entry.call, run, registry.get(entry.call.name) as Tool)
          : await run()
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, work))
  return outcomes
}

async function runEntry<C>(
  entry: CheckedCall,
  registry: ToolRegistry,
  options: RunOptions<C>,
  idempotencyKey = entry.call.id,
): Promise<CallOutcome> {
  if (!entry.ok) return { ok: false, call: entry.call, error: errorOf(entry.issues, entry.call) }
  const { signal: outer, timeout, context, before, after, media } = options
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
  let result: ToolResult | undefined
  let hook: Hook | undefined
  const fail = (issue: Issue, cause?: unknown): CallOutcome => ({
    ok: false,
    call,
    error: errorOf([issue], call, cause),
    ...(result && { result }),
  })
  try {
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
  } catch (error) {
    if (error === TIMED_OUT)
      return fail(toolRunIssues.issue('timeout', { name, milliseconds: timeout as number }))
    if (error === ABORTED || signal.aborted) {
      const ran = result !== undefined
      return fail(toolRunIssues.issue('aborted', { name, ran }), outer?.reason ?? error)
    }
    const problem = problemText(error, hook ? 'it threw' : 'the tool failed')
    // Whatever the program's own hook throws says nothing to the model.
    if (hook) return fail(toolRunIssues.issue('hook_failed', { name, hook, problem }), error)
    return fail(toolRunIssues.issue('failed', { name, problem }), error)
  } finally {
    outer?.removeEventListener('abort', onAbort)
  }
}

type Hook = 'before' | 'after' | 'media'

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

/** What went wrong, for the program: the first error, with the others beside it. */
export function errorOf(issues: readonly Issue[], call?: RequestedCall, cause?: unknown): ToolCallError {
  const errors = issues.filter((issue) => issue.severity === 'error')
  const [first] = errors
  return {
    code: first?.code ?? 'tool.failed',
    ...(call && { call }),
    message: first?.message ?? '',
    hint: errors.map((issue) => issue.hint ?? issue.message).join('\n'),
    issues,
    ...(cause !== undefined && { cause }),
  }
}

const MOST_WORDS = 1000

/** The words of an error, without the stack that some put into them. */
function problemText(error: unknown, otherwise: string): string {
  let text = ''
  try {
    // What is thrown may be anything, and so may its message.
    text = wordsOf(error)
  } catch {}
  const lines = text.split('\n').filter((line) => !/^\s*at .*(:\d+|<anonymous>|native)\)?$/.test(line))
  const words = lines.join('\n').trim()
  if (words === '') return otherwise
  return words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS)}…` : words
}

function wordsOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, name } = error as { message?: unknown; name?: unknown }
  if (typeof message === 'string' && message.trim() !== '') return message
  if (error instanceof Error) return String(message || name)
  return JSON.stringify(error) ?? ''
}
