import { versionWords } from '../../model/loop-words.ts'
import { markdown } from '../../text/markdown.ts'

// The word alone on the last line, also in bold or with a full stop.
const lastLine = /(?:^|\n)[ \t]*[*_`"]{0,3}CONVERGED[*_`"]{0,3}[.!]?[*_`"]{0,3}\s*$/

/** Takes the word that ends a series of versions off a reply. */
export function withoutConverged(said: string): { readonly text: string; readonly converged: boolean } {
  const match = lastLine.exec(said)
  return match
    ? { text: said.slice(0, match.index).trim(), converged: true }
    : { text: said, converged: false }
}

/** The versions so far, and what to do about them. */
export function describeVersions(prompt: string, versions: readonly string[]): string {
  const { name, first, given, next } = versionWords
  if (versions.length === 0) return `${prompt}\n\n${first}`
  const shown = markdown({ level: 2 }).formatSections(
    versions.map((content, i) => ({ name: `${name} ${i + 1}`, content })),
  )
  return `${prompt}\n\n${given}\n\n${shown}\n\n${next}`
}

/** For goals that are repeated together: the last of them says when there is enough. */
export const describeLoopEnd = (prompt: string): string => `${prompt}\n\n${versionWords.enough}`
