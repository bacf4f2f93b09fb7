import { columns } from '../../core/columns.ts'

/** No window is wider, and nobody waits until more is measured. */
const LONGEST = 1000
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A text made safe for a terminal, in at most so many columns. `keep` says which end of it is worth more. */
export function clip(text: string, width: number, keep: 'start' | 'end' = 'start'): string {
  if (width <= 0) return ''
  const part = keep === 'start' ? text.slice(0, LONGEST) : text.slice(-LONGEST)
  // A cut may go through a pair.
  const whole = part.length < text.length || keep === 'end' ? withoutHalves(part) : part
  const shown = columns(whole)
  if (part.length === text.length && shown.width <= width) return shown.text
  const pieces = [...graphemes.segment(shown.text)].map(({ segment }) => segment)
  if (keep === 'end') pieces.reverse()
  const kept: string[] = []
  let room = width - 1
  for (const piece of pieces) {
    room -= columns(piece).width
    if (room < 0) break
    kept.push(piece)
  }
  return keep === 'end' ? `…${kept.reverse().join('')}` : `${kept.join('')}…`
}

const withoutHalves = (text: string) => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
