import { promptParts } from './prompt-parts.ts'

/** A prompt with `$name` instead of `{{name}}`. What is no variable stays as it is. */
export function modernText(text: string, names: ReadonlySet<string>): string {
  let written = ''
  for (const part of promptParts(text, names)) {
    const [start, end] = part.span
    if (part.kind !== 'variable' || part.form !== 'old') {
      written += text.slice(start, end)
      continue
    }
    // A dollar right before it would make one of two.
    const dollars = /\$*$/.exec(text.slice(Math.max(0, start - 64), start))?.[0].length ?? 0
    if (dollars % 2 === 1) written += '$'
    // {{topic}}s
    //          ^ would belong to the name
    written += /[\w-]/.test(text[end] ?? '') ? `\${${part.name}}` : `$${part.name}`
  }
  return written
}
