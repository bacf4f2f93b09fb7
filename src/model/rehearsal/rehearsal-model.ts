import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { LegibleError } from '../../core/legible-error.ts'
import { randomNumbers } from '../../core/random-numbers.ts'
import { cutText } from './cut-text.ts'
import { type PlayedReply, playStream, playWhole } from './play-reply.ts'
import { type RehearsalDamage, rehearsalDamages } from './rehearsal-damages.ts'
import { rehearse } from './rehearse.ts'

export interface RehearsalOptions {
  /** The same seed gives the same replies; 1 unless said otherwise. */
  readonly seed?: number
  /** How replies are damaged; not at all unless said otherwise. */
  readonly damage?: RehearsalDamage | readonly RehearsalDamage[]
  /** The share of replies that are damaged; 1, all of them, unless said otherwise. */
  readonly rate?: number
  /** How many characters a delta of a stream has; about four, by the seed, unless said otherwise. */
  readonly chunk?: number
  /** Milliseconds before each delta; 0 unless said otherwise. */
  readonly delay?: number
}

/** How many prompts are remembered, so that one that was broken off is not broken off again. */
const MAX_REMEMBERED = 1000

/**
 * A model without a network and without a language model: it follows what a prompt says about the form of its replies,
 * calls a tool or two, and then answers that it is a rehearsal. What it writes follows from the prompt, the seed and the
 * options alone. Only the damage `break` remembers what was asked before: a connection is lost once, and not again when
 * the same is asked of the same model.
 */
export function rehearsalModel(options: RehearsalOptions = {}): LanguageModelV4 {
  const { seed = 1, rate = 1, delay = 0, chunk } = options
  const damages = [options.damage ?? []].flat()
  check(options, damages)
  const modelId = 'rehearsal'
  const asked = new Set<string>()
  const reply = (call: LanguageModelV4CallOptions): PlayedReply => {
    const { content, finish, broken } = rehearse(call, { seed, damages, rate })
    const random = randomNumbers(seed)
    // About four characters, more or less.
    const size = chunk === undefined ? () => 1 + random() * 7 : () => chunk
    const whole = { content, finish, cut: (text: string) => cutText(text, size), delay }
    if (!broken || !isFirst(asked, JSON.stringify([call.prompt, call.tools]))) return whole
    const error = new APICallError({
      message: 'The connection was reset. (This is a rehearsal: it was asked to break off.)',
      url: 'rehearsal:',
      requestBodyValues: {},
      isRetryable: true,
    })
    return { ...whole, failure: { error, ...broken } }
  }
  return {
    specificationVersion: 'v4',
    provider: 'legible',
    modelId,
    supportedUrls: {},
    doGenerate: async (call) => playWhole(reply(call), { modelId, options: call }),
    doStream: async (call) => playStream(reply(call), { modelId, options: call }),
  }
}

function check({ rate = 1, chunk = 1, delay = 0 }: RehearsalOptions, damages: readonly string[]): void {
  const known: readonly string[] = rehearsalDamages
  const wrong = damages.find((one) => !known.includes(one))
  if (wrong !== undefined)
    throw new LegibleError(
      'model.unknown_damage',
      `There is no damage "${wrong}". There are ${known.join(', ')}.`,
    )
  if (!(rate >= 0 && rate <= 1))
    throw new LegibleError('model.invalid_option', `The rate is a share from 0 to 1, not ${rate}.`)
  if (!(chunk >= 1))
    throw new LegibleError('model.invalid_option', `A chunk has at least one character, not ${chunk}.`)
  if (!(delay >= 0))
    throw new LegibleError('model.invalid_option', `The delay is a number of milliseconds, not ${delay}.`)
}

function isFirst(asked: Set<string>, key: string): boolean {
  if (asked.has(key)) return false
  if (asked.size >= MAX_REMEMBERED) asked.clear()
  asked.add(key)
  return true
}
