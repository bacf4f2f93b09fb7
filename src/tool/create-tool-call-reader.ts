import { checkText } from '../core/check-text.ts'
import type { Issue } from '../core/issue.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { Reader } from '../core/read.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { findDialect } from '../dialects/find-dialect.ts'
import { callIssues } from '../dialects/issues.ts'
import { CallMachine } from '../dialects/read/call-machine.ts'
import { grammarOf, type ReasoningMode } from '../dialects/read/grammar.ts'
import { type CallEvent, type IdentifiedCall, PartsOut } from '../dialects/read/parts-out.ts'
import { withTools } from '../dialects/read/with-tools.ts'
import { withRecovered } from '../dialects/recover/with-recovered.ts'
import { listIssues } from '../json/list-issues.ts'
import { limitsOf } from '../json/read-json.ts'
import { readYaml } from '../section/yaml/read-yaml.ts'
import { type CheckedCall, checkCall } from './check-call.ts'
import { checkCallOptions } from './check-call-options.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { type DeclaredTool, declaredTools } from './declared-tools.ts'
import type { ToolCallEvent, ToolCallPart, ToolCalls, ToolCallsRead, WrittenCall } from './tool-calls.ts'

export interface ToolCallOptions {
  /** The tools that the model may call: they say what arguments mean. Without them every name is taken for a tool. */
  readonly tools?: readonly DeclaredTool[] | ToolRegistry | undefined
  /** How the model writes calls: the name of a dialect, a row of your own, or `auto`, where the text tells. */
  readonly dialect?: string | Dialect | undefined
  /** `calls`: the text is meant to hold calls, so that they are found however they are written. Needs `tools`. */
  readonly expect?: 'calls' | undefined
  /** `auto`: marks decide; `open`: the prompt has opened reasoning already; `none`: marks of reasoning are plain text. */
  readonly reasoning?: ReasoningMode | undefined
  readonly limits?: Partial<Limits> | undefined
}

export interface ToolCallReaderOptions extends ToolCallOptions {
  readonly onEvent?: ((event: ToolCallEvent) => void) | undefined
}

export interface ToolCallReader extends Reader<ToolCalls> {
  end(): ToolCallsRead
}

/** Reads tool calls while they stream. At the end it gives what `readToolCalls` gives. */
export function createToolCallReader(options: ToolCallReaderOptions = {}): ToolCallReader {
  return new StreamingReader(options)
}

class StreamingReader implements ToolCallReader {
  private readonly options: ToolCallReaderOptions
  private readonly tools
  private readonly limits: Limits
  private readonly checked: CheckedCall[] = []
  private readonly out: PartsOut
  private readonly machine: CallMachine
  private length = 0
  private tooLong = false
  private result: ToolCallsRead | undefined

  constructor(options: ToolCallReaderOptions) {
    checkCallOptions(options)
    const { dialect = 'auto', reasoning = 'auto', onEvent, expect } = options
    const tools = declaredTools(options.tools)
    this.options = options
    this.tools = tools
    this.limits = options.limits ? limitsOf(options.limits) : defaultLimits
    // What is still text may turn out to be a call in the end, so nothing can be told before.
    this.out = new PartsOut(expect === 'calls' ? undefined : this.teller(onEvent))
    this.machine = new CallMachine(
      {
        grammar: withTools(grammarOf(findDialect(dialect), reasoning), tools),
        tools,
        limits: this.limits,
        reasoningOpen: reasoning === 'open',
        readYaml: (text, tool) => readYaml(text, tools.schemaOf(tool) ?? true, tool, this.limits).value,
      },
      this.out,
    )
  }

  /** Calls are checked when they end, if somebody listens, and otherwise all together. */
  private teller(tell: ToolCallReaderOptions['onEvent']): ((event: CallEvent) => void) | undefined {
    return (
      tell &&
      ((event) => {
        if (event.type !== 'call-end') tell(event)
        else tell({ ...event, call: this.check(event.call, event.index).call })
      })
    )
  }

  private check(call: IdentifiedCall, index: number): CheckedCall {
    const checked = this.checked[index] ?? checkCall(call, index, this.tools)
    this.checked[index] = checked
    return checked
  }

  /** Characters looked at: what the growth tests count. */
  get steps(): number {
    return this.machine.steps
  }

  push(chunk: string): void {
    checkText(chunk, 'push')
    if (this.result) return
    const room = this.limits.maxLength - this.length
    if (chunk.length > room) this.tooLong = true
    const text = chunk.length > room ? chunk.slice(0, room) : chunk
    this.length += text.length
    this.machine.push(text)
  }

  end(): ToolCallsRead {
    this.result ??= this.finish()
    return this.result
  }

  private finish(): ToolCallsRead {
    const { machine, out, tools, limits, length, options } = this
    machine.end()
    const issues: Issue[] = [...machine.issues]
    if (this.tooLong)
      issues.push(callIssues.issue('too_long', { limit: limits.maxLength }, { span: [length, length] }))
    let found: Pick<PartsOut, 'parts' | 'calls'> = out
    if (options.expect === 'calls' && tools.names.length > 0) {
      found = withRecovered(out, machine.cursor.tape, tools, issues)
      tellAgain(found, this.teller(options.onEvent))
    }
    const checked = found.calls.map((call, index) => this.check(call, index))
    issues.push(...checked.flatMap((one) => one.issues))
    const calls = checked.map(({ call }) => call)
    const parts = found.parts.map(
      (part): ToolCallPart =>
        part.type === 'call'
          ? { type: 'call', call: calls[part.index] as WrittenCall, span: part.span }
          : part,
    )
    const textOf = (type: 'content' | 'reasoning') =>
      parts.map((part) => (part.type === type ? part.text : '')).join('')
    const value: ToolCalls = { content: textOf('content'), reasoning: textOf('reasoning'), calls, parts }
    const ok = !issues.some((issue) => issue.severity === 'error')
    return {
      ok,
      value,
      complete: machine.complete && calls.every((call) => call.complete) && !this.tooLong,
      issues: listIssues(issues, limits.maxIssues),
    }
  }
}

/** Tells of parts that are known in the end only. */
function tellAgain(
  { parts, calls }: Pick<PartsOut, 'parts' | 'calls'>,
  tell: ((event: CallEvent) => void) | undefined,
): void {
  if (!tell) return
  const out = new PartsOut(tell)
  for (const part of parts) {
    if (part.type === 'call') {
      const call = calls[part.index]
      if (call) out.call(call)
    } else if (part.type === 'markup') out.markup(part.span[1])
    else out.text(part.type, part.text)
  }
  out.finish()
}
