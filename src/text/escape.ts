import { isLineEnd, type LineMatcher } from './line-matcher.ts'
import type { NameTable } from './name-table.ts'
import { isTagStart, TagScanner, type TagTarget } from './tag-scanner.ts'

// How content is written so that it can neither open nor close a section, and is read back exactly.
//
// A delimiter that stands in content gets a backslash: `<\action>`, `<\/action>`, `\# Action`, `\Plan:`. If it has any
// already, it gets one more; the reader takes one away. So both must agree on what a delimiter is. They do, as both
// ask the same TagScanner and LineMatcher, about the same names: those of the sections at that level, those of the
// option `reserved`, the usual names of agents, and reasoning tags. A backslash before anything else is left alone.
//
// - Tags: `<`, backslashes, perhaps `/`, a name, and then `>`, `/`, space or the end. Whether it ever becomes a whole tag
//   does not matter. In Markdown and labels this concerns reasoning tags only.
// - `<!--` outside of tags, where the comment would not be closed.
// - Lines: up to three spaces, backslashes, a header or label in any of the forms that are tolerated. A fence with
//   backslashes before it counts too; one without only gets a backslash where it would not be closed.
// - Sections within sections are read once for each level, so their content is escaped once for each level.

/**
 * Puts one backslash more into everything that looks like a tag of one of the names, and has none or any number of
 * them already: `<action>` → `<\action>` → `<\\action>`. The reader takes one away.
 */
export function escapeTags(text: string, table: NameTable<TagTarget>): string {
  const tag = new TagScanner(table)
  let escaped = ''
  let from = 0
  for (let i = 0; i < text.length; ) {
    const c = text.charCodeAt(i)
    if (!isTagStart(c)) {
      i++
      continue
    }
    tag.begin(text, i, i, true)
    const end = tag.feed(text, i + 1)
    if (tag.found === 'more') tag.end()
    if (tag.found === 'escape') {
      escaped += `${text.slice(from, i + 1)}\\`
      from = i + 1
    }
    i = end
  }
  return from === 0 ? text : escaped + text.slice(from)
}

/**
 * Puts one backslash more before everything that begins a line and looks like a delimiter: `# Action` → `\# Action`.
 * Goes through the text exactly as the reader does, so that both find the same.
 */
export function escapeLines(text: string, line: LineMatcher, atLineStart: boolean): string {
  let escaped = ''
  let from = 0
  let i = atLineStart ? 0 : nextLine(text, 0)
  while (i < text.length) {
    const start = i
    line.begin()
    let verdict = line.feed(text.charCodeAt(i))
    while (verdict === 'more' && ++i < text.length) verdict = line.feed(text.charCodeAt(i))
    if (verdict === 'more') verdict = line.end()
    if (verdict === 'match') {
      const at = start + line.indent
      escaped += `${text.slice(from, at)}\\`
      from = at
    } else if (i > start && isLineEnd(text.charCodeAt(i - 1))) continue
    i = nextLine(text, i)
  }
  return from === 0 && escaped === '' ? text : escaped + text.slice(from)
}

function nextLine(text: string, at: number): number {
  let i = at
  while (i < text.length && !isLineEnd(text.charCodeAt(i))) i++
  return i + 1
}

/**
 * Whether a comment may hide what follows the text, or a fence that is seen without it. Also where one is written with
 * a backslash already, which the reader would take away.
 */
export function mayHide(text: string): boolean {
  const last = text.lastIndexOf('<!--')
  if (last < 0) return /<\\+!--/.test(text)
  // <!-->
  //   ^^^
  return text.indexOf('-->', last + 2) < 0 || /<\\+!--|```|~~~/.test(text)
}
