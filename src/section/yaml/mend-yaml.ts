import type { Issue } from '../../core/issue.ts'
import { sectionIssues } from '../issues.ts'
import { linesOf } from './yaml-body.ts'

/** YAML that was put right, line by line. */
export interface MendedYaml {
  readonly text: string
  readonly issues: readonly Issue[]
  /** Where the text broke off within a string. */
  readonly cut: number | undefined
  /** Where a place of the mended text was in the text before. */
  origin(offset: number): number
}

type Edit = { readonly start: number; readonly end: number; readonly text: string }

type Line = ReturnType<typeof linesOf>[number]

/**
 * Puts right what models get wrong in YAML: tabs that indent, text that needs quotes, quotes without an end, blocks
 * that are not indented. Only for text that does not parse: each line is judged alone, so it may quote too much.
 */
export function mendYaml(text: string): MendedYaml {
  const lines = linesOf(text)
  const edits: Edit[] = []
  const issues: Issue[] = []
  const last = lines.findLastIndex((line) => line.text.trim() !== '')
  let cut: number | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line
    if (line.text.trim() === '' || /^\s*#/.test(line.text)) continue
    const indent = /^\s*/.exec(line.text)?.[0] ?? ''
    if (indent.includes('\t')) {
      const span = [line.start, line.start + indent.length] as const
      edits.push({ start: span[0], end: span[1], text: indent.replaceAll('\t', '  ') })
      issues.push(sectionIssues.issue('tab_indent', {}, { span }))
    }
    const { column, value } = parts(line)
    const text = line.text.slice(value).trimEnd()
    if (text === '') continue
    const start = line.start + value
    if (/^[|>][-+\d]*\s*(#.*)?$/.test(text)) {
      at = mendBlock(lines, at, column, edits, issues)
      continue
    }
    const fixed = mendValue(text, () => {
      const below = lines.slice(at + 1, linesBelow(lines, at, column))
      return below.map((one) => one.text).join('\n')
    })
    if (fixed === 'below') at = linesBelow(lines, at, column) - 1
    if (typeof fixed === 'string') continue
    const span = [start, start + text.length] as const
    edits.push({ start: span[0], end: span[1], text: fixed.text })
    issues.push(
      fixed.unclosed
        ? sectionIssues.issue('unclosed_quote', {}, { span })
        : sectionIssues.issue('bad_quotes', { text }, { span }),
    )
    if (fixed.unclosed && at >= last) cut = start
  }
  return { ...apply(text, edits), issues, cut }
}

/** Where the key (or the item) of a line begins, and where its value does. */
function parts({ text }: Line): { column: number; value: number } {
  let at = text.length - text.trimStart().length
  let column = at
  while (text[at] === '-' && /\s/.test(text[at + 1] ?? ' ')) {
    column = at
    at++
    while (/[ \t]/.test(text[at] ?? '')) at++
  }
  const quote = text[at]
  let colon = -1
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1)
    const gap = /^\s*:(?=\s|$)/.exec(text.slice(close + 1))
    if (close > 0 && gap) colon = close + gap[0].length
  } else if (!/[{[&*!|>%@`]/.test(quote ?? '')) {
    const found = text.slice(at).search(/:(\s|$)/)
    if (found > 0) colon = at + found
  }
  if (colon < 0) return { column, value: at }
  let value = colon + 1
  while (/[ \t]/.test(text[value] ?? '')) value++
  return { column: at, value }
}

/** The line behind those that are indented deeper than this one: they may go on with its value. */
function linesBelow(lines: readonly Line[], at: number, column: number): number {
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] as Line
    if (line.text.trim() !== '' && line.indent <= column) break
  }
  return end
}

/** The lines of a block; indented when they are not. Gives the last of them. */
function mendBlock(
  lines: readonly Line[],
  at: number,
  column: number,
  edits: Edit[],
  issues: Issue[],
): number {
  const below = linesBelow(lines, at, column)
  if (lines.slice(at + 1, below).some((line) => line.text.trim() !== '')) return below - 1
  let end = at + 1
  while (end < lines.length) {
    const line = lines[end] as Line
    // The next key ends the block; so does the next item.
    if (/^\s*(- |---|[\w.-]+:(\s|$))/.test(line.text)) break
    end++
  }
  while (end > at + 1 && (lines[end - 1] as Line).text.trim() === '') end--
  if (end === at + 1) return at
  const first = lines[at + 1] as Line
  for (const line of lines.slice(at + 1, end))
    if (line.text.trim() !== '')
      edits.push({ start: line.start, end: line.start, text: ' '.repeat(column + 2) })
  const last = lines[end - 1] as Line
  issues.push(sectionIssues.issue('unindented_block', {}, { span: [first.start, last.end] }))
  return end - 1
}

type Mended = 'fine' | 'below' | { readonly text: string; readonly unclosed?: boolean }

function mendValue(text: string, below: () => string): Mended {
  const first = text[0] as string
  if (first === '"' || first === "'") return mendQuoted(text, first, below)
  if (first === '{' || first === '[') return mendFlow(text, below)
  if (/^(!!\w+|&[\w-]+|\*[\w-]+)$/.test(text) || /^!!\w+\s/.test(text)) return 'fine'
  return /^[@`%&*!|>,\]}]|^[-?:](\s|$)|:(\s|$)/.test(text) ? { text: inQuotes(text) } : 'fine'
}

function mendQuoted(text: string, quote: string, below: () => string): Mended {
  const close = closing(text, quote)
  const rest = text.slice(close + 1)
  if (close > 0 && /^\s*(#.*)?$/.test(rest)) {
    const escaped = quote === '"' ? escapeStrays(text.slice(0, close + 1)) : text
    return escaped === text.slice(0, close + 1) || quote === "'" ? 'fine' : { text: escaped + rest }
  }
  // 'it's': the quotes around it are meant
  if (close > 0) return { text: inQuotes(text.length > 1 && text.endsWith(quote) ? text.slice(1, -1) : text) }
  if (closing(`${quote}${below()}`, quote) > 0) return 'below'
  return { text: inQuotes(text.slice(1)), unclosed: true }
}

/** Where a quoted text closes; -1 when it does not. */
function closing(text: string, quote: string): number {
  for (let i = 1; i < text.length; i++) {
    if (quote === '"' && text[i] === '\\') i++
    else if (text[i] === quote) {
      if (quote === '"' || text[i + 1] !== quote) return i
      i++
    }
  }
  return -1
}

/** Backslashes that begin no escape of YAML stand for themselves, as in "C:\dir". */
function escapeStrays(text: string): string {
  return text.replace(
    /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0abtnvfre "/\\N_LP\t\n]|)/g,
    (all, rest: string) => (rest === '' ? '\\\\' : all),
  )
}

function mendFlow(text: string, below: () => string): Mended {
  const close = flowEnd(text)
  if (close >= 0) return /^\s*(#.*)?$/.test(text.slice(close)) ? 'fine' : { text: inQuotes(text) }
  return flowEnd(`${text}\n${below()}`) >= 0 ? 'below' : 'fine'
}

/** Behind the bracket that closes the one at the start; -1 when none does. */
function flowEnd(text: string): number {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (c === '{' || c === '[') depth++
    else if (c === '}' || c === ']') depth--
    else if ((c === '"' || c === "'") && /[\s,:[{]/.test(text[i - 1] ?? '')) {
      const close = closing(text.slice(i), c)
      if (close < 0) return -1
      i += close
    }
    if (depth === 0) return i + 1
  }
  return -1
}

const inQuotes = (text: string) => `'${text.replaceAll("'", "''")}'`

function apply(text: string, edits: readonly Edit[]): Pick<MendedYaml, 'text' | 'origin'> {
  let mended = ''
  let at = 0
  const places: { from: number; to: number; start: number; end: number }[] = []
  for (const edit of edits) {
    mended += text.slice(at, edit.start)
    const from = mended.length
    mended += edit.text
    places.push({ from, to: mended.length, start: edit.start, end: edit.end })
    at = edit.end
  }
  mended += text.slice(at)
  return {
    text: mended,
    origin(offset) {
      let low = 0
      let high = places.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((places[middle] as { from: number }).from <= offset) low = middle + 1
        else high = middle
      }
      const place = places[low - 1]
      if (!place) return offset
      // Within what was written anew: about there in what it was before.
      return offset < place.to
        ? Math.min(place.end, place.start + (offset - place.from))
        : offset + place.end - place.to
    },
  }
}
