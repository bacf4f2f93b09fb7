/** No number that is meant as one is longer. */
const LONGEST = 64

const numberText = /^[+-]?(?:\d+(?:_\d+)*)?(?:\.\d*)?(?:[eE][+-]?\d+)?$/

/**
 * The number that a text writes, or `undefined`. What would lose something stays text: a leading zero, digits that do
 * not fit.
 */
export function numberOf(text: string): number | undefined {
  if (text.length > LONGEST || !numberText.test(text) || !/\d/.test(text)) return undefined
  const digits = text.replaceAll('_', '')
  if (/^[+-]?0\d/.test(digits) || /^[+-]?\.?[eE]/.test(digits)) return undefined
  const value = Number(digits)
  if (!Number.isFinite(value)) return undefined
  return /^[+-]?\d+$/.test(digits) && !Number.isSafeInteger(value) ? undefined : value
}

/**
 * What simple arithmetic comes to (`5*60`, `10**3`, `(10-4)/2`), as long as that is exact; otherwise `undefined`.
 * Dates and telephone numbers are no arithmetic.
 */
export function arithmeticOf(text: string): number | undefined {
  if (text.length > LONGEST || !/^[\d\s.()*/%+_eE-]+$/.test(text) || !/\d\s*[)]?\s*[-+*/%]/.test(text))
    return undefined
  if (/\d[-/]\d+[-/]\d/.test(text) || /(?:^|[^\d._])0\d/.test(text)) return undefined
  const reader = new Arithmetic(text.replace(/\s+/g, ''))
  const value = reader.sum()
  if (value === undefined || reader.at < reader.text.length || !Number.isFinite(value)) return undefined
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined
}

class Arithmetic {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  sum(): number | undefined {
    let value = this.product()
    while (value !== undefined && this.is('+', '-')) {
      const minus = this.text[this.at++] === '-'
      const next = this.product()
      value = next === undefined ? undefined : minus ? value - next : value + next
    }
    return value
  }

  private product(): number | undefined {
    let value = this.power()
    while (value !== undefined && this.is('*', '/', '%')) {
      const sign = this.text[this.at++]
      const whole = sign === '/' && this.text[this.at] === '/'
      if (whole) this.at++
      const next = this.power()
      if (next === undefined || (sign !== '*' && next === 0)) return undefined
      if (sign === '*') value *= next
      else if (sign === '/') value = whole ? Math.floor(value / next) : value / next
      // The sign of a remainder differs between languages.
      else value = value < 0 || next < 0 ? undefined : value % next
    }
    return value
  }

  private power(): number | undefined {
    if (this.is('-', '+')) {
      const minus = this.text[this.at++] === '-'
      const value = this.power()
      return value === undefined ? undefined : minus ? -value : value
    }
    const base = this.atom()
    if (base === undefined || !this.text.startsWith('**', this.at)) return base
    this.at += 2
    const exponent = this.power()
    return exponent === undefined ? undefined : base ** exponent
  }

  private atom(): number | undefined {
    if (this.text[this.at] === '(') {
      this.at++
      const value = this.sum()
      return this.text[this.at++] === ')' ? value : undefined
    }
    const digits = /^(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(this.text.slice(this.at))?.[0]
    if (digits === undefined) return undefined
    this.at += digits.length
    return numberOf(digits)
  }

  private is(...signs: string[]): boolean {
    const sign = this.text.charAt(this.at)
    return signs.includes(sign) && !(sign === '*' && this.text[this.at + 1] === '*')
  }
}
