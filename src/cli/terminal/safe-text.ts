import { columns } from '../../core/columns.ts'

const JOINER = '\u200d'

/**
 * Text of a model while it arrives, as a terminal may show it: what it would obey is shown as an escape. Lines stay lines.
 * What comes out does not depend on how the text was cut.
 */
export class SafeText {
  /** What only the next character decides: half of a pair, a joiner, a carriage return. */
  private held = ''
  /** The character before it, which decides too whether a joiner joins. */
  private before = ''

  push(text: string): string {
    const all = this.held + text
    const ready = all.slice(0, decidedUntil(all))
    this.held = all.slice(ready.length)
    return this.show(ready)
  }

  end(): string {
    const shown = this.show(this.held)
    this.held = ''
    this.before = ''
    return shown
  }

  private show(text: string): string {
    if (text === '') return ''
    const known = columns(this.before).text.length
    const shown = linesOf(this.before + text).slice(known)
    const last = String.fromCodePoint(
      text.codePointAt(text.length - (isPair(text.slice(-2)) ? 2 : 1)) as number,
    )
    this.before = last === '\n' ? '' : last
    return shown
  }
}

const linesOf = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => columns(line).text)
    .join('\n')

const isHigh = (unit: string | undefined) => unit !== undefined && unit >= '\ud800' && unit <= '\udbff'
const isPair = (text: string) =>
  text.length === 2 && isHigh(text[0]) && text[1]! >= '\udc00' && text[1]! <= '\udfff'

function decidedUntil(text: string): number {
  let until = text.length
  if (isHigh(text[until - 1])) until--
  if (text[until - 1] === JOINER || text[until - 1] === '\r') until--
  return until
}
