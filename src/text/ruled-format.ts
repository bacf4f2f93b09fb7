import { checkText } from '../core/check-text.ts'
import { LegibleError } from '../core/legible-error.ts'
import { reasoningTags } from '../core/reasoning-tag.ts'
import { escapeLines, escapeTags, mayHide } from './escape.ts'
import { FenceTracker } from './fence-tracker.ts'
import type { FormattedSection, PartsRead, SectionLike, TextFormat, TextReaderOptions } from './format.ts'
import type { LineMatcher, LineTarget, Verdict } from './line-matcher.ts'
import { checkName, checkNames, NameTable } from './name-table.ts'
import { reservedNames } from './reserved-names.ts'
import { SectionReader } from './section-reader.ts'
import { type TagTarget, tagTarget } from './tag-scanner.ts'
import type { Grammar } from './text-machine.ts'

export interface FormatOptions {
  /** Tags between which the model reasons; `reasoningTags` unless said otherwise. */
  readonly reasoningTags?: readonly string[]
  /**
   * Names that no content may use as they are, beside those that are being written: whatever else will be read from
   * the same conversation. Reader and writer must agree on them.
   */
  readonly reserved?: readonly string[]
  /**
   * Names of sections that only the program writes; `observation` unless said otherwise. Where a model makes one up,
   * nothing in it is live: between tags up to its end, behind a header or label up to the end of the text.
   */
  readonly opaque?: readonly string[]
}

/** What sets one format apart from another. */
export interface FormatRules {
  readonly name: string
  readonly isWritable: (name: string) => boolean
  /** Sections stand between tags, not behind lines. */
  readonly tags: boolean
  readonly loose: Grammar['loose']
  /** Finds delimiters at the beginning of lines. `fences`: fences too, for writing; `near`: what is almost one, for reading. */
  readonly matcher: (table: NameTable<LineTarget>, fences: boolean, near: boolean) => LineMatcher
  /** What stands between two sections, and before the first within another. */
  readonly separator: string
  /** Line ends before a section that are the format's own. */
  readonly breaks: number
  /** The content stands on the line of its name. */
  readonly isInline: (content: string) => boolean
  readonly write: (name: string, content: string, inline: boolean) => string
  readonly describe: (sections: readonly SectionLike[]) => string
  readonly inner?: () => TextFormat & { readonly rules: FormatRules }
}

/** One level of sections, as it will be read: what must be written so that no content is taken for one of them. */
interface Level {
  /** Whether a line that begins a section within would be taken for one of these, or lose a backslash. */
  clashes(line: string): boolean
  escape(text: string, atLineStart: boolean, allFences?: boolean): string
}

/** A format, made of its rules. */
export class RuledFormat implements TextFormat {
  readonly name: string
  readonly rules: FormatRules
  private readonly reasoning: readonly string[]
  private readonly reserved: readonly string[]
  private readonly opaque: readonly string[]

  constructor(rules: FormatRules, options: FormatOptions = {}) {
    this.name = rules.name
    this.rules = rules
    this.reasoning = options.reasoningTags ?? reasoningTags
    this.opaque = options.opaque ?? ['observation']
    this.reserved = [...reservedNames, ...(options.reserved ?? [])]
  }

  get inner(): TextFormat & { readonly rules: FormatRules } {
    return this.rules.inner?.() ?? this
  }

  describe(sections: readonly SectionLike[]): string {
    this.check(sections)
    return this.rules.describe(sections)
  }

  createReader(sections: readonly SectionLike[], options: TextReaderOptions = {}): SectionReader {
    this.check(sections)
    const names = sections.map(({ name }) => name)
    return new SectionReader(this.grammar(names, options), names, options)
  }

  read(text: string, sections: readonly SectionLike[], options?: TextReaderOptions): PartsRead {
    checkText(text, `${this.name}().read`)
    const reader = this.createReader(sections, options)
    reader.push(text)
    return reader.end()
  }

  formatSection(section: FormattedSection): string {
    return this.formatSections([section])
  }

  formatSections(sections: readonly FormattedSection[]): string {
    return this.write(sections, this.rules, [], [])
  }

  private check(sections: readonly SectionLike[]): void {
    if (sections.length === 0) throw new LegibleError('text.no_sections', 'no section was given')
    checkNames(
      sections.map(({ name }) => name),
      this.name,
      this.rules.isWritable,
    )
  }

  private grammar(
    names: readonly string[],
    { reasoning = 'auto', inlineReasoning = false }: TextReaderOptions,
  ): Grammar {
    const { rules } = this
    const lines = this.lineTable(rules, names)
    return {
      tags: this.tagTable(rules, names, reasoning === 'none' ? 'reserved' : 'reasoning', true),
      lines: () => rules.matcher(lines, false, true),
      loose: rules.loose,
      breaks: rules.breaks,
      unwraps: true,
      exact: false,
      code: true,
      inlineReasoning,
      reasoning: reasoning === 'open' ? 'open' : reasoning === 'auto' ? 'implied' : 'explicit',
    }
  }

  private tagTable(
    rules: FormatRules,
    names: readonly string[],
    thinking: TagTarget['kind'],
    comments: boolean,
  ): NameTable<TagTarget> {
    const table = new NameTable<TagTarget>()
    const add = (name: string, kind: TagTarget['kind']) => {
      const target = tagTarget(name, kind)
      table.add(target.key, target)
    }
    if (rules.tags) for (const name of names) add(name, 'section')
    if (comments) add('!--', 'comment')
    for (const name of this.reasoning) add(name, thinking)
    // Even where they are no reasoning, they are for whoever reads the text with the default.
    for (const name of reasoningTags) add(name, 'reserved')
    if (rules.tags) for (const name of this.opaque) add(name, 'opaque')
    if (rules.tags) for (const name of this.reserved) add(name, 'reserved')
    return table
  }

  private lineTable(rules: FormatRules, names: readonly string[]): NameTable<LineTarget> {
    const table = new NameTable<LineTarget>()
    if (rules.tags) return table
    for (const name of names) table.add(name, { kind: 'section', name })
    for (const name of this.opaque) table.add(name, { kind: 'opaque', name })
    for (const name of this.reserved) table.add(name, { kind: 'reserved', name })
    return table
  }

  private level(rules: FormatRules, names: readonly string[]): Level {
    const tags = this.tagTable(rules, names, 'reserved', false)
    const comments = this.tagTable(rules, names, 'reserved', true)
    const lines = this.lineTable(rules, names)
    const escaping: Level['escape'] = (text, atLineStart, allFences = false) => {
      // Between tags there are no comments.
      const hides = allFences || (!rules.tags && mayHide(text))
      const tagged = escapeTags(text, hides ? comments : tags)
      // Between tags no line is special; only in text beside them are fences.
      if (rules.tags && !allFences) return tagged
      const escaped = escapeLines(tagged, rules.matcher(lines, allFences, false), atLineStart)
      if (allFences) return escaped
      // A fence without an end would swallow the sections that follow.
      const fence = new FenceTracker()
      if (!atLineStart) fence.skipLine()
      fence.feed(escaped)
      fence.endLine()
      return fence.open ? escaping(text, atLineStart, true) : escaped
    }
    const clashes: Level['clashes'] = (line) => {
      const matcher = rules.matcher(lines, false, false)
      matcher.begin()
      let verdict: Verdict = 'more'
      for (let i = 0; i < line.length && verdict === 'more'; i++) verdict = matcher.feed(line.charCodeAt(i))
      if (verdict === 'more') verdict = matcher.end()
      return verdict === 'match' && (matcher.escaped || matcher.target?.kind !== 'reserved')
    }
    return { clashes, escape: escaping }
  }

  /**
   * `outer`: the levels around this one, the innermost first. Each will be read, and take its backslashes away.
   * `others`: what else may be read at this level.
   */
  private write(
    sections: readonly FormattedSection[],
    rules: FormatRules,
    outer: readonly Level[],
    others: readonly string[],
  ): string {
    const names = sections.map(({ name }) => name)
    for (const name of names) checkName(name, rules.name, rules.isWritable)
    const levels = [this.level(rules, [...names, ...others]), ...outer]
    return sections.map((section) => this.writeOne(section, rules, levels)).join(rules.separator)
  }

  private writeOne(section: FormattedSection, rules: FormatRules, levels: readonly Level[]): string {
    const { name, content = '', children = [], reserved = [] } = section
    if (typeof content !== 'string')
      throw new LegibleError('core.no_text', `The content of the section ${name} is no text.`)
    const inline = children.length === 0 && rules.isInline(content)
    const through = (text: string, around: readonly Level[]) => {
      let written = text
      for (const level of around) written = level.escape(written, !inline)
      return written
    }
    let body = through(content, levels)
    if (children.length > 0) {
      const within = (rules.inner?.() ?? this).rules
      const inside = this.write(children, within, levels, reserved)
      const names = [...children.map((child) => child.name), ...reserved]
      const own = this.level(within, names).escape(content, true, true)
      body = content === '' ? inside : `${through(own, levels)}${within.separator}${inside}`
    }
    let text = rules.write(name, body, inline)
    // What begins a section within another must not begin one of those around it: labels have no levels.
    for (const level of levels.slice(1)) if (level.clashes(text)) text = `\\${text}`
    return text
  }
}
