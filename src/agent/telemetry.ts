import type { Attributes, Span } from '@opentelemetry/api'
import { LegibleError } from '../core/legible-error.ts'
import type { ModelReply } from '../model/ask-model.ts'
import type { Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { plainJson } from '../model/plain-json.ts'
import type { CallOutcome } from '../tool/call-outcome.ts'
import type { ToolCall } from '../tool/tool.ts'

type Api = typeof import('@opentelemetry/api')

export interface TelemetryOptions {
  /** Also record what was said, asked and answered: it may hold what nobody else shall see. Off unless said otherwise. */
  readonly content?: boolean
}

/** Spans in the conventions for generative AI, one in the other: the run, its questions, its calls. */
export interface Telemetry {
  run<R extends { readonly kind: string }>(name: string, runId: string, run: () => Promise<R>): Promise<R>
  chat(model: Model, messages: readonly Message[], ask: () => Promise<ModelReply>): Promise<ModelReply>
  tool(call: ToolCall, run: () => Promise<CallOutcome>): Promise<CallOutcome>
}

const nothing: Telemetry = {
  run: (_name, _runId, run) => run(),
  chat: (_model, _messages, ask) => ask(),
  tool: (_call, run) => run(),
}

let loading: Promise<Api | undefined> | undefined

/** `@opentelemetry/api` is optional: without it, nobody can have registered a tracer. */
const load = () =>
  import('@opentelemetry/api').then(
    (api) => api,
    () => undefined,
  )

export async function openTelemetry({ content = false }: TelemetryOptions = {}): Promise<Telemetry> {
  loading ??= load()
  const api = await loading
  if (!api) return nothing
  const text = (attributes: () => Record<string, unknown>): Attributes =>
    content
      ? Object.fromEntries(Object.entries(attributes()).map(([name, value]) => [name, written(value)]))
      : {}
  return {
    run: (name, runId, run) =>
      within(
        api,
        `invoke_agent ${name}`,
        {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.agent.name': name,
          'gen_ai.conversation.id': runId,
        },
        run,
        (outcome) => ({
          'legible.outcome': outcome.kind,
          ...(outcome.kind === 'failed' && { 'error.type': typeOf((outcome as { error?: unknown }).error) }),
        }),
      ),
    chat: (model, messages, ask) =>
      within(
        api,
        `chat ${model.modelId}`,
        {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': model.provider,
          'gen_ai.request.model': model.modelId,
          ...text(() => ({ 'gen_ai.input.messages': messages })),
        },
        ask,
        (reply) => ({
          'gen_ai.response.finish_reasons': [reply.finish],
          'gen_ai.usage.input_tokens': reply.usage.input,
          'gen_ai.usage.output_tokens': reply.usage.output,
          ...text(() => ({ 'gen_ai.output.messages': [{ role: 'assistant', content: reply.text }] })),
        }),
        api.SpanKind.CLIENT,
      ),
    tool: (call, run) =>
      within(
        api,
        `execute_tool ${call.name}`,
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': call.name,
          'gen_ai.tool.call.id': call.id,
          'gen_ai.tool.type': 'function',
          ...text(() => ({ 'gen_ai.tool.call.arguments': call.arguments })),
        },
        run,
        (outcome) =>
          outcome.ok
            ? text(() => ({ 'gen_ai.tool.call.result': outcome.result.text }))
            : { 'error.type': outcome.error.code },
      ),
  }
}

async function within<R>(
  api: Api,
  name: string,
  attributes: Attributes,
  run: () => Promise<R>,
  attributesOf: (result: R) => Attributes,
  kind?: number,
): Promise<R> {
  const span: Span = api.trace
    .getTracer('legible')
    .startSpan(name, { attributes, ...(kind !== undefined && { kind }) })
  try {
    const result = await api.context.with(api.trace.setSpan(api.context.active(), span), run)
    const after = attributesOf(result)
    span.setAttributes(after)
    if ('error.type' in after) span.setStatus({ code: api.SpanStatusCode.ERROR })
    return result
  } catch (error) {
    span.setAttribute('error.type', typeOf(error))
    span.setStatus({ code: api.SpanStatusCode.ERROR })
    throw error
  } finally {
    span.end()
  }
}

function typeOf(error: unknown): string {
  if (error instanceof LegibleError) return error.code
  return error instanceof Error ? error.name : typeof error
}

/** What cannot be written must not be what makes a run fail. */
function written(value: unknown): string {
  try {
    return JSON.stringify(plainJson(value))
  } catch {
    return '(cannot be written)'
  }
}
