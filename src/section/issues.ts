import { defineIssues, kind } from '../core/issue.ts'

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Everything that can be wrong with what stands in a section. The comment above a row documents its code. */
export const sectionIssues = defineIssues('section', {
  /** A section that should hold JSON holds none. */
  invalid_json: kind<{ section: string }>({
    severity: 'error',
    message: (p) => `the section ${quoted(p.section)} holds no JSON value`,
    hint: (p) => `Write valid JSON, and nothing else, into the section ${quoted(p.section)}.`,
  }),
  /** A section that should hold YAML holds text that cannot be read as YAML, not even with repairs. */
  invalid_yaml: kind<{ section: string; problem: string }>({
    severity: 'error',
    message: (p) => `the section ${quoted(p.section)} holds no valid YAML: ${p.problem}`,
    hint: (p) => `Write valid YAML, and nothing else, into the section ${quoted(p.section)}: ${p.problem}.`,
  }),
  /** The validator of a termination refused the answer. */
  rejected: kind<{ section: string; reason: string }>({
    severity: 'error',
    message: (p) => `the answer in ${quoted(p.section)} was rejected: ${p.reason}`,
    hint: (p) => p.reason,
  }),
  /** The section of a termination is empty. */
  empty: kind<{ section: string }>({
    severity: 'warning',
    message: (p) => `the section ${quoted(p.section)} is empty`,
    hint: (p) => `Write your answer into the section ${quoted(p.section)}.`,
  }),
  /** Text stands around the YAML: prose, or a fence. */
  surrounded: kind<{ by: 'prose' | 'fence' }>({
    severity: 'repair',
    message: (p) => (p.by === 'fence' ? 'the YAML stands in a code fence' : 'text stands around the YAML'),
    hint: 'Write the YAML and nothing else.',
  }),
  /** YAML stands within the model's reasoning; it is not used. */
  inside_reasoning: kind({
    severity: 'warning',
    message: 'the YAML stands within the reasoning of the model',
    hint: 'Write the YAML after your reasoning.',
  }),
  /** Several YAML documents stand in the section; of those that fit equally well the last one was used. */
  several_documents: kind<{ count: number }>({
    severity: 'warning',
    message: (p) => `${p.count} YAML documents stand in the section; one of them was used`,
    hint: 'Write one YAML document, without --- in it.',
  }),
  /** A key stands twice in the same object; the last one counts. */
  duplicate_key: kind<{ key: string }>({
    severity: 'warning',
    message: (p) => `the key ${quoted(p.key)} stands there twice; the last one counts`,
    hint: (p) => `Write the key ${quoted(p.key)} once.`,
  }),
  /** A tab indents a line of YAML; it was read as two spaces. */
  tab_indent: kind({
    severity: 'repair',
    message: 'a tab indents the line',
    hint: 'Indent YAML with spaces, not with tabs.',
  }),
  /** Text that YAML would take for something else, such as `Re: hello` or `@name`, has no quotes, or wrong ones. */
  bad_quotes: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.text)} is not quoted as YAML wants it`,
    hint: (p) => `Put single quotes around ${quoted(p.text)}, and double those within.`,
  }),
  /** A string of YAML has no closing quote. */
  unclosed_quote: kind({
    severity: 'repair',
    message: 'the string has no closing quote',
    hint: 'Close every quote.',
  }),
  /** The lines of a block of text are not indented deeper than its key. */
  unindented_block: kind({
    severity: 'repair',
    message: 'the lines of the block are not indented',
    hint: 'Indent the lines after | or > deeper than their key.',
  }),
  /** What looks like a comment stands behind a text without quotes; YAML leaves it out. */
  comment: kind<{ text: string }>({
    severity: 'warning',
    message: (p) => `${quoted(p.text)} is a comment in YAML, and was left out`,
    hint: (p) => `Put quotes around the whole text if ${quoted(p.text)} belongs to it.`,
  }),
  /** An alias (`*name`) leads to itself, to nothing, or there are too many of them. */
  bad_alias: kind<{ alias: string; problem: 'unknown' | 'circular' | 'too many' }>({
    severity: 'error',
    message: (p) => `the alias ${quoted(`*${p.alias}`)} was not followed: ${p.problem}`,
    hint: 'Write everything out; use no anchors and aliases.',
  }),
  /** The YAML is longer than is read. */
  too_long: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the YAML is longer than ${p.limit} characters`,
    hint: 'Write much less.',
  }),
  /** The YAML is nested deeper than is read. */
  too_deep: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the YAML is nested deeper than ${p.limit} levels`,
    hint: 'Nest the value less deeply.',
  }),
})
