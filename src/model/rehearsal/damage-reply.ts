import { isRecord } from '../../core/is-record.ts'
import type { Contract, OfferedTool } from './contract.ts'
import { type Damage, damage } from './damage.ts'
import type { Move } from './decide-move.ts'
import { exampleMarker, fillTemplate, markedArguments } from './fill-template.ts'
import type { RehearsalDamage } from './rehearsal-damages.ts'
import { spoilTypes } from './spoil-types.ts'
import { type WriteValue, writeCallsAs, writePlainly } from './write-call.ts'
import type { Pen } from './write-reply.ts'

type Damages = ReadonlySet<RehearsalDamage>

/** The move as a model makes it that does not know its tools well. */
export function damageMove(move: Move, damages: Damages, random: () => number): Move {
  let { calls } = move
  if (damages.has('types'))
    calls = calls.map(({ tool, args }) => {
      const spoilt = spoilTypes(args, random)
      return { tool, args: isRecord(spoilt) ? spoilt : args }
    })
  if (damages.has('unknown-tool')) calls = calls.map(({ tool, args }) => ({ tool: misspelt(tool), args }))
  return { ...move, calls }
}

/** Two letters have changed places, or there is one too many. */
function misspelt(name: string): string {
  const middle = Math.max(1, Math.floor(name.length / 2))
  const swapped = `${name.slice(0, middle - 1)}${name[middle] ?? ''}${name[middle - 1]}${name.slice(middle + 1)}`
  return swapped === name ? `${name}x` : swapped
}

/** How a reply is written with these damages. */
export function damagedPen(damages: Damages, shown: string, random: () => number): Pen {
  const fill: Pen['fill'] = (template, words) => {
    const value = fillTemplate(template, words)
    return damages.has('types') ? spoilTypes(value, random) : value
  }
  return { write: damagedWriting(damages, random), fill, shown }
}

function damagedWriting(damages: Damages, random: () => number): WriteValue {
  const quotes: Damage[] = [random() < 0.5 ? 'single-quotes' : 'curly-quotes']
  if (random() < 0.6) quotes.push('unquoted-keys')
  if (random() < 0.6) quotes.push('trailing-commas')
  const seed = Math.floor(random() * 1e9)
  // In a fence stands either the value or the whole reply.
  const fenced = damages.has('fence') && random() < 0.5
  return (value, notation) => {
    const text = damages.has('quotes')
      ? damage(value, { seed, damages: quotes, pretty: false, everywhere: true }).text
      : writePlainly(value, notation)
    return fenced ? `\`\`\`${notation.toLowerCase()}\n${text}\n\`\`\`` : text
  }
}

/** A call that is only shown, in a fence between words. */
export function shownCall(contract: Contract, tools: readonly OfferedTool[]): string {
  const call = markedCall(contract, tools)
  if (call === '') return ''
  return `A call could look like this, for example:\n\n\`\`\`\n${call}\n\`\`\`\n\nThat was only an example; now to the task.\n\n`
}

/** A draft of a call that the model thinks of and drops. */
export function draftedReasoning(contract: Contract, tools: readonly OfferedTool[]): string {
  const rows = contract.kind === 'dialect' ? contract.alike : []
  const [open, close] = rows[0]?.reasoning?.[0] ?? ['<think>', '</think>']
  // Where calls are meant even between these tags, the draft is only talked about.
  const isMeant = rows.some(({ reasoning, callsWhileReasoning }) => {
    return callsWhileReasoning || !reasoning?.some(([tag]) => tag === open)
  })
  const call = isMeant ? `To call ${tools[0]?.name} with ${exampleMarker}.` : markedCall(contract, tools)
  const draft = call && ` Perhaps like this?\n${call}\nNo, I should look again.`
  return `${open}\nThe user wants an answer.${draft}\n${close}\n`
}

function markedCall(contract: Contract, tools: readonly OfferedTool[]): string {
  // A tool with room for words shows best that it was only shown.
  const tool =
    tools.find((one) =>
      JSON.stringify(fillTemplate({ ...one, free: true }, ['\u0001'])).includes('\\u0001'),
    ) ?? tools[0]
  if (!tool) return ''
  return writeCallsAs(contract, [{ tool: tool.name, args: markedArguments(tool) }], writePlainly)
}

const before = ['Sure, I can help with that!', 'Certainly. Here is my reply:', 'Okay, let me see.']
const after = ['I hope this helps!', 'Let me know if you need anything else.', 'That should be all.']

/** What is wrong around a reply. */
export function damageAround(text: string, damages: Damages, random: () => number): string {
  let whole = text
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]
  if (damages.has('fence') && !text.includes('```')) whole = `\`\`\`\n${whole}\n\`\`\``
  if (damages.has('prose')) {
    const both = random() < 0.6
    whole = `${pick(before)}\n\n${whole}${both ? `\n\n${pick(after)}` : ''}`
  }
  return whole
}
