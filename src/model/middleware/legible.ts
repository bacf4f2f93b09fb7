import type { LanguageModelV4Middleware } from '@ai-sdk/provider'
import { isRecord } from '../../core/is-record.ts'
import { LegibleError } from '../../core/legible-error.ts'
import type { Limits } from '../../core/limits.ts'
import type { Dialect, ReasoningMode } from '../../dialects/index.ts'
import { limitsOf } from '../../json/read-json.ts'
import type { TextFormat } from '../../text/format.ts'
import type { Calling } from './calling.ts'
import { dialectCalling } from './dialect-calling.ts'
import { replyContent } from './reply-content.ts'
import { replyStream } from './reply-stream.ts'
import { sectionCalling } from './section-calling.ts'
import { textParams } from './text-params.ts'

export interface LegibleOptions {
  /** How the model writes calls: the name of a dialect, or a row of your own; `hermes` unless said otherwise. */
  readonly dialect?: string | Dialect | undefined
  /** Instead of a dialect: calls stand in a section `action` of this format, and answers in a section `answer`. */
  readonly format?: TextFormat | undefined
  /** With a format: in what the calls are written; `json` unless said otherwise. */
  readonly chain?: 'json' | 'yaml' | undefined
  /**
   * `calls`: every reply is searched for calls, however they are written. It can be shown only when it is all there. A
   * reply that must have calls, because of `toolChoice`, is always read like this. Not for a format.
   */
  readonly expect?: 'calls' | undefined
  /** `auto`: marks decide; `open`: the prompt has opened reasoning already; `none`: marks of reasoning are plain text. */
  readonly reasoning?: ReasoningMode | undefined
  /** What to bound; the rest is as in `defaultLimits`. */
  readonly limits?: Partial<Limits> | undefined
}

/**
 * Middleware of the AI SDK that gives a model which knows nothing but text tools, structured output and reasoning:
 * `wrapLanguageModel({ model, middleware: legible() })`.
 */
export function legible(options: LegibleOptions = {}): LanguageModelV4Middleware {
  checkOptions(options)
  const { expect, limits } = options
  const calling = callingOf(options)
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ model, params }) {
      const call = textParams(params, calling)
      return replyContent(await model.doGenerate(call.params), { calling, call, expect, limits })
    },
    async wrapStream({ model, params }) {
      const call = textParams(params, calling)
      const { stream, ...rest } = await model.doStream(call.params)
      return { ...rest, stream: replyStream(stream, { calling, call, expect, limits }) }
    },
  }
}

function callingOf({ dialect = 'hermes', format, chain, reasoning, limits }: LegibleOptions): Calling {
  return format
    ? sectionCalling(format, { chain, reasoning, limits })
    : dialectCalling(dialect, { reasoning, limits })
}

const known = ['dialect', 'format', 'chain', 'expect', 'reasoning', 'limits']

function checkOptions(options: LegibleOptions): void {
  if (!isRecord(options as unknown)) throw invalid('The options are an object.')
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw invalid(`There is no option "${name}". There are ${known.join(', ')}.`)
  const { dialect, format, chain, expect, reasoning, limits } = options
  if (format && dialect !== undefined)
    throw invalid('dialect and format are two ways of calling: choose one.')
  if (format !== undefined && typeof format?.createReader !== 'function')
    throw invalid('format is xml(), markdown() or labels().')
  if (chain !== undefined && !format) throw invalid('chain needs a format.')
  if (chain !== undefined && chain !== 'json' && chain !== 'yaml') throw invalid("chain is 'json' or 'yaml'.")
  if (expect !== undefined && (expect !== 'calls' || format))
    throw invalid("expect is 'calls', with a dialect, or left out.")
  if (reasoning !== undefined && !['auto', 'open', 'none'].includes(reasoning))
    throw invalid("reasoning is 'auto', 'open' or 'none'.")
  limitsOf(limits)
}

const invalid = (problem: string) => new LegibleError('model.invalid_option', problem)
