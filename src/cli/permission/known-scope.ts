import { closestName } from '../../core/closest-name.ts'
import type { Need, RuleScope } from '../../tool/permission/permission.ts'
import { needsOf } from '../../tool/permission/rule-on.ts'
import type { Tool } from '../../tool/tool.ts'
import { parseScope } from './parse-scope.ts'

/** A scope as people write it, of something that a tool needs. Throws when it is none. */
export function knownScope(text: string, tools: readonly Tool[]): RuleScope {
  const scope = parseScope(text)
  checkCapability(scope.capability, tools)
  return scope
}

/** A rule for something that no tool needs would say nothing, and look as if it did. */
export function checkCapability(capability: string, tools: readonly Tool[]): void {
  const known = new Set(tools.flatMap((tool) => needsOfAny(tool).map((need) => need.capability)))
  if (known.has(capability)) return
  const meant = closestName(capability, known)
  const advice = meant ? `did you mean ${meant}?` : `there are: ${[...known].join(', ')}`
  throw new Error(`no tool needs ${JSON.stringify(capability)}; ${advice}`)
}

/** What a tool needs, whatever it is called with; a tool may not be able to say. */
export function needsOfAny(tool: Tool): readonly Need[] {
  try {
    return needsOf(tool, { id: '', name: tool.name, arguments: {} })
  } catch {
    return [{ capability: tool.name }]
  }
}
