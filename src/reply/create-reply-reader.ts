import { checkText } from '../core/check-text.ts'
import { LegibleError } from '../core/legible-error.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { Read, Reader } from '../core/read.ts'
import { createToolRegistry, type ToolRegistry } from '../tool/create-tool-registry.ts'
import type { Tool } from '../tool/tool.ts'
import { finishReply } from './finish-reply.ts'
import type { Reply } from './reply.ts'
import { type ReasoningMode, ReplyScanner } from './reply-scanner.ts'
import { type ReplyEvent, ShownText } from './shown-text.ts'

export interface ReplyOptions {
  /** The tools that the model may call. */
  readonly tools: ToolRegistry | readonly Tool[]
  /** `auto` (the default): tags decide; `open`: the prompt has opened reasoning; `none`: tags are plain text. */
  readonly reasoning?: ReasoningMode
  /** How many calls came before in this conversation: calls that have no id get one that none of them has. */
  readonly callsBefore?: number
  /** What to bound; the rest is as in `defaultLimits`. */
  readonly limits?: Partial<Limits>
}

export interface ReplyReaderOptions extends ReplyOptions {
  /** Hears what can be shown, as soon as it can. */
  readonly onEvent?: (event: ReplyEvent) => void
}

export interface ReplyReader extends Reader<Reply> {
  /** What is being read: text, reasoning, an action, or text that is held back because it may become one. */
  readonly state: 'text' | 'held' | 'action' | 'reasoning' | 'done'
  /** The text that can be shown so far. */
  readonly text: string
  readonly reasoning: string
  /** The action that is being read, as far as it goes. It is alive, it is unchecked, and it may never come to be. */
  readonly action: Readonly<Record<string, unknown>> | undefined
  /** `cut`: the stream broke off; what was read is then not a reply, whatever it looks like. */
  end(options?: { readonly cut?: boolean }): Read<Reply>
}

/** Reads a reply while it streams: text is shown at once, and what may become an action is held back. */
export function createReplyReader(options: ReplyReaderOptions): ReplyReader {
  // Without options there are no tools, which is said where they are needed.
  return new StreamingReply(options ?? {})
}

class StreamingReply implements ReplyReader {
  private readonly tools: ToolRegistry
  private readonly limits: Limits
  private readonly callsBefore: number
  private readonly shown: ShownText
  private readonly scanner: ReplyScanner
  private result: Read<Reply> | undefined

  constructor({ tools, limits, callsBefore = 0, reasoning = 'auto', onEvent }: ReplyReaderOptions) {
    this.tools = registryOf(tools)
    this.limits = { ...defaultLimits, ...limits }
    this.callsBefore = callsBefore
    const isTool = (name: string) => this.tools.has(name)
    this.shown = new ShownText(onEvent)
    this.scanner = new ReplyScanner(
      this.shown,
      { limits: this.limits, reasoning, inner: false, isTool },
      () => onEvent?.({ type: 'action-start' }),
    )
  }

  push(chunk: string): void {
    checkText(chunk, 'push')
    if (!this.result) this.scanner.push(chunk)
  }

  end({ cut = false }: { readonly cut?: boolean } = {}): Read<Reply> {
    if (!this.result) {
      const { tools, limits, callsBefore, shown } = this
      this.result = finishReply(this.scanner.end(), shown, { tools, limits, callsBefore, cut })
    }
    return this.result
  }

  get state(): ReplyReader['state'] {
    return this.result ? 'done' : this.scanner.doing
  }

  get text(): string {
    return this.shown.text
  }

  get reasoning(): string {
    return this.shown.reasoning
  }

  get action(): Readonly<Record<string, unknown>> | undefined {
    return this.result ? undefined : this.scanner.partial
  }

  /** For the growth tests. */
  get steps(): number {
    return this.scanner.steps
  }
}

export function registryOf(tools: ToolRegistry | readonly Tool[]): ToolRegistry {
  if (Array.isArray(tools)) return createToolRegistry(tools)
  if (typeof (tools as Partial<ToolRegistry> | undefined)?.check !== 'function')
    throw new LegibleError(
      'reply.no_tools',
      'A reply is read with its tools: { tools: registry } or { tools: [tool, …] }.',
    )
  return tools as ToolRegistry
}
