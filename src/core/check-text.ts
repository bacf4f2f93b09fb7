import { LegibleError } from './legible-error.ts'

/** Only text can be read: anything else is a mistake in the calling program. `where`: what was called. */
export function checkText(text: unknown, where: string): asserts text is string {
  if (typeof text === 'string') return
  const found = text === null ? 'null' : Array.isArray(text) ? 'an array' : typeof text
  throw new LegibleError('core.no_text', `${where} reads text, not ${found}.`)
}
