/** Lines [from, to) of the old text that became lines [newFrom, newTo) of the new one. */
export interface LineChange {
  readonly from: number
  readonly to: number
  readonly newFrom: number
  readonly newTo: number
}

/** More lines than this are not matched with each other: time and memory grow with the square of it. */
const MOST_EDITS = 1000

/** The least that changed, in order (Myers, 1986). What differs too much is one change as a whole. */
export function diffLines(old: readonly string[], now: readonly string[]): LineChange[] {
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < Math.min(old.length, now.length) - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++
  const a = numbered(old.slice(start, old.length - end))
  const b = numbered(now.slice(start, now.length - end), a.numbers)
  const whole: LineChange = { from: 0, to: a.lines.length, newFrom: 0, newTo: b.lines.length }
  if (whole.to === 0 && whole.newTo === 0) return []
  const changes = whole.to && whole.newTo ? shortest(a.lines, b.lines) : undefined
  return (changes ?? [whole]).map(({ from, to, newFrom, newTo }) => ({
    from: from + start,
    to: to + start,
    newFrom: newFrom + start,
    newTo: newTo + start,
  }))
}

/** Numbers in the place of lines: they are compared often. */
function numbered(lines: readonly string[], numbers = new Map<string, number>()) {
  const numberOf = (line: string) => {
    const known = numbers.get(line) ?? numbers.size
    numbers.set(line, known)
    return known
  }
  return { lines: Int32Array.from(lines, numberOf), numbers }
}

/**
 * Walks through the grid of both texts: right leaves out a line of the old, down takes in a line of the new, diagonally keeps
 * one. For each number of steps it is known how far each diagonal k = x - y has come.
 */
function shortest(a: Int32Array, b: Int32Array): LineChange[] | undefined {
  const most = Math.min(MOST_EDITS, a.length + b.length)
  const middle = most + 1
  const reach = new Int32Array(2 * middle + 1)
  const history: Int32Array[] = []
  for (let steps = 0; steps <= most; steps++) {
    history.push(reach.slice(middle - steps - 1, middle + steps + 2))
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || (k !== steps && at(reach, middle + k - 1) < at(reach, middle + k + 1))
      let x = down ? at(reach, middle + k + 1) : at(reach, middle + k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reach[middle + k] = x
      if (x >= a.length && x - k >= b.length) return backtrack(history, a.length, b.length)
    }
  }
  return undefined
}

/** The way back from the end; steps that touch each other are one change. */
function backtrack(history: readonly Int32Array[], endX: number, endY: number): LineChange[] {
  const changes: LineChange[] = []
  let x = endX
  let y = endY
  for (let steps = history.length - 1; steps > 0; steps--) {
    const reach = history[steps] as Int32Array
    const middle = steps + 1
    const k = x - y
    const down = k === -steps || (k !== steps && at(reach, middle + k - 1) < at(reach, middle + k + 1))
    const beforeX = at(reach, middle + (down ? k + 1 : k - 1))
    const beforeY = beforeX - (down ? k + 1 : k - 1)
    const [toX, toY] = down ? [beforeX, beforeY + 1] : [beforeX + 1, beforeY]
    const next = changes[0]
    if (next && next.from === toX && next.newFrom === toY)
      changes[0] = { ...next, from: beforeX, newFrom: beforeY }
    else changes.unshift({ from: beforeX, to: toX, newFrom: beforeY, newTo: toY })
    x = beforeX
    y = beforeY
  }
  return changes
}

const at = (numbers: Int32Array, index: number): number => numbers[index] as number
