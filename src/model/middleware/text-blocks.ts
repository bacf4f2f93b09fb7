import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { Issue } from '../../core/issue.ts'
import type { Limits } from '../../core/limits.ts'
import type { Schema } from '../../schema/schema.ts'
import { JsonAnswer } from './json-answer.ts'

type TextEnd = Extract<LanguageModelV4StreamPart, { type: 'text-end' }>

export interface TextBlocksOptions {
  /** The answer is JSON. */
  readonly json: { readonly schema: Schema | undefined } | undefined
  readonly streams: boolean
  readonly limits: Partial<Limits> | undefined
  readonly emit: (part: LanguageModelV4StreamPart) => void
}

/** Writes text and reasoning as blocks, each with its beginning and its end. */
export class TextBlocks {
  private readonly options: TextBlocksOptions
  private readonly emit: (part: LanguageModelV4StreamPart) => void
  /** The block that is being written: text or reasoning, one at a time. */
  private open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined
  /** An answer in JSON. Reasoning does not end it, as readers of the stream see the first block of text only. */
  private answer: { readonly json: JsonAnswer; id: string | undefined } | undefined
  private count = 0

  constructor(options: TextBlocksOptions) {
    this.options = options
    this.emit = options.emit
  }

  text(text: string, metadata: SharedV4ProviderMetadata | undefined): void {
    if (this.options.json) this.answerOf(metadata, this.options.json).push(text)
    else this.emit({ type: 'text-delta', id: this.begin('text', metadata), delta: text })
  }

  reasoning(text: string): void {
    this.emit({ type: 'reasoning-delta', id: this.begin('reasoning'), delta: text })
  }

  /** Ends the block that is being written, with what the model said at the end of its own. */
  end({ citations, providerMetadata }: Partial<TextEnd> = {}): void {
    if (!this.open) return
    const { kind, id } = this.open
    this.open = undefined
    if (kind === 'reasoning') this.emit({ type: 'reasoning-end', id })
    else
      this.emit({
        type: 'text-end',
        id,
        ...(citations && { citations }),
        ...(providerMetadata && { providerMetadata }),
      })
  }

  /** Ends all there is, and says what was wrong with the answer. `cut`: the model was not done. */
  endAll(cut: boolean): readonly Issue[] {
    this.end()
    const { answer } = this
    if (!answer) return []
    const issues = answer.json.end(cut)
    this.answer = undefined
    if (answer.id !== undefined) this.emit({ type: 'text-end', id: answer.id })
    return issues
  }

  private begin(kind: 'text' | 'reasoning', metadata?: SharedV4ProviderMetadata): string {
    if (this.open?.kind === kind) return this.open.id
    this.end()
    const id = this.nextId()
    this.open = { kind, id }
    this.emit({ type: `${kind}-start`, id, ...(metadata && { providerMetadata: metadata }) })
    return id
  }

  private answerOf(
    metadata: SharedV4ProviderMetadata | undefined,
    json: { readonly schema: Schema | undefined },
  ): JsonAnswer {
    if (this.answer) return this.answer.json
    const { streams, limits } = this.options
    const write = (delta: string) => {
      if (delta === '') return
      if (answer.id === undefined) {
        this.end()
        answer.id = this.nextId()
        this.emit({ type: 'text-start', id: answer.id, ...(metadata && { providerMetadata: metadata }) })
      }
      this.emit({ type: 'text-delta', id: answer.id, delta })
    }
    const answer: { readonly json: JsonAnswer; id: string | undefined } = {
      json: new JsonAnswer({ ...json, streams, limits }, write),
      id: undefined,
    }
    this.answer = answer
    return answer.json
  }

  // Not as a model names its own blocks of reasoning, which go through as they are.
  private nextId(): string {
    return `legible-${++this.count}`
  }
}
