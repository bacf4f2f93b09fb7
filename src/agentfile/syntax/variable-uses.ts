import type { Span } from '../../core/span.ts'
import type { Prompt } from './agentfile.ts'
import type { PromptFile } from './prompt-file.ts'
import { promptParts } from './prompt-parts.ts'
import { spanInSource } from './span-in-source.ts'

/** A variable in a prompt, or what may be meant as one. */
export interface VariableUse {
  readonly name: string
  /** `braces`: text in braces that could have been a variable. */
  readonly kind: 'variable' | 'old' | 'unknown' | 'braces'
  /** As it is written. */
  readonly text: string
  /** In the Agentfile: of a prompt that is a file, where the path stands. */
  readonly span: Span
  readonly file?: string
  readonly line?: number
}

type Uses = (prompt: Prompt) => readonly VariableUse[]

const braces = /(?<!\$)\$\{([A-Za-z_][\w-]*)\}|\{\{[ \t]*([A-Za-z_][\w-]*)[ \t]*\}\}/g

/** Finds the variables of prompts. Of a file, each is told once. Files are read once. */
export function createVariableUses(names: ReadonlySet<string>, files: ReadonlyMap<string, PromptFile>): Uses {
  const ofFiles = new Map<string, readonly VariableUse[]>()
  return (prompt) => {
    if (prompt.kind === 'text')
      return usesIn(prompt.text, names).map((use) => ({ ...use, span: spanInSource(prompt, use.span) }))
    const file = files.get(prompt.path)
    if (!file) return []
    const uses = ofFiles.get(prompt.path) ?? usesInFile(file, names)
    ofFiles.set(prompt.path, uses)
    return uses.map((use) => ({ ...use, span: prompt.span }))
  }
}

function usesInFile({ path, text }: PromptFile, names: ReadonlySet<string>): VariableUse[] {
  const first = new Map<string, VariableUse>()
  let line = 1
  let at = 0
  for (const use of usesIn(text, names)) {
    for (let end = text.indexOf('\n', at); end >= 0 && end < use.span[0]; end = text.indexOf('\n', at)) {
      line++
      at = end + 1
    }
    if (!first.has(use.text)) first.set(use.text, { ...use, file: path, line })
  }
  return [...first.values()]
}

/** Spans are places in the text. */
function usesIn(text: string, names: ReadonlySet<string>): VariableUse[] {
  const uses: VariableUse[] = []
  for (const part of promptParts(text, names)) {
    const [start, end] = part.span
    const written = text.slice(start, end)
    if (part.kind !== 'text') {
      const kind = part.kind === 'variable' && part.form === 'old' ? 'old' : part.kind
      uses.push({ name: part.name, kind, text: written, span: part.span })
      continue
    }
    for (const match of written.matchAll(braces)) {
      const from = start + match.index
      const name = (match[1] ?? match[2]) as string
      uses.push({ name, kind: 'braces', text: match[0], span: [from, from + match[0].length] })
    }
  }
  return uses
}
