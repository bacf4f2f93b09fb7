const vulgar: ReadonlyMap<string, number> = new Map(
  [...'½⅓⅔¼¾⅕⅛⅜⅝⅞'].map((sign, i) => [
    sign,
    [1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4, 1 / 5, 1 / 8, 3 / 8, 5 / 8, 7 / 8][i] as number,
  ]),
)

/** Words and letters that multiply. Behind a sign of currency `m` might be one of them: it is refused there. */
const factors: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 1e2],
  ['k', 1e3],
  ['thousand', 1e3],
  ['mio', 1e6],
  ['mn', 1e6],
  ['million', 1e6],
  ['millions', 1e6],
  ['millionen', 1e6],
  ['bn', 1e9],
  ['mrd', 1e9],
  ['milliarden', 1e9],
  ['billion', 1e9],
  ['billions', 1e9],
  ['trillion', 1e12],
])
const capitals: ReadonlyMap<string, number> = new Map([
  ['M', 1e6],
  ['B', 1e9],
  ['T', 1e12],
])

// Who says a number says it in fewer characters than this.
const MOST = 1000

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

// No repetition here can take a character that the next one begins with: the time stays linear.
const number = new RegExp(
  [
    // A number within a word, B2 or v1.2, is none; a sign belongs to it only at the beginning of a word.
    String.raw`(?<![\p{L}\p{N}_.,/:-])(?<minus>minus |negative |[-−–])?\s?(?<currency>[$€£¥₹₩]|[A-Z]{3}(?= ?\d))?\s?`,
    String.raw`(?:(?:(?<wholes>\d+) ?)?(?:(?<over>\d+)\s?[/⁄]\s?(?<under>\d+)(?![/\d])|(?<vulgar>[½⅓⅔¼¾⅕⅛⅜⅝⅞]))`,
    String.raw`|(?<plain>\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,_'’]\d+)*(?:[eE][+-]?\d+)?|\.\d+))`,
    String.raw`(?: ?(?<unit>\p{L}+)(?!\p{L}|&))?`,
  ].join(''),
  'gu',
)

/** The number that a text stands for: `1,234.5`, `€ 12`, `12k`, `2 1/4`, `about 42 people`; or nothing. */
export function numberInText(text: string): number | undefined {
  if (text.length > MOST) return undefined
  const trimmed = text.trim()
  const word = words.indexOf(trimmed.toLowerCase())
  if (word >= 0) return word
  // (1,234.00) is how bookkeepers write what is owed; 5- may be that, or anything.
  const owed = /^\(([^()]*)\)$/.exec(trimmed)
  if (owed) {
    const value = numberInText(owed[1] as string)
    return value === undefined ? undefined : -value
  }
  if (/\d\s?[-−]$/.test(trimmed)) return undefined
  let found: number | undefined
  let rest = text
  for (const match of text.matchAll(number)) {
    // If there are two numbers, who knows which.
    if (found !== undefined) return undefined
    found = valueOfParts(match.groups as Record<string, string | undefined>)
    if (found === undefined) return undefined
    rest = text.slice(0, match.index) + text.slice(match.index + match[0].length)
  }
  return /(?<!\p{L})\d/u.test(rest) ? undefined : found
}

function valueOfParts(parts: Record<string, string | undefined>): number | undefined {
  const { minus, currency, wholes, over, under, unit = '' } = parts
  let value: number | undefined
  // No currency has tenths of a cent: € 1.200 is grouped.
  if (parts.plain !== undefined)
    value = plainNumber(currency ? parts.plain.replace(/^(\d{1,3})\.(?=\d{3}$)/, '$1') : parts.plain)
  else if (under === undefined || Number(under) !== 0)
    value =
      Number(wholes ?? 0) +
      (parts.vulgar ? (vulgar.get(parts.vulgar) as number) : Number(over) / Number(under))
  if (value === undefined || (currency && unit === 'm')) return undefined
  const factor = factors.get(unit.toLowerCase()) ?? capitals.get(unit) ?? 1
  return (minus ? -1 : 1) * value * factor
}

/** Digits with separators: the last one is the decimal point if it stands alone or differs from the others. */
function plainNumber(text: string): number | undefined {
  const plain = text.replace(/[_'’\s]/g, '')
  const separators = plain.match(/[.,]/g) ?? []
  const last = separators.pop()
  if (last === undefined) return Number(plain)
  const at = plain.lastIndexOf(last)
  const groups = plain.slice(0, at).split(/[.,]/)
  const grouped = groups.every((group, i) =>
    i === 0 ? group.length <= 3 && group !== '0' : group.length === 3,
  )
  const tail = plain.slice(at + 1)
  if (separators.length === 0) {
    // 1,234 but 1,2 and 0,500
    const thousands = last === ',' && grouped && /^\d{3}$/.test(tail)
    return Number(plain.replace(last, thousands ? '' : '.'))
  }
  if (!grouped || new Set(separators).size > 1) return undefined
  // 1,234,567 or 1,234.56
  if (separators[0] === last) return /^\d{3}$/.test(tail) ? Number(plain.replace(/[.,]/g, '')) : undefined
  return Number(`${groups.join('')}.${tail}`)
}
