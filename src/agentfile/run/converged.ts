import { versionWords } from '../../model/loop-words.ts'
import { markdown } from '../../text/markdown.ts'

// The word alone on the last line, also in bold, with a full stop, or in a fence.
const lastLine =
  /(?:^|\n)(?:[ \t]*```\w*\n)?[ \t]*[*_`"]{0,3}CONVERGED[*_`"]{0,3}[.!]?[*_`"]{0,3}\s*(?:```\s*)?$/

/** Takes the word that ends a series of versions off a reply. */
export function withoutConverged(said: string): { readonly text: string; readonly converged: boolean } {
  const match = lastLine.exec(said)
  return match
    ? { text: said.slice(0, match.index).trim(), converged: true }
    : { text: said, converged: false }
}

/** A prompt with the versions so far; `ending`: what is to be done about them, for the one who writes the next. */
export function describeVersions(prompt: string, versions: readonly string[]): VersionPrompt {
  const { name, first, given, next } = versionWords
  if (versions.length === 0) return { prompt, ending: first }
  const shown = markdown({ level: 2 }).formatSections(
    versions.map((content, i) => ({ name: `${name} ${i + 1}`, content })),
  )
  return { prompt: `${prompt}\n\n${given}\n\n${shown}`, ending: next }
}

export interface VersionPrompt {
  readonly prompt: string
  readonly ending: string
}

/** For goals that are repeated together: the last of them says when there is enough. */
export const describeLoopEnd = (prompt: string): VersionPrompt => ({ prompt, ending: versionWords.enough })
