import type { Span } from '../../core/span.ts'

/** A stretch of a text that is meant as YAML. */
export interface YamlBody {
  readonly span: Span
  /** The fence around it, with its marks. */
  readonly fence?: Span
}

/** The bodies of a text. `prose`: other text stands around them; `parted`: other text stands between them. */
export interface YamlBodies {
  readonly bodies: readonly YamlBody[]
  readonly prose: boolean
  readonly parted: boolean
}

/** Whether a key is one that the value may begin with; without it, whatever looks like a key is one. */
export type KnownKey = (key: string) => boolean

/** For text that has no keys, whatever it looks like. */
export const noKey: KnownKey = () => false

interface Line {
  readonly start: number
  /** Without the line break. */
  readonly end: number
  readonly text: string
  readonly indent: number
}

const fenceMark = /^[ \t]{0,3}(```+|~~~+)[ \t]*([\w+-]*)[ \t]*$/

/** Finds the YAML of a text: all of it, in fences, or between prose. `guess`: also where no known key stands. */
export function yamlBodies(text: string, known?: KnownKey, guess = true): YamlBodies {
  const lines = linesOf(text)
  const fenced = fencedBodies(lines, known)
  if (fenced) return fenced
  const lowest = lowestIndent(lines)
  const bodies: YamlBody[] = []
  let prose = false
  let parted = false
  let since = false
  for (let at = 0; at < lines.length; ) {
    const begin = beginning(lines, at, lowest, known, guess)
    const before = lines.slice(at, begin < 0 ? lines.length : begin).some((line) => !isBlank(line))
    prose ||= before
    since ||= before
    if (begin < 0) break
    if (bodies.length > 0 && since) parted = true
    since = false
    const end = ending(lines, begin)
    bodies.push({ span: [(lines[begin] as Line).start, (lines[end - 1] as Line).end] })
    at = end
  }
  return { bodies, prose, parted }
}

function fencedBodies(lines: readonly Line[], known: KnownKey | undefined): YamlBodies | undefined {
  const bodies: YamlBody[] = []
  let prose = false
  let parted = false
  let since = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as Line
    const mark = fenceMark.exec(line.text)?.[1]
    if (!mark) {
      if (isBlank(line)) continue
      // A fence after the YAML has begun belongs to a text in it.
      if (bodies.length === 0 && startsYaml(line, known)) return undefined
      prose = true
      since = true
      continue
    }
    const end = fenceEnd(lines, at, mark)
    const first = lines[at + 1]
    if (first && end > at + 1) {
      if (bodies.length > 0 && since) parted = true
      since = false
      const last = lines[end - 1] as Line
      bodies.push({ span: [first.start, last.end], fence: [line.start, (lines[end] ?? last).end] })
    }
    at = end
  }
  return bodies.length > 0 ? { bodies, prose, parted } : undefined
}

/** The line that closes the fence of the line `at`. One that is indented as code is belongs to a text within it. */
function fenceEnd(lines: readonly Line[], at: number, mark: string): number {
  let end = at + 1
  for (; end < lines.length; end++) {
    const { text, indent } = lines[end] as Line
    if (indent < 4 && text.trim() === mark) break
  }
  return end
}

/** The line where YAML begins, at `from` or after it; -1 when there is none. */
function beginning(
  lines: readonly Line[],
  from: number,
  lowest: number,
  known: KnownKey | undefined,
  guess: boolean,
): number {
  const search = (keys: KnownKey | undefined) => {
    for (let i = from; i < lines.length; i++) {
      const line = lines[i] as Line
      if (line.indent <= lowest && startsYaml(line, keys) && !isItemOf(lines[i - 1], line)) return i
    }
    return -1
  }
  let begin = search(known)
  // Keys that nobody knows are better than no keys.
  if (begin < 0 && guess && from === 0 && known && known !== noKey) begin = search(undefined)
  if (begin < 0) return begin
  // Comments and markers before it are YAML too.
  let first = begin
  for (let i = begin - 1; i >= from; i--) {
    const line = lines[i] as Line
    if (/^\s*#|^---|^%YAML|^%TAG/.test(line.text)) first = i
    else if (!isBlank(line)) break
  }
  return first
}

/** What stands deeper than other text is about that text: an example, or the value of a key. */
function lowestIndent(lines: readonly Line[]): number {
  let lowest = Number.POSITIVE_INFINITY
  for (const line of lines) if (!isBlank(line)) lowest = Math.min(lowest, line.indent)
  return lowest
}

// bad:
// - tool: remove
/** YAML lets the items of a key stand right below it. With several words before the colon it is a sentence. */
function isItemOf(above: Line | undefined, { text, indent }: Line): boolean {
  if (!above || !/^\s*-(\s|$)/.test(text)) return false
  return above.indent === indent && /^\s*["']?[\w.$-]+["']?\s*:\s*$/.test(above.text)
}

/** The line that follows a body or a fence which begins at `from`, or just the next line. */
export function nextLine(lines: readonly Line[], from: number, known: KnownKey | undefined): number {
  const line = lines[from] as Line
  const mark = fenceMark.exec(line.text)?.[1]
  if (mark) return fenceEnd(lines, from, mark) + 1
  return startsYaml(line, known) ? ending(lines, from) : from + 1
}

/** The line behind a body: prose has neither a deeper indent nor the look of YAML. */
function ending(lines: readonly Line[], begin: number): number {
  let base = Number.POSITIVE_INFINITY
  let end = begin + 1
  /** A block of text that is not indented may follow. */
  let block = false
  /** The indent of the key whose text keeps the blank lines after it: `|+`. */
  let keeps = Number.POSITIVE_INFINITY
  for (let i = begin; i < lines.length; i++) {
    const line = lines[i] as Line
    if (isBlank(line)) continue
    if (/^\s*#|^---(\s|$)|^\.\.\.\s*$|^%/.test(line.text)) {
      end = i + 1
      continue
    }
    if (base === Number.POSITIVE_INFINITY) base = line.indent
    const goesOn = line.indent > base || i === begin || continues(line)
    if (!goesOn && !block) break
    if (goesOn) block = /[:-]\s+[|>][-+\d]*\s*$/.test(line.text)
    if (line.indent <= keeps)
      keeps = /[:-]\s+[|>]\d?\+\d?\s*$/.test(line.text) ? line.indent : Number.POSITIVE_INFINITY
    end = i + 1
  }
  if (keeps < Number.POSITIVE_INFINITY) while (end < lines.length && isBlank(lines[end] as Line)) end++
  return end
}

function continues({ text }: Line): boolean {
  const rest = text.trimStart()
  return /^[-}\]{[](\s|,|$)|^["'}\]{[]/.test(rest) || keyOf(rest) !== undefined
}

export function startsYaml({ text }: Line, known: KnownKey | undefined): boolean {
  let rest = text.trimStart()
  let item = false
  while (/^-(\s|$)/.test(rest)) {
    rest = rest.slice(1).trimStart()
    item = true
  }
  if (known === noKey) return false
  if (/^[{[]/.test(rest)) return true
  const key = keyOf(rest)
  if (known) return key !== undefined && known(key)
  return item || (key !== undefined && /^[\w.$-]+$/.test(key))
}

/** `"key": value` → `key`. */
function keyOf(text: string): string | undefined {
  const quote = text[0]
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, 1)
    return close > 0 && /^\s*:(\s|$)/.test(text.slice(close + 1)) ? text.slice(1, close) : undefined
  }
  // Quoted lines, inline code and comments.
  if (/^(?:[>`]|<!)/.test(text)) return undefined
  const colon = text.search(/:(\s|$)/)
  return colon > 0 ? text.slice(0, colon).trimEnd() : undefined
}

const isBlank = ({ text }: Line) => text.trim() === ''

export function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start <= text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at
    const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
    lines.push({ start, end: start + line.length, text: line, indent: line.length - line.trimStart().length })
    start = end + 1
  }
  return lines
}
