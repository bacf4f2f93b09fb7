import { columns } from '../../core/columns.ts'

/** How a text is written: its size in pixels, and whether all characters are equally wide. */
export interface Font {
  readonly size: number
  readonly mono?: true
  readonly bold?: true
}

const MONO = 0.61
const average = 0.6
const thin = /[ijl.,:;'!|()[\]tfrI -]/
const broad = /[A-HJ-Zmw@%&—…]/

/** A good guess, rather too wide: fonts differ. Wide characters count two. */
export function textWidth(text: string, { size, mono, bold }: Font): number {
  const { text: shown, width } = columns(text)
  if (mono) return width * MONO * size
  let sum = 0
  for (const character of shown) {
    const { width } = columns(character)
    sum += width === 2 ? 1.1 : thin.test(character) ? 0.36 : broad.test(character) ? 0.76 : average * width
  }
  return sum * size * (bold ? 1.15 : 1)
}

/** On one line, cut where it would be too wide. Safe to show: what cannot be seen is written out. */
export function fitLine(text: string, font: Font, width: number): string {
  const line = oneLine(text)
  if (textWidth(line, font) <= width) return line
  return `${head(line, font, width - textWidth('…', font)).trimEnd()}…`
}

/** Broken at blanks, else anywhere; of too many lines the last is cut. */
export function wrapLines(text: string, font: Font, width: number, most: number): string[] {
  const lines: string[] = []
  let rest = oneLine(text)
  while (rest !== '' && lines.length < most) {
    if (lines.length === most - 1) {
      lines.push(fitLine(rest, font, width))
      break
    }
    const fits = head(rest, font, width)
    const blank = fits.lastIndexOf(' ')
    const end = fits.length === rest.length || blank <= 0 ? fits.length : blank
    lines.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return lines
}

/** Nothing longer than this is looked at: a picture shows a line or two. */
const MOST = 2000

const oneLine = (text: string) => columns(text.slice(0, MOST).replace(/\s+/g, ' ').trim()).text

/** As much of the beginning as fits, at least a character. */
function head(text: string, font: Font, width: number): string {
  let sum = 0
  let end = 0
  for (const character of text) {
    sum += textWidth(character, font)
    if (sum > width && end > 0) break
    end += character.length
  }
  return text.slice(0, end)
}
