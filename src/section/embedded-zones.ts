import type { Span } from '../core/span.ts'
import type { EmbeddedPlace, EmbeddedZone } from './embedded-place.ts'

/** Stands for a value, which is neither a word nor a mark of the text around it. */
const VALUE = '\u0001'

/**
 * Where a text shows things without meaning them: in comments, quotes and inline code, and in code fences with words
 * around them. A text that is one fence as a whole, or several, is unwrapped. `values` are looked at as a whole: no
 * mark within them counts.
 */
export function embeddedZones(source: string, values: readonly Span[]): EmbeddedZone[] {
  if (!/[`~"'“„«>/#]|<!--/.test(source)) return []
  return new Zones(source, values).find()
}

/** The zone that a place is in. Both are in the order of the text. */
export function zoneAt(zones: readonly EmbeddedZone[], offset: number): EmbeddedZone | undefined {
  let low = 0
  let high = zones.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((zones[middle] as EmbeddedZone).span[1] <= offset) low = middle + 1
    else high = middle
  }
  const zone = zones[low]
  return zone && zone.span[0] <= offset ? zone : undefined
}

/** Fences within fences that are unwrapped. */
const DEEPEST = 8

interface Fence {
  /** With its marks. */
  readonly span: Span
  /** Between them. */
  readonly inner: Span
}

class Zones {
  private text: string
  private readonly zones: EmbeddedZone[] = []

  constructor(source: string, values: readonly Span[]) {
    this.text = fill(source, values, VALUE)
  }

  find(): EmbeddedZone[] {
    if (isLineFence(this.text)) return []
    this.findComments()
    this.unwrap()
    this.findLines('quotes', /^[ \t]{0,3}>.*$/gm)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the mark of a value
    this.findLines('comment', /^[ \t]*(?:\/\/|#+[ \t]*\u0001).*$/gm)
    const code: Span[] = []
    this.inParagraphs((start, end) => this.findCode(start, end, code))
    for (const span of code) this.add('code', span)
    this.blank(code)
    this.inParagraphs((start, end) => this.findQuotes(start, end))
    return outermost(this.zones)
  }

  private add(where: EmbeddedPlace, span: Span): void {
    this.zones.push({ where, span })
  }

  private blank(spans: readonly Span[]): void {
    this.text = fill(this.text, spans)
  }

  /** Takes fences away that are around all of the text. What is left of them has words around it. */
  private unwrap(): void {
    for (let depth = 0; depth < DEEPEST; depth++) {
      const fences = fencesOf(this.text)
      if (fences.length === 0) return
      const spans = fences.map(({ span }) => span)
      if (isWords(fill(this.text, spans))) {
        for (const span of spans) this.add('fence', span)
        this.blank(spans)
        return
      }
      const marks = ({ span, inner }: Fence): Span[] => [
        [span[0], inner[0]],
        [inner[1], span[1]],
      ]
      this.blank(fences.flatMap(marks))
    }
  }

  // <!-- {"a": 1} -->
  // ^^^^
  private findComments(): void {
    const { text } = this
    const comments: Span[] = []
    for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', at)) {
      const close = text.indexOf('-->', at + 4)
      const end = close < 0 ? text.length : close + 3
      comments.push([at, end])
      at = end
    }
    for (const span of comments) this.add('comment', span)
    this.blank(comments)
  }

  // > {"a": 1}
  // ^
  private findLines(where: EmbeddedPlace, lines: RegExp): void {
    const spans = [...this.text.matchAll(lines)].map(
      ({ index, 0: line }): Span => [index, index + line.length],
    )
    for (const span of spans) this.add(where, span)
    this.blank(spans)
  }

  /** Inline code and quotes end with their paragraph, if not before. */
  private inParagraphs(look: (start: number, end: number) => void): void {
    const { text } = this
    let start = 0
    for (const { index, 0: gap } of text.matchAll(/\n[ \t\r]*\n/g)) {
      look(start, index)
      start = index + gap.length
    }
    look(start, text.length)
  }

  // Say `{"a": 1}` please.
  //     ^
  private findCode(from: number, to: number, found: Span[]): void {
    const runs = [...this.text.slice(from, to).matchAll(/`+/g)].map(({ index, 0: { length } }) => ({
      start: from + index,
      end: from + index + length,
      length,
    }))
    // A run is closed by the next one that is as long.
    const closing: (number | undefined)[] = []
    const next = new Map<number, number>()
    for (let i = runs.length - 1; i >= 0; i--) {
      const { length } = runs[i] as (typeof runs)[number]
      closing[i] = next.get(length)
      next.set(length, i)
    }
    for (let i = 0; i < runs.length; i++) {
      const run = runs[i] as (typeof runs)[number]
      const close = closing[i]
      if (close !== undefined) {
        found.push([run.start, (runs[close] as typeof run).end])
        i = close
      } else {
        // What was not closed may have been meant to hold to the end of its line; at the very end of one, to go on below.
        const line = this.text.indexOf('\n', run.end)
        const isOver = line < 0 || line >= to || this.text.slice(run.end, line).trim() === ''
        const end = isOver ? to : line
        found.push([run.start, end])
        while ((runs[i + 1]?.start ?? end) < end) i++
      }
    }
  }

  // He said "{"a": 1}".
  //         ^
  private findQuotes(from: number, to: number): void {
    const { text } = this
    const open = new Map<string, number>()
    for (const { index, 0: mark } of text.slice(from, to).matchAll(/["'“”„«»]/g)) {
      const at = from + index
      const before = text[at - 1] ?? ' '
      const behind = text[at + 1] ?? ' '
      const [kind, opens, closes] =
        mark === '"'
          ? ['"', !isWord(before), !isWord(behind)]
          : mark === "'"
            ? ["'", !isWord(before) && !/\s/.test(behind), !isWord(behind) && !/\s/.test(before)]
            : ['«', /[“„«]/.test(mark), /[“”»]/.test(mark)]
      const start = open.get(kind)
      if (start === undefined) {
        if (opens) open.set(kind, at)
      } else if (closes) {
        open.delete(kind)
        this.add('quotes', [start, at + 1])
      }
    }
    // What opens at the very end of a line goes on below it, wherever it ends.
    for (const start of open.values())
      if (/^[ \t\r]*\n/.test(text.slice(start + 1, to))) this.add('quotes', [start, to])
  }
}

/** In order, without those that stand in another. */
function outermost(zones: readonly EmbeddedZone[]): EmbeddedZone[] {
  let last = 0
  return [...zones]
    .sort((a, b) => a.span[0] - b.span[0])
    .filter(({ span: [start, end] }) => {
      if (start < last) return false
      last = end
      return true
    })
}

const isWord = (c: string) => /[\p{L}\p{N}_]/u.test(c)

/** Whether a text has words in it: not just values, and what separates them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the mark of a value
const isWords = (text: string) => /[^\s,;\u0001]/.test(text)

// ```json {"a": 1}```
// ^^^                ^
// biome-ignore lint/suspicious/noControlCharactersInRegex: the mark of a value
const isLineFence = (text: string) => /^(`{3,}|~{3,})[\w+-]*\s*\u0001+\s*\1$/.test(text.trim())

function fencesOf(text: string): Fence[] {
  const fences: Fence[] = []
  let open: { readonly start: number; readonly inner: number; readonly mark: string } | undefined
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at
    const line = text.slice(start, end)
    const value = line.indexOf(VALUE)
    if (open) {
      const close = closingMarks(line, open.mark)
      if (close >= 0) {
        fences.push({ span: [open.start, end], inner: [open.inner, start + close] })
        open = undefined
      }
    } else {
      const [, mark] = /^[ \t]{0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? []
      // The value may stand right behind the marks.
      if (mark) open = { start, mark, inner: value < 0 ? Math.min(end + 1, text.length) : start + value }
    }
    start = end + 1
  }
  if (open) fences.push({ span: [open.start, text.length], inner: [open.inner, text.length] })
  return fences
}

/** Where the marks begin that close a fence: alone on their line, or right behind a value. */
function closingMarks(line: string, mark: string): number {
  const end = line.trimEnd().length
  let start = end
  while (start > 0 && line[start - 1] === mark[0]) start--
  if (end - start < mark.length) return -1
  const before = line.slice(0, start).trimEnd()
  return before === '' || before.endsWith(VALUE) ? start : -1
}

/** A text with something else in the place of these spans, which are in order: as long as it was, line by line. */
export function fill(text: string, spans: readonly Span[], mark = ' '): string {
  if (spans.length === 0) return text
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of spans) {
    const hidden = text.slice(start, end)
    pieces.push(
      text.slice(at, start),
      mark === ' ' ? hidden.replace(/[^\r\n]/g, ' ') : mark.repeat(hidden.length),
    )
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}
