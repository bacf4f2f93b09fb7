import { isRecord } from '../../core/is-record.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { checkTool } from '../../tool/define-tool.ts'
import type { Tool, ToolContext } from '../../tool/tool.ts'
import { isMcpResult, mcpResult } from './mcp-result.ts'
import { type SdkInput, sdkInput } from './sdk-input.ts'
import { sdkOutput } from './sdk-output.ts'

/** A tool of the AI SDK, as `tool()` and `dynamicTool()` make it. */
export interface SdkTool {
  readonly type?: string | undefined
  readonly description?: string | ((options: never) => string) | undefined
  readonly title?: string | undefined
  readonly inputSchema: unknown
  readonly execute?: ((input: never, options: never) => unknown) | undefined
  readonly needsApproval?: boolean | ((input: never, options: never) => unknown) | undefined
  readonly toModelOutput?: ((options: never) => unknown) | undefined
}

/** The same, with functions that can be called. */
interface CallableTool {
  readonly type?: unknown
  readonly description?: unknown
  readonly title?: unknown
  readonly inputSchema: unknown
  execute(input: unknown, options: SdkOptions): unknown
  readonly needsApproval?: unknown
  toModelOutput?(options: { toolCallId: string; input: unknown; output: unknown }): unknown
}

/** What the AI SDK tells a tool about its call. The conversation is not ours to hand on. */
interface SdkOptions {
  readonly toolCallId: string
  readonly messages: readonly never[]
  readonly abortSignal?: AbortSignal
  readonly context: unknown
}

/** Whether this is a tool of the AI SDK. It does not know its own name. */
export function isSdkTool(value: unknown): value is SdkTool {
  return isRecord(value) && ('inputSchema' in value || typeof value.execute === 'function')
}

export function sdkTools(tools: Readonly<Record<string, SdkTool>>): Promise<Tool[]> {
  return Promise.all(Object.entries(tools).map(([name, tool]) => fromSdkTool(name, tool)))
}

async function fromSdkTool(name: string, given: SdkTool): Promise<Tool> {
  if (typeof given.execute !== 'function')
    throw new LegibleError(
      'tool.no_run',
      `The tool ${name} has no execute function: it is run by a provider or by your own program, and not from here.`,
    )
  const callable = given as CallableTool
  const { input, validate } = await inputOf(name, callable.inputSchema)
  const tool: Tool = {
    name,
    description: descriptionOf(name, callable),
    input,
    ...approval(callable),
    async run(args, context) {
      const checked = validate ? await validate(args) : args
      return runSdkTool(callable, checked, context)
    },
  }
  checkTool(tool)
  return tool
}

async function inputOf(name: string, schema: unknown): Promise<SdkInput> {
  try {
    return await sdkInput(schema)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new LegibleError(
      'tool.invalid_schema',
      `The input schema of the tool ${name} is broken: ${problem}`,
      {
        cause: error,
      },
    )
  }
}

function descriptionOf(name: string, { description, title }: CallableTool): string {
  const text = typeof description === 'function' ? description({ context: undefined }) : description
  const words = [text, title].find((one) => typeof one === 'string' && one.trim() !== '')
  return String(words ?? `The tool ${name}.`)
}

function approval({ needsApproval }: CallableTool): Pick<Tool, 'needsApproval'> {
  if (typeof needsApproval === 'function')
    return {
      needsApproval: async (input) =>
        Boolean(await needsApproval(input, { toolCallId: '', messages: [], context: undefined })),
    }
  return needsApproval === undefined ? {} : { needsApproval: needsApproval === true }
}

async function runSdkTool(tool: CallableTool, input: unknown, about: ToolContext): Promise<unknown> {
  const { callId: toolCallId, signal, context } = about
  const given = tool.execute(input, { toolCallId, messages: [], abortSignal: signal, context })
  const output = isAsyncIterable(given) ? await lastOf(given, signal) : await given
  // What an MCP server answered says itself whether it is an error; as a message for a model, it no longer does.
  if (tool.type === 'dynamic' && isMcpResult(output)) return mcpResult(output)
  if (typeof tool.toModelOutput !== 'function') return output
  return sdkOutput(await tool.toModelOutput({ toolCallId, input, output }))
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** A tool that yields shows how far it is; what it yields last is its result. */
async function lastOf(values: AsyncIterable<unknown>, signal: AbortSignal): Promise<unknown> {
  let last: unknown
  for await (const value of values) {
    signal.throwIfAborted()
    last = value
  }
  return last
}
