import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describeSchema } from '../../schema/describe-schema.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Calling, FunctionTool } from './calling.ts'
import { textPrompt } from './text-prompt.ts'

/** A call of a model as plain text, and what its reply is to be read with. */
export interface TextCall {
  readonly params: LanguageModelV4CallOptions
  /** The tools that the reply may call. */
  readonly tools: readonly FunctionTool[]
  /** The reply must call one of them. */
  readonly must: boolean
  /** The answer is JSON, of this schema if there is one. */
  readonly json: { readonly schema: Schema | undefined } | undefined
  /** Ids of calls in the conversation. */
  readonly ids: Set<string>
}

/** Says in the prompt what a model that knows nothing but text cannot be told otherwise. */
export function textParams(params: LanguageModelV4CallOptions, calling: Calling): TextCall {
  const { tools, toolChoice, responseFormat, ...rest } = params
  const declared = (tools ?? []).filter((tool) => tool.type === 'function')
  // What a provider serves itself is not ours to tell of. If it cannot, it says so.
  const served = (tools ?? []).filter((tool) => tool.type === 'provider')
  const usable = toolChoice?.type === 'none' ? [] : declared
  const must = dutyOf(toolChoice, usable)
  const format = responseFormat?.type === 'json' ? responseFormat : undefined
  const instructions = calling.describe({
    tools: usable,
    must,
    answer: format && describeAnswer(format),
  })
  const isServed = served.some(({ name }) => toolChoice?.type === 'tool' && toolChoice.toolName === name)
  const keepsChoice = served.length > 0 && (isServed || declared.length === 0)
  return {
    params: {
      ...rest,
      prompt: textPrompt(params.prompt, calling, declared, instructions),
      ...(served.length > 0 && { tools: served }),
      ...(keepsChoice && toolChoice && { toolChoice }),
      ...(responseFormat && !format && { responseFormat }),
    },
    tools: usable,
    must: must !== false,
    json: format && { schema: format.schema as Schema | undefined },
    ids: new Set(callIds(params.prompt)),
  }
}

function dutyOf(
  choice: LanguageModelV4CallOptions['toolChoice'],
  tools: readonly FunctionTool[],
): boolean | string {
  if (tools.length === 0) return false
  if (choice?.type === 'required') return true
  return choice?.type === 'tool' && tools.some(({ name }) => name === choice.toolName)
    ? choice.toolName
    : false
}

function describeAnswer({
  schema,
  description,
}: Extract<LanguageModelV4CallOptions['responseFormat'], { type: 'json' }>): string {
  return [
    'Write your answer as JSON, with nothing before and after it.',
    description,
    schema && describeSchema(schema as Schema),
  ]
    .filter(Boolean)
    .join('\n')
}

function callIds(prompt: LanguageModelV4Prompt): string[] {
  return prompt.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
      : [],
  )
}
