import { checkText } from '../core/check-text.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Read, Reader } from '../core/read.ts'
import { reasoningTags } from '../core/reasoning-tag.ts'
import type { Span } from '../core/span.ts'
import type { Parts, TextEvent } from './format.ts'
import { LineMatcher } from './line-matcher.ts'
import { checkNames, NameTable } from './name-table.ts'
import { SectionReader } from './section-reader.ts'
import { isTagName, type TagTarget, tagTarget } from './tag-scanner.ts'
import type { TextLimits } from './text-limits.ts'

/** What a tag splitter tells while it reads. All deltas together are the text without its tags. */
export type TagEvent =
  | { readonly type: 'outside-delta'; readonly text: string }
  | { readonly type: 'tag-start'; readonly tag: string }
  | { readonly type: 'tag-delta'; readonly tag: string; readonly text: string }
  | { readonly type: 'tag-end'; readonly tag: string; readonly complete: boolean }
  /** Only a closing tag stood there: all text so far was inside. */
  | { readonly type: 'tag-implied'; readonly tag: string }

export interface TagSplitterOptions {
  /** Which tags; `reasoningTags` unless said otherwise. Their case does not matter, and attributes are skipped. */
  readonly tags?: readonly string[]
  /**
   * Where the text begins. `auto`: outside, unless it turns out that a tag is only closed; `inside`: the prompt has
   * opened a tag already; `outside`: a tag that is only closed is text.
   */
  readonly start?: 'auto' | 'inside' | 'outside'
  /** Tags in code fences and quotes are text; true unless said otherwise. */
  readonly code?: boolean
  readonly onEvent?: (event: TagEvent) => void
  readonly limits?: Partial<TextLimits>
}

/** A piece of text, exactly as it stands between two tags. */
export interface TagPiece {
  /** The tag around it, as it was given; none outside. */
  readonly tag: string | undefined
  readonly text: string
  /** Where it stands, tags included. */
  readonly span: Span
  /** False when the text ended before the tag was closed. */
  readonly complete: boolean
}

export interface TagSplit {
  /** In the order of the text. */
  readonly pieces: readonly TagPiece[]
  readonly inside: readonly string[]
  /** All text outside of tags, joined. */
  readonly outside: string
}

export interface TagSplitter extends Reader<TagSplit> {}

/**
 * Splits a text that is still arriving into what stands inside of tags and what stands outside, the same wherever
 * the chunks are cut. Tags within a tag of the same name are counted, and are part of its text.
 */
export function createTagSplitter(options: TagSplitterOptions = {}): TagSplitter {
  return new StreamingSplitter(options)
}

/** Splits a whole text at its tags, as `createTagSplitter` does. */
export function splitTags(text: string, options?: TagSplitterOptions): Read<TagSplit> {
  checkText(text, 'splitTags')
  const splitter = createTagSplitter(options)
  splitter.push(text)
  return splitter.end()
}

class StreamingSplitter implements TagSplitter {
  private readonly reader: SectionReader
  private result: Read<TagSplit> | undefined
  private tag = ''

  constructor({
    tags = reasoningTags,
    start = 'auto',
    code = true,
    onEvent,
    limits = {},
  }: TagSplitterOptions) {
    if (tags.length === 0) throw new LegibleError('text.no_tags', 'no tag was given')
    checkNames(tags, 'tags', (name) => isTagName(name.replace(/^◁(.*)▷$/, '$1')))
    const table = new NameTable<TagTarget>()
    for (const name of tags) {
      const target = tagTarget(name, 'reasoning')
      table.add(target.key, target)
    }
    this.reader = new SectionReader(
      {
        tags: table,
        lines: () => new LineMatcher(new NameTable()),
        loose: undefined,
        breaks: 0,
        exact: true,
        code,
        unwraps: false,
        inlineReasoning: false,
        reasoning: start === 'inside' ? 'open' : start === 'auto' ? 'implied' : 'explicit',
      },
      [],
      { limits, ...(onEvent && { onEvent: (event: TextEvent) => this.tell(event, onEvent) }) },
    )
  }

  get steps(): number {
    return this.reader.steps
  }

  push(chunk: string): void {
    this.reader.push(chunk)
  }

  end(): Read<TagSplit> {
    this.result ??= resultOf(this.reader.end())
    return this.result
  }

  private tell(event: TextEvent, hear: (event: TagEvent) => void): void {
    const { type } = event
    if (type === 'text-delta') hear({ type: 'outside-delta', text: event.text })
    else if (type === 'reasoning-start') {
      this.tag = event.tag
      hear({ type: 'tag-start', tag: this.tag })
    } else if (type === 'reasoning-delta') hear({ type: 'tag-delta', tag: this.tag, text: event.text })
    else if (type === 'reasoning-end') hear({ type: 'tag-end', tag: this.tag, complete: event.complete })
    else if (type === 'reasoning-implied') hear({ type: 'tag-implied', tag: event.tag })
  }
}

function resultOf({ value, complete, ok, issues }: Read<Parts>): Read<TagSplit> {
  const pieces = (value as Parts).all.map((part): TagPiece => {
    const { content: text, span } = part
    if (part.kind === 'reasoning') return { tag: part.tag, text, span, complete: part.complete }
    return { tag: undefined, text, span, complete: true }
  })
  const texts = (inside: boolean) =>
    pieces.filter(({ tag }) => (tag !== undefined) === inside).map(({ text }) => text)
  const split: TagSplit = { pieces, inside: texts(true), outside: texts(false).join('') }
  return { ok, value: split, complete, issues }
}
