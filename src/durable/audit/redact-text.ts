import { isRandomText, secretForms } from './secret-forms.ts'
import { isSecretName } from './secret-name.ts'

/** Nothing about what stood there: even a short sum of a password lets it be guessed. */
export const REDACTED = '[redacted]'

/** A text without the secrets that can be recognised in it, by their form or by the name before them. */
export function redactText(text: string): string {
  let clean = text
  for (const { form, isSecret } of secretForms)
    clean = clean.replace(form, (found: string, before: string, secret: string, after: string) =>
      isSecret && !isSecret(secret) ? found : `${before}${REDACTED}${after}`,
    )
  return redactRandom(redactNamed(clean))
}

/** Names, and flags such as `--api-key`. */
const nameForm = /[A-Za-z_][\w.-]*/g
/**
 * Between a name and its value: `=`, `: `, `" => "`, `%3D`. Quotes may be those of JSON within JSON. The value may stand on the
 * next line, further in.
 */
const separator =
  /\\{0,7}["'`]?\]?[ \t]{0,8}(?:=>|:=|={1,3}|:|%3[Dd]|%3[Aa])[ \t]{0,8}(?:(?:[>|][+-]?)?\r?\n[ \t]{1,40})?/y
const space = /[ \t]{1,8}/y
const opening = /\\{0,7}["'`]/y
/** Without quotes a value ends here. */
const plainValue = /[^\s,;&"'`\\<>]+/y
const restOfLine = /[^\r\n"'`\\]+/y
const upToTag = /[^<]+/y
/** What has a value of several words: `Authorization: Basic …`, `Cookie: a=b; c=d`. */
const wholeLine = /authorization|cookie/i
/** Says that there is none, or where it is to be found. */
const noSecret =
  /^(?:true|false|null|none|nil|undefined|string|\*+|\.{3}|\$\{?[A-Z_][A-Z0-9_]*\}?|process\.env\.\w+|os\.environ\S*)$/
/** How far the end of a list or an object is looked for. */
const LONGEST_VALUE = 10_000

/** `password=…`, `"api_key": "…"`, `--token …`: what stands behind the name of a secret. One pass, never back. */
function redactNamed(text: string): string {
  let clean = ''
  let done = 0
  nameForm.lastIndex = 0
  for (let match = nameForm.exec(text); match; match = nameForm.exec(text)) {
    const [name] = match
    const end = match.index + name.length
    const span = valueBehind(text, name, match.index)
    if (!span) continue
    const [from, to] = span
    const value = text.slice(from, to).trim()
    nameForm.lastIndex = Math.max(to, end)
    if (value === '' || value === REDACTED || noSecret.test(value)) continue
    clean += `${text.slice(done, from)}${REDACTED}`
    done = to
  }
  return clean + text.slice(done)
}

/** Where the value of a name stands, if it is the name of a secret. */
function valueBehind(text: string, name: string, start: number): [number, number] | undefined {
  const end = start + name.length
  // <password>…</password>
  if (text[start - 1] === '<' && text[end] === '>')
    return isSecretName(name) ? [end + 1, endOf(upToTag, text, end + 1) ?? end + 1] : undefined
  const after = endOf(separator, text, end)
  if (after === undefined) return valueOfOption(text, name, start)
  // `https://…` is no value of `https`.
  if (text.startsWith('//', after)) return undefined
  return isSecretName(name, !text.slice(end, after).includes('=')) ? valueAt(text, after, name) : undefined
}

/** Behind nothing but a space: `--password hunter2`; `set secret_key a1b2`, if it is no plain word. */
function valueOfOption(text: string, name: string, start: number): [number, number] | undefined {
  const after = endOf(space, text, start + name.length)
  const isOption = text[start - 1] === '-'
  if (after === undefined || !(isOption || name.includes('_')) || !isSecretName(name)) return undefined
  if (isOption) return valueAt(text, after, name)
  const end = endOf(plainValue, text, after) ?? after
  return /\d/.test(text.slice(after, end)) ? [after, end] : undefined
}

function valueAt(text: string, start: number, name: string): [number, number] {
  const quoted = endOf(opening, text, start)
  if (quoted !== undefined) return [quoted, quoteEnd(text, text.slice(start, quoted), quoted)]
  if (text[start] === '{' || (text[start] === '[' && !text.startsWith(REDACTED, start)))
    return [start, bracketEnd(text, start)]
  if (wholeLine.test(name.slice(-100))) return [start, endOf(restOfLine, text, start) ?? start]
  let end = endOf(plainValue, text, start) ?? start
  // What stands around it: `f(token: string): Token`.
  const least = text.startsWith(REDACTED, start) ? start + REDACTED.length : start
  while (end > least && '()[]{}:.'.includes(text[end - 1] as string)) end--
  return [start, end]
}

/** Where a quoted value ends: at the same quote, or at the end of the line. */
function quoteEnd(text: string, quote: string, from: number): number {
  let at = from
  for (let slashes = 0; at < text.length && text[at] !== '\n'; at++) {
    // As many backslashes as before the first quote, or fewer; with more of them it is a quote within the value.
    if (text[at] === quote.at(-1) && slashes < quote.length) return at - slashes
    slashes = text[at] === '\\' ? slashes + 1 : 0
  }
  return at
}

/** Where a list or an object ends, whatever is in it. */
function bracketEnd(text: string, from: number): number {
  const most = Math.min(text.length, from + LONGEST_VALUE)
  let depth = 0
  for (let at = from; at < most; at++) {
    if (text[at] === '{' || text[at] === '[') depth++
    else if ((text[at] === '}' || text[at] === ']') && --depth === 0) return at + 1
  }
  return most
}

function endOf(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at
  return form.test(text) ? form.lastIndex : undefined
}

/** What stands alone and looks as if it was drawn by lot. */
function redactRandom(text: string): string {
  // `%3D` is a character in a URL, and not where the run begins.
  return text.replace(/(%[0-9A-Fa-f]{2}|)([\w+/-]{32,}={0,2})/g, (all, escaped: string, run: string) => {
    if (isRandomText(run)) return `${escaped}${REDACTED}`
    if (!run.includes('/')) return all
    const parts = run.split('/').map((part) => (part.length >= 32 && isRandomText(part) ? REDACTED : part))
    return `${escaped}${parts.join('/')}`
  })
}
