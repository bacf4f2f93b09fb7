import type { Text } from './agentfile.ts'
import { looksLikeStatement } from './keywords.ts'
import type { Report } from './report.ts'

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"' }

export interface ReadString {
  readonly string: Text
  /** Whether it ran to the end of the text because nothing closed it. */
  readonly isCut: boolean
}

/** Reads the string that begins at `start`, where its quotes stand. */
export function readString(source: string, start: number, report: Report): ReadString {
  return source.startsWith('"""', start) ? readRaw(source, start, report) : readPlain(source, start, report)
}

function readRaw(source: string, start: number, report: Report): ReadString {
  const from = start + 3
  const close = source.indexOf('"""', from)
  const isClosed = close >= 0 && !opensAnother(source, from, close)
  if (!isClosed) report.add('unclosed_string', { quotes: '"""' }, [start, from])
  const to = isClosed ? close : beforeStatement(source, from)
  const end = isClosed ? close + 3 : to
  // One line break at each end belongs to the quotes.
  const first = from + (/^\r?\n/.exec(source.slice(from, from + 2))?.[0].length ?? 0)
  const last = Math.max(
    first,
    to - (/\r?\n$/.exec(source.slice(Math.max(first, to - 2), to))?.[0].length ?? 0),
  )
  const text = new TextBuilder(first)
  copyLines(source.slice(first, last), first, text)
  return { string: text.finish(true, [start, end]), isCut: !isClosed && end === source.length }
}

function readPlain(source: string, start: number, report: Report): ReadString {
  const from = start + 1
  const close = closingQuote(source, from)
  const isClosed = close >= 0
  const to = isClosed ? close : endOfLine(source, start)
  const span = [start, isClosed ? close + 1 : to] as const
  // All searches are within it, so that many strings on a line take no longer than one.
  const body = source.slice(from, to)
  const isLong = isClosed && body.includes('\n')
  if (!isClosed) report.add('unclosed_string', { quotes: '"' }, [start, from])
  else if (isLong) report.add('old_string', {}, span)

  const text = new TextBuilder(from)
  let at = 0
  while (at < body.length) {
    const backslash = body.indexOf('\\', at)
    const stop = backslash < 0 ? body.length : backslash
    copyLines(body.slice(at, stop), from + at, text)
    at = stop
    if (at === body.length) break
    const code = body.codePointAt(at + 1)
    const escaped = code === undefined ? '' : String.fromCodePoint(code)
    if (Object.hasOwn(escapes, escaped)) {
      text.add(escapes[escaped] as string)
      at += 2
      text.jump(from + at)
    } else {
      const place = [from + at, from + at + 1 + escaped.length] as const
      if (escaped) report.add('unknown_escape', { escape: `\\${escaped}` }, place)
      text.add('\\')
      at += 1
    }
  }
  return { string: text.finish(isLong, span), isCut: !isClosed && to === source.length }
}

/** Where a plain string ends; -1 if it does not, or only behind what looks like the next statement. */
function closingQuote(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    const character = source[at]
    if (character === '"') return at
    if (character === '\\') at++
    else if (character === '\n' && looksLikeStatement(lineFrom(source, at + 1))) return -1
  }
  return -1
}

/**
 * Whether quotes that could close a raw string open the next one, because its own are missing:
 *
 *     GOAL b """
 *            ^^^
 */
function opensAnother(source: string, from: number, quotes: number): boolean {
  const before = source.slice(Math.max(from, quotes - 200), quotes)
  const line = before.lastIndexOf('\n') + 1
  return line > 0 && looksLikeStatement(`${before.slice(line)}"`)
}

/** The start of the first line that looks like a statement; the end of the text if there is none. */
function beforeStatement(source: string, from: number): number {
  for (let at = source.indexOf('\n', from); at >= 0; at = source.indexOf('\n', at + 1))
    if (looksLikeStatement(lineFrom(source, at + 1))) return at
  return source.length
}

/** A line is judged by its beginning. */
function lineFrom(source: string, start: number): string {
  return source.slice(start, Math.min(endOfLine(source, start), start + 200))
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from)
  if (end < 0) return source.length
  return source[end - 1] === '\r' && end > from ? end - 1 : end
}

/** Copies characters as they are, but line breaks as `\n`: a file with those of Windows says the same. */
function copyLines(part: string, start: number, text: TextBuilder): void {
  let at = 0
  for (let found = part.indexOf('\r\n'); found >= 0; found = part.indexOf('\r\n', at)) {
    text.add(part.slice(at, found))
    at = found + 1
    text.jump(start + at)
  }
  text.add(part.slice(at))
}

/** A text that grows, and remembers where its parts stand in the source. */
class TextBuilder {
  #parts: string[] = []
  #length = 0
  #offsets: [number, number][]

  constructor(source: number) {
    this.#offsets = [[0, source]]
  }

  add(part: string): void {
    this.#parts.push(part)
    this.#length += part.length
  }

  /** What is added from now on stands there. */
  jump(source: number): void {
    this.#offsets.push([this.#length, source])
  }

  finish(raw: boolean, span: readonly [number, number]): Text {
    return { text: this.#parts.join(''), raw, span, offsets: this.#offsets }
  }
}
