import { checkName } from './check-name.ts'
import type { Section } from './section.ts'

/** A section of plain text: thinking, a summary, code. Its value is the text, without the space around it. */
export function textSection(name: string, prompt: string): Section<string> {
  checkName(name)
  return {
    name,
    prompt,
    read: (content) => ({ ok: true, value: content.trim(), complete: true, issues: [] }),
  }
}
