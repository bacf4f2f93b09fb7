import { readDialect } from './read-dialect.ts'
import { readFields } from './read-fields.ts'
import { type FoundContract, readSections } from './read-sections.ts'
import { readTools } from './read-tools.ts'
import { templateInText } from './template-in-text.ts'

/** Prompts stay the same from turn to turn, and a dialect takes a while to find. */
const known = new Map<string, FoundContract | undefined>()
const MAX_KNOWN = 128

/** What a text says about the form of replies; undefined when it says nothing. */
export function readContract(text: string): FoundContract | undefined {
  if (known.has(text)) return known.get(text)
  const found =
    readFields(text) ??
    readSections(text) ??
    readReplyContract(text) ??
    readDialect(text) ??
    readJsonContract(text)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(text, found)
  return found
}

function readReplyContract(text: string): FoundContract | undefined {
  const start = text.indexOf('Reply in exactly one of these ways:\n')
  if (start < 0) return undefined
  const rest = text.slice(start)
  const last = 'belongs in a code fence with text around it.'
  const end = rest.indexOf(last)
  const none = rest.indexOf('or tool_not_found.')
  const size = end >= 0 ? end + last.length : none >= 0 ? none + 'or tool_not_found.'.length : rest.length
  return { contract: { kind: 'reply', tools: readTools(rest.slice(0, size)) }, start, end: start + size }
}

/** A value is described, and nothing around it: the reply is that value. */
function readJsonContract(text: string): FoundContract | undefined {
  const template = templateInText(text)
  if (template?.notation !== 'JSON') return undefined
  return { contract: { kind: 'json', template, tools: [] }, start: template.at, end: text.length }
}
