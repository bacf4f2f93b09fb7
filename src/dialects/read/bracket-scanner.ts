/** What stands before a string: nothing, what parts values, or a letter that says of what kind it is. */
const mayOpen = /^[=,([{:]?$|[rbfu]$/i

/** Follows the brackets and strings of a literal as it arrives, to tell where it ends. What it says is read later. */
export class BracketScanner {
  /** Behind the bracket that closes what was opened first; -1 before that. */
  end = -1
  private readonly quotes: readonly string[]
  private rest = ''
  private offset = 0
  private depth = 0
  private quote = ''
  /** A string may begin only where a value may: an apostrophe within a word is none. */
  private before = ''
  private ending = false

  constructor(quotes: readonly string[]) {
    this.quotes = quotes
  }

  get inside(): boolean {
    const { quote, rest, quotes } = this
    if (quote !== '') return rest === '' || quote.length > 1 || !rest.startsWith(quote)
    // The first characters of a string wait until it is known how many quotes there are.
    if (rest !== '' && quotes.some((one) => one.startsWith(rest))) return true
    return /^["']$/.test(rest) && mayOpen.test(this.before)
  }

  push(text: string): void {
    if (this.end >= 0) return
    this.rest += text
    let i = 0
    while (i < this.rest.length && this.end < 0) {
      const size = this.quote === '' ? this.outside(i) : this.within(i)
      if (size === 0) break
      i += size
    }
    this.offset += i
    this.rest = this.rest.slice(i)
  }

  finish(): void {
    this.ending = true
    this.push('')
  }

  // f(a='x', b=[1])
  //  ^    ^
  private outside(i: number): number {
    const { rest } = this
    const c = rest[i] as string
    for (const quote of this.quotes) {
      if (!quote.startsWith(c)) continue
      if (rest.startsWith(quote, i)) return this.opened(quote)
      if (!this.ending && quote.startsWith(rest.slice(i))) return 0
    }
    if ((c === '"' || c === "'") && mayOpen.test(this.before)) {
      if (!this.ending && i + 2 >= rest.length && rest.slice(i) === c.repeat(rest.length - i)) return 0
      return this.opened(rest.startsWith(c.repeat(3), i) ? c.repeat(3) : c)
    }
    if (c === '(' || c === '[' || c === '{') this.depth++
    else if ((c === ')' || c === ']' || c === '}') && --this.depth <= 0) this.end = this.offset + i + 1
    if (c.trim() !== '') this.before = c
    return 1
  }

  private opened(quote: string): number {
    this.quote = quote
    return quote.length
  }

  // 'it's'
  //    ^  ^
  private within(i: number): number {
    const { rest, quote } = this
    const c = rest[i] as string
    if (c === '\\' && !this.quotes.includes(quote)) {
      if (i + 1 >= rest.length && !this.ending) return 0
      return 2
    }
    if (c !== quote[0]) return 1
    if (!rest.startsWith(quote, i)) return !this.ending && quote.startsWith(rest.slice(i)) ? 0 : 1
    if (quote.length > 1) return this.closed(quote.length)
    let next = i + 1
    while (next < rest.length && next < i + 80 && /\s/.test(rest[next] as string)) next++
    if (next >= rest.length) return this.ending ? this.closed(1) : 0
    return next === i + 80 || /[,)\]}:<;+]/.test(rest[next] as string) ? this.closed(1) : 1
  }

  private closed(size: number): number {
    this.quote = ''
    this.before = '"'
    return size
  }
}
