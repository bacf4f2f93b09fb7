import { defined } from './defined.ts'
import type { Fields } from './fields.ts'
import type { CallOptions, Prompt } from './language-model.ts'
import { readToolChoice, readTools } from './read-tools.ts'

type ResponseFormat = NonNullable<CallOptions['responseFormat']>
type Effort = NonNullable<CallOptions['reasoning']>

const efforts: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The settings that OpenAI's two endpoints share. */
export function readOpenAiSettings(body: Fields, prompt: Prompt): CallOptions {
  if ((body.whole('n') ?? 1) !== 1) throw body.problem('n', 'one reply is written at a time: leave it out')
  for (const name of ['logprobs', 'echo', 'suffix', 'functions'])
    if (body.raw(name)) throw body.problem(name, 'is not served by the rehearsal model: leave it out')
  return defined<CallOptions>({
    prompt,
    maxOutputTokens: mostTokens(body),
    stopSequences: readStop(body),
    seed: body.whole('seed'),
    temperature: body.number('temperature'),
    topP: body.number('top_p'),
    presencePenalty: body.number('presence_penalty'),
    frequencyPenalty: body.number('frequency_penalty'),
  } as CallOptions)
}

export function readOpenAiChatSettings(body: Fields, prompt: Prompt): CallOptions {
  const tools = readTools(body)
  return defined<CallOptions>({
    ...readOpenAiSettings(body, prompt),
    tools,
    toolChoice: readToolChoice(body, tools),
    responseFormat: readResponseFormat(body),
    reasoning: readEffort(body),
  } as CallOptions)
}

/** Whether to stream, and whether to tell what it cost at the end. */
export function readStreaming(body: Fields): { stream: boolean; includeUsage: boolean } {
  const options = body.object('stream_options')
  return { stream: body.flag('stream') ?? false, includeUsage: options?.flag('include_usage') ?? false }
}

function mostTokens(body: Fields): number | undefined {
  const name = body.has('max_completion_tokens') ? 'max_completion_tokens' : 'max_tokens'
  const most = body.whole(name)
  if (most !== undefined && most < 1) throw body.problem(name, 'must be at least 1')
  return most
}

/** `stop`: one text or several. */
export function readStop(body: Fields): string[] | undefined {
  const stop = body.raw('stop')
  const list = typeof stop === 'string' ? [stop] : body.list('stop')
  const texts = list?.filter((text): text is string => typeof text === 'string' && text !== '')
  if (texts?.length !== list?.length) throw body.problem('stop', 'must be a string, or a list of strings')
  return texts && texts.length > 0 ? texts : undefined
}

function readResponseFormat(body: Fields): ResponseFormat | undefined {
  const format = body.object('response_format')
  if (!format) return undefined
  const type = format.need('type', format.text('type'))
  if (type === 'text') return { type: 'text' }
  if (type === 'json_object') return { type: 'json' }
  if (type !== 'json_schema') throw format.problem('type', 'must be text, json_object or json_schema')
  const declared = format.need('json_schema', format.object('json_schema'))
  return defined<ResponseFormat>({
    type: 'json',
    schema: declared.object('schema') && declared.raw('schema'),
    name: declared.text('name'),
    description: declared.text('description'),
  } as ResponseFormat)
}

function readEffort(body: Fields): Effort | undefined {
  const effort = body.text('reasoning_effort')
  if (effort !== undefined && !efforts.includes(effort))
    throw body.problem('reasoning_effort', `must be one of ${efforts.join(', ')}`)
  return effort as Effort | undefined
}
