import {
  type AgentNode,
  type InputNode,
  limitText,
  oversightText,
  type PromptText,
  type Step,
} from './graph.ts'
import { type Font, fitLine, textWidth, wrapLines } from './text-lines.ts'

/** How a line of a card is meant; its colour follows from it. */
export type Tone = 'kind' | 'name' | 'prompt' | 'outputs' | 'limit' | 'mark' | 'path'

export const fonts: Record<Tone, Font> = {
  kind: { size: 10, bold: true },
  name: { size: 14, mono: true, bold: true },
  prompt: { size: 12 },
  outputs: { size: 12, mono: true },
  limit: { size: 12 },
  mark: { size: 10.5, bold: true },
  path: { size: 12, mono: true },
}

interface CardText {
  readonly tone: Tone
  readonly text: string
  /** Of its baseline, from the left top of the card; of a mark, the middle. */
  readonly x: number
  readonly y: number
}

/** A box with text in it, not yet at its place. */
export interface Card {
  readonly id: string
  readonly kind: 'inputs' | 'goal' | 'converge' | 'agent'
  readonly width: number
  readonly height: number
  readonly texts: readonly CardText[]
  /** What stands around the mark of who decides. */
  readonly mark?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  /** For those who hover or listen. */
  readonly title: string
}

export const GOAL_WIDTH = 340
export const AGENT_WIDTH = 216
const PADDING = 16
const BOTTOM = 14

export function goalCard({ id, kind, name, prompt, outputs, limit, oversight }: Step): Card {
  const mark = oversightText[oversight]
  const markWidth = mark ? textWidth(mark, fonts.mark) + 16 : 0
  const column = new Column(GOAL_WIDTH)
  column.add('kind', kind.toUpperCase())
  column.add('name', name)
  column.addPrompt(prompt, 2)
  column.addOutputs(outputs, 3)
  if (limit !== undefined) column.add('limit', `↻ repeated until it is done, ${limitText(limit)}`)
  const box = { x: GOAL_WIDTH - PADDING + 4 - markWidth, y: 10, width: markWidth, height: 18 }
  if (mark) column.texts.push({ tone: 'mark', text: mark, x: box.x + markWidth / 2, y: box.y + 12.5 })
  const facts = [outputs.length > 0 && `gives ${outputs.join(', ')}`, limit && limitText(limit), mark]
  return {
    ...column.card(),
    id,
    kind,
    ...(mark && { mark: box }),
    title: titleOf(`${kind} ${name}`, facts, prompt),
  }
}

export function agentCard({ id, name, prompt, outputs, requires }: AgentNode): Card {
  const column = new Column(AGENT_WIDTH)
  column.add('kind', 'AGENT')
  column.add('name', name)
  column.addPrompt(prompt, 2)
  column.addOutputs(outputs, 2)
  if (requires !== undefined) column.add('limit', `requires ${requires}`)
  const facts = [outputs.length > 0 && `gives ${outputs.join(', ')}`, requires && `requires ${requires}`]
  return { ...column.card(), id, kind: 'agent', title: titleOf(`agent ${name}`, facts, prompt) }
}

export function inputsCard(inputs: readonly InputNode[]): Card {
  const column = new Column(GOAL_WIDTH)
  column.add('kind', 'INPUTS')
  for (const input of inputs) {
    const line = inputText(input)
    column.add('outputs', line)
  }
  return {
    ...column.card(),
    id: 'inputs',
    kind: 'inputs',
    title: `inputs: ${inputs.map(inputText).join('; ')}`,
  }
}

function inputText({ name, type, default: given }: InputNode): string {
  const typed = type === undefined ? name : `${name}: ${type}`
  return given === undefined ? typed : `${typed} = ${given}`
}

/** A title is read out: an excerpt is enough. */
const MOST_PROMPT = 300

function titleOf(head: string, facts: readonly (string | false | undefined)[], prompt: PromptText): string {
  const said = prompt.kind === 'file' ? `prompt from ${prompt.text}` : prompt.text.slice(0, MOST_PROMPT)
  return [head, ...facts.filter(Boolean), said].join('; ').replace(/\s+/g, ' ')
}

/** Space before a line of each tone, down to its baseline. */
const steps: Record<Tone, number> = {
  kind: 23,
  name: 20,
  prompt: 18,
  outputs: 19,
  limit: 19,
  mark: 0,
  path: 18,
}

/** Lines, one below the other. */
class Column {
  readonly texts: CardText[] = []
  readonly #width: number
  #y = 0

  constructor(width: number) {
    this.#width = width
  }

  add(tone: Tone, text: string): void {
    this.#put(tone, fitLine(text, fonts[tone], this.#inner))
  }

  addPrompt({ kind, text }: PromptText, most: number): void {
    if (kind === 'file') this.add('path', `FROM ${text}`)
    else for (const line of wrapLines(text, fonts.prompt, this.#inner, most)) this.#put('prompt', line)
  }

  addOutputs(outputs: readonly string[], most: number): void {
    if (outputs.length === 0) return
    const lines = wrapLines(`→ ${outputs.join(', ')}`, fonts.outputs, this.#inner, most)
    for (const line of lines) this.#put('outputs', line)
  }

  card(): Pick<Card, 'width' | 'height' | 'texts'> {
    return { width: this.#width, height: this.#y + BOTTOM, texts: this.texts }
  }

  get #inner(): number {
    return this.#width - 2 * PADDING
  }

  #put(tone: Tone, text: string): void {
    this.#y += steps[tone]
    this.texts.push({ tone, text, x: PADDING, y: this.#y })
  }
}
