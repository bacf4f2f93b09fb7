import type { KnownTools } from '../known-tools.ts'
import type { Grammar } from './grammar.ts'
import { Marks } from './marks.ts'
import type { Role } from './role.ts'
import { toolTag } from './tag-grammar.ts'

const made = new WeakMap<KnownTools, WeakMap<Grammar, Grammar>>()

/** The grammar of a dialect together with the names of tools, which may be marks as well. */
export function withTools(grammar: Grammar, tools: KnownTools): Grammar {
  const known = made.get(tools) ?? new WeakMap<Grammar, Grammar>()
  made.set(tools, known)
  let found = known.get(grammar)
  if (!found) {
    found = build(grammar, tools)
    known.set(grammar, found)
  }
  return found
}

function build(grammar: Grammar, tools: KnownTools): Grammar {
  const own = new Map<string, Role>()
  for (const name of tools.names) {
    if (grammar.toolTags) {
      own.set(`<${name}`, { ...grammar.roles.get(`<${name}`), tags: [toolTag] })
      own.set(`< ${name}`, { tags: [toolTag] })
      // The name of a tool is no quotation.
      if (grammar.roles.get(`<${name}>`)?.quotes) own.set(`<${name}>`, { tags: [toolTag] })
    }
    if (grammar.toolTags || grammar.lines) own.set(name, { ...grammar.roles.get(name), line: true })
  }
  if (own.size === 0) return grammar
  const marks = [...own.keys()]
  const tags = marks.filter((mark) => own.get(mark)?.tags)
  return {
    ...grammar,
    roles: new Map([...grammar.roles, ...own]),
    inText: new Marks(marks, grammar.inText),
    inReasoning: new Marks(tags, grammar.inReasoning),
    inSection: new Marks(tags, grammar.inSection),
    around: new Marks(tags, grammar.around),
  }
}
