import { describeNotes } from './describe-notes.ts'
import type { TextFormat } from './format.ts'
import { LineMatcher } from './line-matcher.ts'
import { type FormatOptions, type FormatRules, RuledFormat } from './ruled-format.ts'
import { isTagName } from './tag-scanner.ts'

export interface XmlOptions extends FormatOptions {}

const rules: FormatRules = {
  name: 'xml',
  isWritable: isTagName,
  tags: true,
  loose: undefined,
  matcher: (table, fences) => new LineMatcher(table, fences),
  separator: '\n',
  breaks: 1,
  isInline: () => false,
  write: (name, content) => `<${name}>\n${content}\n</${name}>`,
  describe: (sections) =>
    [
      'Structure your reply in sections. Each section stands between an opening and a closing tag, like this:',
      ...sections.map(({ name, prompt }) => `<${name}>\n${prompt?.trim() || '…'}\n</${name}>`),
      [
        'Write the tags exactly as shown, close every tag, and put neither the tags nor the whole reply into a code fence.',
        ...describeNotes(sections),
      ].join('\n'),
    ].join('\n\n'),
}

/** Sections between tags: `<answer>…</answer>`. Pattern matching, not XML: nothing is decoded, and anything may stand inside. */
export function xml(options?: XmlOptions): TextFormat {
  return new RuledFormat(rules, options)
}
