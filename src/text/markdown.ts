import { LegibleError } from '../core/legible-error.ts'
import { describeNotes } from './describe-notes.ts'
import type { TextFormat } from './format.ts'
import { HeaderMatcher } from './header-matcher.ts'
import { isLineName } from './name-table.ts'
import { type FormatOptions, type FormatRules, RuledFormat } from './ruled-format.ts'

export interface MarkdownOptions extends FormatOptions {
  /** How many # a header has; 1 unless said otherwise. Sections within a section have one more. */
  readonly level?: number
}

/** Sections behind headers: `# Answer`. Only headers of expected sections end a section; any other is its content. */
export function markdown(options: MarkdownOptions = {}): TextFormat {
  const { level = 1 } = options
  if (!Number.isInteger(level) || level < 1)
    throw new LegibleError('text.invalid_level', `a header cannot have ${level} marks`)
  return atLevel(level, options)
}

function atLevel(level: number, options: MarkdownOptions): RuledFormat {
  const header = (name: string) => `${'#'.repeat(level)} ${name}`
  let inner: RuledFormat | undefined
  const rules: FormatRules = {
    name: 'markdown',
    isWritable: isLineName,
    tags: false,
    loose: 'loose_header',
    matcher: (table, fences, near) => new HeaderMatcher(table, level, fences, near),
    separator: '\n\n',
    breaks: 2,
    isInline: () => false,
    write: (name, content) => `${header(name)}\n${content}`,
    describe: (sections) =>
      [
        'Structure your reply in sections. Each section begins with a header alone on its line, like this:',
        ...sections.map(({ name, prompt }) => `${header(name)}\n${prompt?.trim() || '…'}`),
        [
          'Write the headers exactly as shown, and do not put the whole reply into a code fence.',
          ...describeNotes(sections),
        ].join('\n'),
      ].join('\n\n'),
    inner: () => {
      inner ??= atLevel(level + 1, options)
      return inner
    },
  }
  return new RuledFormat(rules, options)
}
