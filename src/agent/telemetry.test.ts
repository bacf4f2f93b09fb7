import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import { react } from './react.ts'

const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
)
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
beforeEach(() => exporter.reset())
afterAll(() => {
  trace.disable()
  context.disable()
})

const search = defineTool({
  name: 'search',
  description: 'Searches.',
  input: z.object({ query: z.string() }),
  run({ query }) {
    trace.getTracer('mine').startSpan('inside the tool').end()
    if (query === 'broken') throw new Error('no')
    return 'SECRET RESULT'
  },
})
const script = (query: string) => [
  `<action>{"tool": "search", "id": "c1", "args": {"query": "${query}"}}</action>`,
  '<answer>SECRET ANSWER</answer>',
]

test('a run, its questions and its calls are spans, one in the other, without content', async () => {
  const model = scriptedModel(script('SECRET QUERY'))
  await react({ model, tools: [search] }).start('SECRET TASK').outcome
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name }) => name)).toEqual([
    'chat scripted',
    'inside the tool',
    'execute_tool search',
    'chat scripted',
    'invoke_agent react',
  ])
  const [chat, inside, tool, , run] = spans
  expect(chat?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId)
  expect(tool?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId)
  expect(inside?.parentSpanContext?.spanId).toBe(tool?.spanContext().spanId)
  expect(chat?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.output_tokens': expect.any(Number),
  })
  expect(tool?.attributes).toMatchObject({ 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.id': 'c1' })
  expect(run?.attributes).toMatchObject({ 'gen_ai.agent.name': 'react', 'legible.outcome': 'answered' })
  expect(JSON.stringify(spans.map(({ attributes, events }) => [attributes, events]))).not.toContain('SECRET')
})

test('content is recorded when asked for', async () => {
  const model = scriptedModel(script('SECRET QUERY'))
  await react({ model, tools: [search], telemetry: { content: true } }).start('SECRET TASK').outcome
  const text = JSON.stringify(exporter.getFinishedSpans().map(({ attributes }) => attributes))
  for (const part of ['SECRET TASK', 'SECRET QUERY', 'SECRET RESULT', 'SECRET ANSWER'])
    expect(text).toContain(part)
})

test('what fails is marked', async () => {
  const model = scriptedModel([script('broken')[0] as string, { error: { status: 400 } }])
  await react({ model, tools: [search] }).start('Go').outcome
  const failed = exporter.getFinishedSpans().filter(({ status }) => status.code === 2)
  expect(failed.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
    ['execute_tool search', 'tool.failed'],
    ['chat scripted', 'model.failed'],
    ['invoke_agent react', 'model.failed'],
  ])
})
