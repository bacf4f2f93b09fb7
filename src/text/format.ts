import type { Read, Reader } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import type { TextLimits } from './text-limits.ts'

/** What a format needs to know about a section: its name, and what the model shall write into it. */
export interface SectionLike {
  readonly name: string
  readonly prompt?: string
  /** The reply may lack it. Said to the model only if known. */
  readonly optional?: boolean
  /** It may stand in the reply several times. Said to the model only if known. */
  readonly repeatable?: boolean
}

/** Text outside of sections: before, between and after them. */
export interface TextPart {
  readonly kind: 'text'
  readonly content: string
  /** Where it stands, backslashes included that were taken away from its content. */
  readonly span: Span
}

/** What the model thought, between reasoning tags. */
export interface ReasoningPart {
  readonly kind: 'reasoning'
  /** The tag around it, as it was configured; empty when the prompt has opened it. */
  readonly tag: string
  readonly content: string
  readonly span: Span
  readonly complete: boolean
}

export interface SectionPart {
  readonly kind: 'section'
  /** As it was registered, however the model wrote it. */
  readonly name: string
  /** Exactly what stands in the section, without the line breaks that the format puts around it. */
  readonly content: string
  /** The whole section, its delimiters included. */
  readonly span: Span
  /**
   * The content in the original text: exactly from its first to its last character. Within it, an offset in `content` is
   * exact up to the first backslash or reasoning that was taken away; behind that it points too far to the left, by as
   * much as is missing.
   */
  readonly inner: Span
  /** False when the text ended before the section did. */
  readonly complete: boolean
}

export type Part = TextPart | ReasoningPart | SectionPart

/** The parts of a reply, in the order in which they stand in it. Nothing of the text is lost. */
export interface Parts {
  readonly all: readonly Part[]
  /** The contents of all sections of a name, trimmed, in order; empty when there is none. Names ignore case. */
  get(name: string): string[]
  /** The sections of a name, or all of them. */
  sections(name?: string): SectionPart[]
  /** name → contents, trimmed; only names that occur. */
  toMap(): Map<string, string[]>
  /** Text outside of sections and reasoning. */
  readonly text: string
  /** All reasoning, blocks joined by a line with three dashes. */
  readonly reasoning: string
}

/** What a streaming reader tells while it reads. Deltas of a section add up to its content. */
export type TextEvent =
  | { readonly type: 'section-start'; readonly name: string }
  | { readonly type: 'section-delta'; readonly name: string; readonly text: string }
  | { readonly type: 'section-end'; readonly name: string; readonly complete: boolean }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-start'; readonly tag: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'reasoning-end'; readonly complete: boolean }
  /** Only a closing tag stood there: all that was told so far was reasoning. Never told with `open` or `none`. */
  | { readonly type: 'reasoning-implied'; readonly tag: string }

export interface TextReaderOptions {
  readonly onEvent?: (event: TextEvent) => void
  /** `auto`: tags decide; `open`: the prompt has opened reasoning already; `none`: reasoning tags are plain text. */
  readonly reasoning?: 'auto' | 'open' | 'none'
  /**
   * Headers and labels: reasoning within a line of a section is reasoning too, but for strings of JSON. Otherwise only
   * where a line begins, as elsewhere it may be talked about.
   */
  readonly inlineReasoning?: boolean
  readonly limits?: Partial<TextLimits>
  /** False: contents are told in events only and not kept in the parts, so that memory does not grow with the text. */
  readonly keep?: boolean
}

/** What was read of a reply. The parts are there also where no section was found. */
export type PartsRead = Read<Parts> & { readonly value: Parts }

export interface TextReader extends Reader<Parts> {
  end(): PartsRead
}

/** A section to be written: for a prompt, or as an observation for the model. */
export interface FormattedSection {
  readonly name: string
  readonly content?: string
  /** Sections within this one, after its content. */
  readonly children?: readonly FormattedSection[]
  /** Names that may be read within this one beside those of its children: no content there may use them as they are. */
  readonly reserved?: readonly string[]
}

/** How sections stand in text, in both directions: what is written can be read back, whatever its content. */
export interface TextFormat {
  readonly name: string
  /** The format of sections within a section. */
  readonly inner: TextFormat
  /** Instructions for the model: the structure, and each section's own prompt. */
  describe(sections: readonly SectionLike[]): string
  createReader(sections: readonly SectionLike[], options?: TextReaderOptions): TextReader
  read(text: string, sections: readonly SectionLike[], options?: TextReaderOptions): PartsRead
  formatSection(section: FormattedSection): string
  formatSections(sections: readonly FormattedSection[]): string
}
