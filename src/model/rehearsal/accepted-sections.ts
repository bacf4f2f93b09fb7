import type { SectionLike, TextFormat } from '../../text/format.ts'

const MAX_SECTIONS = 100

/** Those sections that a format can tell apart and write. Names come from a prompt here, and a prompt may say anything. */
export function acceptedSections<S extends SectionLike>(format: TextFormat, sections: readonly S[]): S[] {
  const accepted: S[] = []
  for (const section of sections.slice(0, MAX_SECTIONS)) {
    try {
      format.createReader([...accepted.map(({ name }) => ({ name })), { name: section.name }])
      accepted.push(section)
    } catch {
      // Two of the same name, or a name that no delimiter can have.
    }
  }
  return accepted
}
