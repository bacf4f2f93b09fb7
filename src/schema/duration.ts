/** Makes a number of milliseconds out of a number: `z.number().meta(duration)`, `{ type: 'number', ...duration }`. */
export const duration = { format: 'duration' } as const

const units = [
  { size: 604_800_000, words: ['w', 'wk', 'week'] },
  { size: 86_400_000, words: ['d', 'day'] },
  { size: 3_600_000, words: ['h', 'hr', 'hour'] },
  { size: 60_000, words: ['m', 'min', 'minute'] },
  { size: 1000, words: ['s', 'sec', 'second'] },
  { size: 1, words: ['ms', 'msec', 'millisecond'] },
]

// Weeks and days before the T, hours, minutes and seconds after it: the M of a month stands before.
const iso = /^p((?:[\d.,]+[wd])*)(?:t((?:[\d.,]+[hms])+))?$/
const clock = /^(\d{1,4}):([0-5]\d):([0-5]\d(?:\.\d+)?)$/

/**
 * Milliseconds out of `1h30m`, `2 hours 5 minutes`, `1:30:00`, `PT1H30M`, or a plain number of them. Years and months
 * have no fixed length and are not read; neither is `1:30`, which may be minutes or hours.
 */
export function readDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  // No duration is longer, and so no expression here has much to do.
  if (value.length > 100) return undefined
  const text = value.trim().toLowerCase().replace(/\s+/g, ' ').replace('−', '-')
  const sign = text.startsWith('-') ? -1 : 1
  const amount = text.replace(/^[+-] ?/, '')
  const [, days, time = ''] = iso.exec(amount) ?? []
  const length =
    days === undefined
      ? readUnits(amount.replace(clock, '$1h$2m$3s'))
      : readUnits(`${days}${time}`.replaceAll(',', '.'))
  // Not -0, which nobody writes.
  return length === undefined ? undefined : length && sign * length
}

function readUnits(text: string): number | undefined {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text)
  const part = /(?:^|(?: ?,)? ?(?:and )?)(\d+(?:\.\d+)?) ?([a-z]+)\.?/y
  let length: number | undefined
  let next = 0
  while (part.lastIndex < text.length) {
    const [, amount, word = ''] = part.exec(text) ?? []
    // From large to small, each unit once: `5m 5m` is a slip, not ten minutes.
    const at = units.findIndex(
      ({ words }, index) =>
        index >= next && (words.includes(word) || words.includes(word.replace(/(..)s$/, '$1'))),
    )
    if (at < 0) return undefined
    length = (length ?? 0) + Number(amount) * units[at]!.size
    next = at + 1
  }
  return length === undefined ? undefined : round(length)
}

/** Takes away what binary fractions add: 1.1 seconds are 1100 milliseconds, not 1100.0000000000002. */
function round(length: number): number {
  return Number(length.toFixed(6))
}

/** `1h30m`: the shortest text that `readDuration` reads back. */
export function formatDuration(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) return `${milliseconds}ms`
  let rest = Math.abs(milliseconds)
  let text = milliseconds < 0 ? '-' : ''
  // Weeks are read, but days say it as well.
  for (const { size, words } of units.slice(1, 5)) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${words[0]}`
    rest -= count * size
  }
  if (rest > 0) text += `${round(rest)}ms`
  return text === '' ? '0s' : text
}
