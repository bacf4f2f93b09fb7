import { defineIssues, kind, type ParamsOf } from '../core/issue.ts'

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Everything that can be wrong with the sections of a reply. The comment above a row documents its code. */
export const textIssues = defineIssues('text', {
  /** None of the expected sections stands in the text; all of it is kept as text. */
  no_sections: kind<{ expected: readonly string[]; found?: string }>({
    severity: 'error',
    message: (p) => `none of the sections was found: ${p.expected.join(', ')}`,
    hint: (p) =>
      p.found === undefined
        ? `Write your reply in the sections that were asked for: ${p.expected.join(', ')}.`
        : `${quoted(p.found)} has the wrong number of # signs: write the headers exactly as they were asked for.`,
  }),
  /** The text is longer than `maxLength`; what lies beyond was not read. */
  too_long: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the text is longer than ${p.limit} characters; the rest was not read`,
    hint: 'Write a much shorter reply.',
  }),
  /** The text has more parts than `maxParts`; the rest was kept as one text. */
  too_many_parts: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the text has more than ${p.limit} parts; the rest was kept as text`,
    hint: 'Write far fewer sections.',
  }),
  /** There were more issues than `maxIssues`; the rest are counted here. */
  more_issues: kind<{ count: number }>({
    severity: 'warning',
    message: (p) => `${p.count} more issues are not listed`,
  }),

  /** The text ends within a section. */
  unclosed_section: kind<{ name: string }>({
    severity: 'warning',
    message: (p) => `the text ends before the section ${quoted(p.name)} does`,
    hint: (p) => `Write the section ${p.name} to its end and close it.`,
  }),
  /** The text ends within the model's reasoning. */
  unclosed_reasoning: kind({
    severity: 'warning',
    message: 'the text ends before the reasoning does',
    hint: 'Close your reasoning before you reply.',
  }),
  /** A code fence has no end. What follows it, up to the end of the text, is code. */
  unclosed_fence: kind({
    severity: 'warning',
    message: 'the code fence has no end, so the rest of the text is code',
    hint: 'Close every code fence.',
  }),
  /** A section stands where none can: in another section, in reasoning, in a code fence, in quotes, in a comment. It is text there. */
  embedded_section: kind<{ name: string; within: keyof typeof within }>({
    severity: 'warning',
    message: (p) => `a section ${quoted(p.name)} within ${within[p.within]} is text, not a section`,
    hint: (p) => `Write the section ${p.name} by itself, not within ${within[p.within]}.`,
  }),
  /** An opening tag within a section of its own name, and no closing tag for it: it was taken as text. */
  unbalanced_tag: kind<{ name: string }>({
    severity: 'warning',
    message: (p) =>
      `${p.name} is opened again within itself and not closed; the second tag was taken as text`,
    hint: (p) => `Do not write the tag of ${p.name} within ${p.name}.`,
  }),
  /** A closing tag closes nothing. It is kept as text. */
  stray_closer: kind<{ name: string }>({
    severity: 'repair',
    message: (p) => `the closing tag of ${quoted(p.name)} closes nothing`,
    hint: (p) => `Open ${p.name} before you close it.`,
  }),
  /** A closing tag lacks its end. */
  cut_tag: kind<{ name: string }>({
    severity: 'repair',
    message: (p) => `the closing tag of ${quoted(p.name)} lacks its end`,
    hint: (p) => `Close ${p.name} with its whole closing tag.`,
  }),
  /** The tag of a section has attributes. They were skipped. */
  tag_attributes: kind<{ name: string }>({
    severity: 'repair',
    message: (p) => `the tag of ${quoted(p.name)} has attributes`,
    hint: 'Write tags without attributes.',
  }),
  /** A section is written as one tag that closes itself. It is empty. */
  self_closing: kind<{ name: string }>({
    severity: 'repair',
    message: (p) => `the section ${quoted(p.name)} is one tag that closes itself`,
    hint: (p) => `Write an opening and a closing tag for ${p.name}.`,
  }),
  /** A header is not written as it should be: `#Action`, `# Action:`, `# **Action**`, `# Action #`, or underlined. */
  loose_header: kind<{ name: string; text: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.text)} was taken for the header of ${quoted(p.name)}`,
    hint: (p) => `Write the header of ${p.name} plainly, alone on its line.`,
  }),
  /** A label is decorated: `**Plan:**`, `## Plan`, `- Plan:`, `1. Plan:`. */
  loose_label: kind<{ name: string; text: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.text)} was taken for the label ${quoted(p.name)}`,
    hint: (p) => `Write the label plainly: ${p.name}:`,
  }),
  /** An expected section that the reply does not have is named by an item of a list, or by a header of another level. It is content. */
  near_section: kind<{ name: string; text: string }>({
    severity: 'warning',
    message: (p) => `${quoted(p.text)} does not begin the section ${quoted(p.name)}: it was taken as content`,
    hint: (p) => `Write the section ${p.name} exactly as it was asked for.`,
  }),
  /** The whole reply stands in a code fence. It was read as if the fence were not there. */
  unwrapped_fence: kind({
    severity: 'repair',
    message: 'the whole reply stands in a code fence',
    hint: 'Do not put your reply in a code fence.',
  }),
  /** Reasoning is closed within a line of a section, and was never opened: the tag was taken as text. */
  doubtful_closer: kind<{ name: string }>({
    severity: 'warning',
    message: (p) =>
      `${quoted(p.name)} is closed within a line but was never opened; the tag was taken as text`,
    hint: (p) => `Open ${p.name} before you close it, and write both tags on lines of their own.`,
  }),
  /** Reasoning is closed that was never opened: all text before it was taken for reasoning. */
  implied_reasoning: kind<{ name: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.name)} is closed but was never opened; all before it was taken for reasoning`,
    hint: (p) => `Open ${p.name} before you close it.`,
  }),
})

const within = {
  section: 'another section',
  reasoning: 'reasoning',
  fence: 'a code fence',
  quotes: 'quotes',
  blockquote: 'a block quote',
  comment: 'a comment',
  observation: 'an observation',
} as const

export type TextIssueParams = ParamsOf<typeof textIssues>
