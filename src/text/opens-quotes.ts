const codesOf = (text: string) => Array.from(text, (character) => character.charCodeAt(0))
const QUOTES = codesOf('"\'`“‘«')
const BEFORE_QUOTES = codesOf('([{:,=`\u00a0')

/** Whether a quote opens: it stands behind space or a bracket, or where the text begins, but not behind a word. */
export function opensQuotes(before: number, quote: number): boolean {
  if (!QUOTES.includes(quote)) return false
  return before <= 32 || Number.isNaN(before) || BEFORE_QUOTES.includes(before)
}
