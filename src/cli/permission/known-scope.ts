import { closestName } from '../../core/closest-name.ts'
import type { RuleScope } from '../../tool/permission/permission.ts'
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
  const known = new Set(tools.flatMap(capabilitiesOf))
  if (known.has(capability)) return
  const meant = closestName(capability, known)
  const advice = meant ? `did you mean ${meant}?` : `there are: ${[...known].join(', ')}`
  throw new Error(`no tool needs ${JSON.stringify(capability)}; ${advice}`)
}

function capabilitiesOf({ name, needs }: Tool): string[] {
  if (needs === undefined) return [name]
  try {
    return [typeof needs === 'function' ? needs({}) : needs].flat().map(({ capability }) => capability)
  } catch {
    return [name]
  }
}
