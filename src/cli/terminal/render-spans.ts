import { paintOf } from '../paint.ts'

const { bold, dim, cyan } = paintOf(true)
const italic = (text: string) => `\x1b[3m${text}\x1b[23m`

/** How far the other end of a span is looked for, and so how much is held back for it. */
const WINDOW = 200

export interface SpanContext {
  /** The character before the text, or nothing at the start of a line. */
  readonly before: string
  /** The line ends with the text. */
  readonly isWhole: boolean
  readonly isBold: boolean
  readonly isItalic?: boolean
}

/** Up to where nothing was found that closes one mark, or two: what did not close the one before does not close the next. */
type Searched = Record<1 | 2, number>

/** What is at a mark: so much of the text, shown so. Undefined: only what follows can tell. */
type Span = { readonly length: number; readonly shown: string } | undefined

/**
 * Bold, italic, code and links of a line. A mark is taken away only when its partner is there; what is not clear stays as it
 * is: `2 * 3`, `*.ts`, `**kwargs`. Underscores are left alone, since names have more of them than emphasis has.
 * What follows `used` has to wait for more text.
 */
export function renderSpans(text: string, context: SpanContext): { shown: string; used: number } {
  let shown = ''
  let at = 0
  const searched: Searched = { 1: 0, 2: 0 }
  while (at < text.length) {
    const next = at + text.slice(at).search(/[*`[\\]/)
    if (next < at) return { shown: shown + text.slice(at), used: text.length }
    shown += text.slice(at, next)
    at = next
    const span = spanAt(text, at, context, searched)
    if (span === undefined) break
    shown += span.shown
    at += span.length
  }
  return { shown, used: at }
}

function spanAt(text: string, at: number, context: SpanContext, searched: Searched): Span {
  switch (text[at]) {
    case '\\':
      return escapeAt(text, at, context)
    case '[':
      return linkAt(text, at, context)
    case '`':
      return codeAt(text, at, context)
    default:
      return emphasisAt(text, at, context, searched)
  }
}

// \*
// ^^  the mark means itself; both are shown
function escapeAt(text: string, at: number, { isWhole }: SpanContext): Span {
  const marked = text[at + 1]
  if (marked === undefined && !isWhole) return undefined
  return literal(text, at, marked !== undefined && /[*`[\\]/.test(marked) ? 2 : 1)
}

// [text](url)  →  text (url)
// ^
function linkAt(text: string, at: number, context: SpanContext): Span {
  const limit = at + WINDOW
  const undecided = isUndecided(text, limit, context)
  let middle = at + 1
  while (middle < limit && middle < text.length && text[middle] !== ']' && text[middle] !== '[') middle++
  if (middle === text.length || middle + 1 === text.length)
    return undecided ? undefined : literal(text, at, 1)
  if (text[middle] !== ']' || text[middle + 1] !== '(') return literal(text, at, 1)
  let depth = 1
  let end = middle + 2
  for (; end < limit && end < text.length && depth > 0; end++) {
    if (text[end] === '(') depth++
    else if (text[end] === ')') depth--
  }
  if (depth > 0) return undecided ? undefined : literal(text, at, 1)
  const label = text.slice(at + 1, middle)
  const url = text.slice(middle + 2, end - 1)
  if (label === '' || url.trim() === '') return literal(text, at, end - at)
  const inner = inside(label, context)
  return {
    length: end - at,
    // The address is always seen: what a link says is not where it goes.
    shown: label === url ? inner : `${inner} ${dim(`(${url})`)}${context.isBold ? '\x1b[1m' : ''}`,
  }
}

// `code`   ``a ` b``
// ^
function codeAt(text: string, at: number, context: SpanContext): Span {
  const marks = runAt(text, at)
  if (mayGrow(text, at, marks, context)) return undefined
  const limit = at + WINDOW
  const undecided = isUndecided(text, limit, context)
  let end = at + marks
  for (;;) {
    end = text.indexOf('`', end)
    if (end < 0 || end >= limit) return undecided ? undefined : literal(text, at, marks)
    const closing = runAt(text, end)
    if (mayGrow(text, end, closing, context)) return undefined
    if (closing === marks) break
    end += closing
  }
  return { length: end + marks - at, shown: cyan(text.slice(at + marks, end)) }
}

// **bold**   *italic*   ***both***
// ^
function emphasisAt(text: string, at: number, context: SpanContext, searched: Searched): Span {
  const marks = runAt(text, at)
  const following = text[at + marks]
  if (mayGrow(text, at, marks, context)) return undefined
  const before = at > 0 ? text[at - 1]! : context.before
  const opens =
    marks <= 3 &&
    (before === '' || opensAfter.test(before)) &&
    following !== undefined &&
    (marks === 1 ? italicStart : boldStart).test(following)
  if (!opens) return literal(text, at, marks)
  const limit = at + WINDOW
  const width = marks === 1 ? 1 : 2
  for (let end = Math.max(at + marks, searched[width]); ; ) {
    end = text.indexOf('*', end)
    if (end < 0 || end >= limit) {
      searched[width] = end < 0 ? text.length : end
      return isUndecided(text, limit, context) ? undefined : literal(text, at, marks)
    }
    const closing = runAt(text, end)
    if (mayGrow(text, end, closing, context)) return undefined
    if (closes(text, end, closing, width)) {
      const last = end + closing
      const inner = text.slice(at + width, last - width)
      return { length: last - at, shown: width === 1 ? toItalic(inner, context) : toBold(inner, context) }
    }
    end += closing
  }
}

const opensAfter = /[\s([{"'“‘«¿¡—–\-:,;.!?>|]|[^\0-\x7f]/
const boldStart = /\S/
const italicStart = /[\p{L}\p{N}"'`([{<$#@&+~_-]|[^\0-\x7f]/u

function closes(text: string, at: number, marks: number, width: number): boolean {
  // Of all white space only this is left in text that was made safe.
  if (marks < width || text[at - 1] === ' ') return false
  if (width === 2) return true
  return marks === 1 && !/[A-Za-z0-9_]/.test(text[at + 1] ?? '')
}

const inside = (text: string, context: SpanContext) =>
  renderSpans(text, { ...context, before: '', isWhole: true }).shown

const toBold = (text: string, context: SpanContext) =>
  context.isBold ? inside(text, context) : bold(inside(text, { ...context, isBold: true }))

const toItalic = (text: string, context: SpanContext) =>
  context.isItalic ? inside(text, context) : italic(inside(text, { ...context, isItalic: true }))

const literal = (text: string, at: number, length: number) => ({ length, shown: text.slice(at, at + length) })

/** More text could still bring the partner. */
const isUndecided = (text: string, limit: number, { isWhole }: SpanContext) =>
  !isWhole && text.length <= limit

/** How often the character there is repeated, as far as is looked. */
function runAt(text: string, at: number): number {
  let length = 1
  while (length < WINDOW && text[at + length] === text[at]) length++
  return length
}

const mayGrow = (text: string, at: number, run: number, { isWhole }: SpanContext) =>
  !isWhole && run < WINDOW && at + run === text.length
