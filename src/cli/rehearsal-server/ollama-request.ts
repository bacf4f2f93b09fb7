import { isRecord } from '../../core/is-record.ts'
import { defined } from './defined.ts'
import type { Fields } from './fields.ts'
import type { CallOptions, Prompt } from './language-model.ts'
import { readStop } from './openai-request.ts'
import { readTools } from './read-tools.ts'

type ResponseFormat = NonNullable<CallOptions['responseFormat']>
type Effort = NonNullable<CallOptions['reasoning']>

/** `options`, `format`, `think` and `tools` of Ollama. */
export function readOllamaSettings(body: Fields, prompt: Prompt): CallOptions {
  const options = body.object('options')
  const most = options?.whole('num_predict')
  return defined<CallOptions>({
    prompt,
    tools: readTools(body),
    responseFormat: readFormat(body),
    reasoning: readThink(body),
    // Below zero is without a limit.
    maxOutputTokens: most !== undefined && most > 0 ? most : undefined,
    stopSequences: options && readStop(options),
    seed: options?.whole('seed'),
    temperature: options?.number('temperature'),
    topP: options?.number('top_p'),
    topK: options?.number('top_k'),
  } as CallOptions)
}

function readFormat(body: Fields): ResponseFormat | undefined {
  const format = body.raw('format')
  if (format === undefined || format === '') return undefined
  if (format === 'json') return { type: 'json' }
  if (isRecord(format)) return { type: 'json', schema: format }
  throw body.problem('format', 'must be "json", or a JSON Schema')
}

function readThink(body: Fields): Effort | undefined {
  const think = body.raw('think')
  if (think === undefined) return undefined
  if (typeof think === 'boolean') return think ? 'medium' : 'none'
  if (think === 'low' || think === 'medium' || think === 'high') return think
  throw body.problem('think', 'must be true, false, "low", "medium" or "high"')
}
