import type { SectionLike } from './format.ts'

/** What is known about how often sections may stand in a reply. */
export function describeNotes(sections: readonly SectionLike[]): string[] {
  const names = (which: readonly SectionLike[]) => which.map(({ name }) => name).join(', ')
  const optional = sections.filter((section) => section.optional === true)
  const required = sections.filter((section) => section.optional === false)
  const repeatable = sections.filter((section) => section.repeatable === true)
  const notes: string[] = []
  if (required.length > 0) notes.push(`Always needed: ${names(required)}.`)
  if (optional.length > 0) notes.push(`May be left out: ${names(optional)}.`)
  if (repeatable.length > 0) notes.push(`May stand several times: ${names(repeatable)}.`)
  return notes
}
