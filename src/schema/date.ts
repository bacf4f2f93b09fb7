export interface DateReading {
  /** As RFC 3339 writes it: `2026-01-20`, or `2026-01-20T15:30:00Z` with the offset that was given. */
  readonly iso: string
  /** The instant; midnight UTC for a date alone. */
  readonly date: Date
  readonly kind: 'date' | 'date-time'
}

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

// 2026-01-20, 2026/1/20, 20260120
const yearFirst = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})(?!\d)/
// 20 January 2026, 20-Jan-2026, 20th of January, 2026
const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[ -](?:of )?([a-z]{3,9})\.?,?[ -](\d{4})(?!\d)/
// Jan 20, 2026
const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)/
// T15:30:00.5+02:00, 153000Z, at 3:30 PM
const clock =
  /^(t|,? (?:at )?)(\d{1,2})(?:(:?)(\d\d)(?:\3(\d\d)(?:[.,](\d+))?)?)?(?: ?([ap])\.?m\.?)? ?(?:z|utc|gmt|([+-])(\d\d):?(\d\d)?)?$/

/**
 * Reads a date as a model may write it: ISO 8601 and RFC 3339 in their usual variants, and English with the month
 * in words. What can be read in two ways, such as 01/02/2026, is not read. No offset means UTC.
 */
export function readDate(text: string): DateReading | undefined {
  // No date is longer, and so no expression above has much to do.
  if (text.length > 80) return undefined
  let rest = text.trim().toLowerCase().replace(/\s+/g, ' ')
  const weekday = place(weekdays, /^([a-z]{3,9})\.?,? /.exec(rest)?.[1])
  if (weekday) rest = rest.slice(rest.indexOf(' ') + 1)

  let year: string | undefined
  let month: number
  let day: number
  let found = yearFirst.exec(rest)
  if (found) {
    // Without separators, only eight digits.
    if (!found[2] && found[0].length !== 8) return undefined
    year = found[1]
    month = Number(found[3])
    day = Number(found[4])
  } else {
    found = dayFirst.exec(rest)
    const swap = found ? 0 : 1
    found ??= monthFirst.exec(rest)
    if (!found) return undefined
    year = found[3]
    month = place(months, found[2 - swap])
    day = Number(found[1 + swap])
  }
  const date = new Date(0)
  // Not Date.UTC, for which the year 26 is 1926.
  date.setUTCFullYear(Number(year), month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (weekday && date.getUTCDay() !== weekday - 1) return undefined
  const iso = `${year}-${two(month)}-${two(day)}`

  rest = rest.slice(found[0].length)
  if (!rest) return { iso, date, kind: 'date' }
  const time = clock.exec(rest)
  if (!time) return undefined
  const [
    ,
    by,
    hours,
    colon,
    minutes = 0,
    seconds = 0,
    fraction = '',
    half,
    sign,
    ahead = 0,
    aheadMinutes = 0,
  ] = time
  // `15` is an hour, and `1530` a time, only in `T15Z`, `T1530` and `3 pm`.
  if (by !== 't' && !colon && !half) return undefined
  const hour = half ? (Number(hours) % 12) + (half === 'p' ? 12 : 0) : Number(hours)
  if ((half && (Number(hours) > 12 || hours === '0')) || hour > 23) return undefined
  if ([minutes, seconds, aheadMinutes].some((part) => Number(part) > 59) || Number(ahead) > 23)
    return undefined
  const offset = (Number(ahead) * 60 + Number(aheadMinutes)) * (sign === '-' ? -1 : 1)
  date.setUTCHours(
    hour,
    Number(minutes) - offset,
    Number(seconds),
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  )
  const zone = sign ? `${sign}${ahead}:${two(aheadMinutes)}` : 'Z'
  const timeText = `${two(hour)}:${two(minutes)}:${two(seconds)}${fraction && `.${fraction}`}`
  return { iso: `${iso}T${timeText}${zone}`, date, kind: 'date-time' }
}

/** Which of the names a word or its beginning is, from 1; 0 when it is none. */
function place(names: readonly string[], word: string | undefined): number {
  return names.findIndex((name) => word && name.startsWith(word)) + 1
}

function two(number: number | string): string {
  return String(number).padStart(2, '0')
}
