/** The value with which a text begins, up to the bracket that closes it. */
export function jsonAtStart(text: string): string {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c === '\\') i++
      else if (c === '"') quoted = false
    } else if (c === '"') quoted = true
    else if (c === '{' || c === '[') depth++
    else if ((c === '}' || c === ']') && --depth === 0) return text.slice(0, i + 1)
  }
  return text
}
