import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { Issue } from '../../core/issue.ts'
import type { CallToWrite } from '../../dialects/index.ts'
import type { ToolCallEvent } from '../../tool/tool-calls.ts'

/**
 * A way of calling tools in plain text: how a model is told of them, how its calls and their results stand in the
 * conversation, and how its replies are read. A new way is one more of these.
 */
export interface Calling {
  /** For the system message; empty when there is nothing to say. */
  describe(ask: Ask): string
  /** Calls as the model would have written them. */
  formatCalls(calls: readonly CallToWrite[], tools: readonly FunctionTool[]): string
  /** Text that the model wrote, as it would have written it: around it may stand what marks an answer. */
  formatText(text: string): string
  /** The results of calls, for a message of the user. */
  formatResults(results: readonly ResultText[], tools: readonly FunctionTool[]): string
  createReader(options: CallingReaderOptions): CallingReader
}

/** What a model is asked for. */
interface Ask {
  readonly tools: readonly FunctionTool[]
  /** It must call a tool, and not just may; the name of one: that one. */
  readonly must: boolean | string
  /** How the answer shall be written, if not as plain text. */
  readonly answer: string | undefined
}

export type FunctionTool = LanguageModelV4FunctionTool

export interface ResultText {
  readonly id: string
  readonly name: string
  readonly content: string
}

interface CallingReaderOptions {
  /** Without tools there are no calls, only text and reasoning. */
  readonly tools: readonly FunctionTool[]
  readonly expect: 'calls' | undefined
  readonly onEvent: (event: ToolCallEvent) => void
}

/** Tells of text, reasoning and calls while a reply arrives. A call that was cut off ends with `complete: false`. */
export interface CallingReader {
  push(chunk: string): void
  /** What was wrong with the reply. */
  end(): readonly Issue[]
}

/** What a model is told when it must call a tool. */
export function describeDuty(must: boolean | string): string {
  if (must === false) return ''
  const what = must === true ? 'at least one tool' : `the tool ${must}`
  return `You must call ${what} now. Do not answer without a call.`
}
