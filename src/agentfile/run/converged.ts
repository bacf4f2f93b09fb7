import { markdown } from '../../text/markdown.ts'

const WORD = 'CONVERGED'
// The word alone on the last line, also in bold or with a full stop.
const lastLine = /(?:^|\n)[ \t]*[*_`"]{0,3}CONVERGED[*_`"]{0,3}[.!]?[*_`"]{0,3}\s*$/

/** Takes the word that ends a series of versions off a reply. */
export function withoutConverged(said: string): { readonly text: string; readonly converged: boolean } {
  const match = lastLine.exec(said)
  return match
    ? { text: said.slice(0, match.index).trim(), converged: true }
    : { text: said, converged: false }
}

/** The versions so far, and what to do about them. How many there may be is not told: it would be used up. */
export function describeVersions(prompt: string, versions: readonly string[]): string {
  if (versions.length === 0)
    return `${prompt}\n\nThis is done in several versions. Write the first one. If no other could be better, write ${WORD} on a line of its own behind it.`
  const shown = markdown({ level: 2 }).formatSections(
    versions.map((content, i) => ({ name: `Version ${i + 1}`, content })),
  )
  return `${prompt}\n\nThis is done in several versions. These are there so far:\n\n${shown}\n\nWrite the next version, whole. If the last one cannot be made better, reply with ${WORD} and nothing else.`
}

/** For goals that are repeated together: the last of them says when there is enough. */
export const describeLoopEnd = (prompt: string): string =>
  `${prompt}\n\nThese steps are repeated until there is nothing left to do. If that is so now, end your reply with ${WORD} on a line of its own.`
