import { describeNotes } from './describe-notes.ts'
import type { TextFormat } from './format.ts'
import { LabelMatcher } from './label-matcher.ts'
import { isLineName } from './name-table.ts'
import { type FormatOptions, type FormatRules, RuledFormat } from './ruled-format.ts'

export interface LabelsOptions extends FormatOptions {}

const rules: FormatRules = {
  name: 'labels',
  isWritable: (name) => isLineName(name) && !/[:：]/.test(name),
  tags: false,
  loose: 'loose_label',
  matcher: (table, fences) => new LabelMatcher(table, fences),
  separator: '\n\n',
  breaks: 2,
  isInline: (content) => /^[^\s]/.test(content) && !/[\r\n]/.test(content),
  write: (name, content, inline) => `${name}:${inline ? ' ' : '\n'}${content}`,
  describe: (sections) =>
    [
      'Structure your reply in parts. Each part begins with its label at the beginning of a line, like this:',
      ...sections.map(({ name, prompt }) => {
        const text = prompt?.trim() || '…'
        return `${name}:${text.includes('\n') ? '\n' : ' '}${text}`
      }),
      [
        'Write the labels exactly as shown, each followed by a colon, and do not put the whole reply into a code fence.',
        ...describeNotes(sections),
      ].join('\n'),
    ].join('\n\n'),
}

/** Sections behind labels: `Intent: …`, at the beginning of a line. */
export function labels(options?: LabelsOptions): TextFormat {
  return new RuledFormat(rules, options)
}
