import type { LanguageModelV4CallOptions, LanguageModelV4FinishReason } from '@ai-sdk/provider'
import { callId } from '../../core/call-id.ts'
import { hashText } from '../../core/hash-text.ts'
import { randomNumbers } from '../../core/random-numbers.ts'
import { CHARACTERS_PER_TOKEN } from '../usage.ts'
import { damageAround, damagedPen, damageMove, draftedReasoning, shownCall } from './damage-reply.ts'
import { decideMove, type Move } from './decide-move.ts'
import type { PlayedContent } from './played-content.ts'
import { type Request, readRequest } from './read-request.ts'
import { chooseDamage, type RehearsalDamage } from './rehearsal-damages.ts'
import { writePlainly } from './write-call.ts'
import { writeReply } from './write-reply.ts'

export interface Rehearsal {
  readonly content: readonly PlayedContent[]
  readonly finish: LanguageModelV4FinishReason['unified']
  /** Where the connection is lost. */
  readonly broken?: { readonly after: number; readonly asPart: boolean } | undefined
}

interface RehearseOptions {
  readonly seed: number
  readonly damages: readonly RehearsalDamage[]
  readonly rate: number
}

/** The reply to a prompt, which follows from what is asked and these options alone. */
export function rehearse(call: LanguageModelV4CallOptions, options: RehearseOptions): Rehearsal {
  const request = readRequest(call)
  const { task, turns, failures } = request
  const seed = call.seed ?? options.seed
  // What is to be done is the same in every turn of a task; what goes wrong is not.
  const plan = randomNumbers(hashText(task, seed))
  const luck = randomNumbers(hashText(`${turns.length} ${task}`, seed))
  const damages = chooseDamage(options.damages, options.rate, failures, luck)
  if (damages.has('empty')) return { content: [], finish: 'stop' }
  const content = stopped(contentOf(request, decideMove(request, plan), damages, luck), call.stopSequences)
  const size = content.reduce((sum, part) => sum + textOf(part).length, 0)
  // Never within the last words: what is cut must be missed.
  const somewhere = Math.floor(size * (0.2 + 0.6 * luck()))
  const broken = damages.has('break') ? { after: somewhere, asPart: luck() < 0.5 } : undefined
  const room = (call.maxOutputTokens ?? Number.POSITIVE_INFINITY) * CHARACTERS_PER_TOKEN
  const most = damages.has('truncated') ? Math.min(room, somewhere) : room
  if (size > most) return { content: cutContent(content, most), finish: 'length', broken }
  const calls = content.some(({ type }) => type === 'tool-call')
  return { content, finish: calls ? 'tool-calls' : 'stop', broken }
}

/** The text up to the first word that is to stop it. */
function stopped(content: PlayedContent[], words: readonly string[] = []): PlayedContent[] {
  const [first, ...calls] = content
  if (first?.type !== 'text') return content
  const places = words.map((word) => first.text.indexOf(word)).filter((place) => place >= 0)
  return places.length === 0
    ? content
    : [{ type: 'text', text: first.text.slice(0, Math.min(...places)) }, ...calls]
}

/** A move as a model would put it: calls by means of the API where there are such, and text in the form of the contract. */
function contentOf(
  { contract, native, turns }: Request,
  decided: Move,
  damages: ReadonlySet<RehearsalDamage>,
  luck: () => number,
): PlayedContent[] {
  const move = damageMove(decided, damages, luck)
  const tools = native.length > 0 ? native : contract.tools
  const pen = damagedPen(damages, damages.has('example') ? shownCall(contract, tools) : '', luck)
  const calls = native.length > 0 ? move.calls : []
  const said =
    calls.length === 0
      ? writeReply(contract, move, pen)
      : `${pen.shown}${damages.has('prose') ? move.thought : ''}`.trim()
  const reasoning = damages.has('reasoning') ? draftedReasoning(contract, tools) : ''
  const text = reasoning + (said === '' ? '' : damageAround(said, damages, luck))
  const write = damages.has('quotes') ? pen.write : writePlainly
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ tool, args }, i) => ({
      type: 'tool-call' as const,
      toolCallId: callId(turns.length * 10 + i, tool, args),
      toolName: tool,
      input: write(args, 'JSON'),
    })),
  ]
}

const textOf = (part: PlayedContent) => (part.type === 'tool-call' ? part.input : part.text)

function cutContent(content: readonly PlayedContent[], size: number): PlayedContent[] {
  const kept: PlayedContent[] = []
  let left = size
  for (const part of content) {
    if (left <= 0) break
    const text = textOf(part).slice(0, left)
    left -= text.length
    kept.push(part.type === 'tool-call' ? { ...part, input: text } : { ...part, text })
  }
  return kept
}
