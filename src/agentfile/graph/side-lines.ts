import type { Label, Port, SideLine } from './layout.ts'
import { fitLine, textWidth } from './text-lines.ts'

export interface FarFlow {
  readonly variable: string
  readonly from: Port
  readonly to: readonly Port[]
}

/** Names of variables beside lines and arrows. */
export const labelFont = { size: 11.5, mono: true } as const
const LINE_COLORS = 6
const LANE = 14
const MOST_LABEL = 190
/** Between a box and the name beside it: an arrowhead. */
const LEAD = 14

/** The room that a name needs beside a box. */
export const portWidth = (variable: string): number => textWidth(shownName(variable), labelFont) + 2 * LEAD

const shownName = (variable: string) => fitLine(variable, labelFont, MOST_LABEL)

/**
 * Gives each flow a way down, right of `left`: the nearest that is free all along. Each name stands above its line, beside the
 * box. `right`: where the last way is.
 */
export function layoutLines(
  flows: readonly FarFlow[],
  left: number,
): { lines: SideLine[]; labels: Label[]; right: number } {
  const lines: SideLine[] = []
  const labels: Label[] = []
  /** How far down each way is taken. */
  const taken: number[] = []
  for (const { variable, from, to } of [...flows].sort((a, b) => a.from.y - b.from.y)) {
    const end = Math.max(...to.map(({ y }) => y))
    const free = taken.findIndex((y) => y < from.y)
    const lane = free < 0 ? taken.length : free
    taken[lane] = end
    const color = lines.length % LINE_COLORS
    lines.push({ x: left + (lane + 1) * LANE, from, to, color })
    const text = shownName(variable)
    for (const { x, y } of [from, ...to])
      labels.push({ text, color, x: x + LEAD, y: y - 16, width: textWidth(text, labelFont), height: 14 })
  }
  return { lines, labels, right: left + taken.length * LANE }
}
