import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Issue } from '../../core/issue.ts'
import type { Limits } from '../../core/limits.ts'
import type { ToolCallEvent, WrittenCall } from '../../tool/tool-calls.ts'
import type { Calling, CallingReader } from './calling.ts'
import { jsonText } from './json-text.ts'
import { TextBlocks } from './text-blocks.ts'
import type { TextCall } from './text-params.ts'

type Part = LanguageModelV4StreamPart
type PartOf<Type> = Extract<Part, { type: Type }>

export interface ReplyPartsOptions {
  readonly calling: Calling
  readonly call: TextCall
  readonly expect: 'calls' | undefined
  readonly limits: Partial<Limits> | undefined
  /** Somebody looks at the parts while they come. */
  readonly streams: boolean
  readonly emit: (part: Part) => void
}

/** A block of text of the model, and the calls in it. */
interface Block {
  readonly reader: CallingReader
  /** Set when the block has ended. Whether it was cut off is known when the next part comes. */
  end?: PartOf<'text-end'>
}

interface OpenCall {
  readonly id: string
  /** The arguments as the model writes them. */
  input: string
}

/**
 * Makes of the parts of a reply, as a model gives them that knows text alone, those that one with tools would give. Text
 * is read block by block; every other part goes through as it is.
 */
export class ReplyParts {
  private readonly options: ReplyPartsOptions
  private readonly emit: (part: Part) => void
  private readonly texts: TextBlocks
  private readonly blocks = new Map<string, Block>()
  private readonly issues: Issue[] = []
  private called = false
  private cutOff = false
  /** The model was not done, or the provider has failed: a call that ends with the text is half a call. */
  private cut = false

  constructor(options: ReplyPartsOptions) {
    const { call, streams, limits, emit } = options
    this.options = options
    this.emit = emit
    this.texts = new TextBlocks({ json: call.json, streams, limits, emit })
  }

  push(part: Part): void {
    switch (part.type) {
      case 'text-start':
        this.endBlocks(true)
        this.blocks.set(part.id, this.block(part.providerMetadata))
        return
      case 'text-delta':
        this.blockOf(part).reader.push(part.delta)
        return
      case 'text-end': {
        const block = this.blocks.get(part.id)
        if (block) block.end = part
        return
      }
      case 'finish':
        this.finish(part)
        return
      case 'error':
        this.cut = true
        break
      case 'tool-call':
        this.options.call.ids.add(part.toolCallId)
        break
    }
    // What is neither text nor about the stream has its place in the order of the content.
    if (!asides.includes(part.type)) {
      this.endBlocks(true)
      this.texts.end()
    }
    this.emit(part)
  }

  /** The stream is over, if need be without a word about it. */
  end(): void {
    this.cut = true
    this.endBlocks()
    this.texts.endAll(true)
  }

  private finish(part: PartOf<'finish'>): void {
    this.cut ||= !whole.includes(part.finishReason.unified)
    this.endBlocks()
    const finishReason = this.finishReason(part.finishReason)
    const issues = this.texts.endAll(this.cut || !whole.includes(finishReason.unified))
    // Beside calls there is no answer yet.
    if (!this.called) this.issues.push(...issues)
    this.emit({ ...part, finishReason, ...this.metadata(part.providerMetadata) })
  }

  /** A reply with calls ends because of them. One that breaks off within a call was cut, whatever the model says. */
  private finishReason({ unified, raw }: LanguageModelV4FinishReason): LanguageModelV4FinishReason {
    if (unified !== 'stop' && unified !== 'other') return { unified, raw }
    return { unified: this.called ? 'tool-calls' : this.cutOff ? 'length' : unified, raw }
  }

  /** What was wrong with the reply. It stands here, as the warnings of a stream come before its text. */
  private metadata(given: SharedV4ProviderMetadata | undefined): {
    providerMetadata?: SharedV4ProviderMetadata
  } {
    if (this.issues.length === 0) return given ? { providerMetadata: given } : {}
    const issues = this.issues.map(({ code, severity, message }) => ({ code, severity, message }))
    return { providerMetadata: { ...given, legible: { issues } } }
  }

  private block(metadata: SharedV4ProviderMetadata | undefined): Block {
    const { calling, call, expect } = this.options
    const calls = new Map<number, OpenCall>()
    const reader = calling.createReader({
      tools: call.tools,
      expect: call.must ? 'calls' : expect,
      onEvent: (event) => this.heard(event, calls, metadata),
    })
    return { reader }
  }

  private blockOf({ id, providerMetadata }: PartOf<'text-delta'>): Block {
    const block = this.blocks.get(id) ?? this.block(providerMetadata)
    this.blocks.set(id, block)
    return block
  }

  /** `ended`: only those of which the model has said so. */
  private endBlocks(ended = false): void {
    for (const [id, { reader, end }] of [...this.blocks]) {
      if (ended && !end) continue
      this.blocks.delete(id)
      this.issues.push(...reader.end())
      this.texts.end(end)
    }
  }

  private heard(
    event: ToolCallEvent,
    calls: Map<number, OpenCall>,
    metadata: SharedV4ProviderMetadata | undefined,
  ): void {
    switch (event.type) {
      case 'content-delta':
        this.texts.text(event.text, metadata)
        return
      case 'reasoning-delta':
        this.texts.reasoning(event.text)
        return
      case 'call-start': {
        const id = this.freeId(event.id)
        this.texts.endAll(false)
        calls.set(event.index, { id, input: '' })
        this.emit({ type: 'tool-input-start', id, toolName: event.name })
        return
      }
      case 'call-delta': {
        const call = calls.get(event.index)
        if (!call) return
        call.input += event.text
        this.emit({ type: 'tool-input-delta', id: call.id, delta: event.text })
        return
      }
      case 'call-end': {
        const call = calls.get(event.index)
        if (call) this.endCall(call, event.call)
      }
    }
  }

  private endCall({ id, input }: OpenCall, { name, arguments: args, complete }: WrittenCall): void {
    this.emit({ type: 'tool-input-end', id })
    if (!complete || this.cut) {
      this.cutOff = true
      return
    }
    this.called = true
    // The pieces are what the model wrote. This is what the schema makes of it: quotes put right, "3" read as 3.
    const checked = jsonText(args)
    this.emit({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: isSame(input, checked) ? input : checked,
    })
  }

  /** Ids that are made from the text are the same for the same text, also in the next reply. */
  private freeId(id: string): string {
    const { ids } = this.options.call
    let free = id
    for (let i = 2; ids.has(free); i++) free = `${id}_${i}`
    ids.add(free)
    return free
  }
}

const asides: readonly string[] = ['stream-start', 'response-metadata', 'raw', 'ping']

/** Why a reply may end that is all there. */
const whole: readonly string[] = ['stop', 'tool-calls', 'other']

function isSame(written: string, checked: string): boolean {
  try {
    return JSON.stringify(JSON.parse(written)) === checked
  } catch {
    return false
  }
}
