import type { Tool, ToolCall } from '../tool.ts'
import type { Need, Permissions, Ruling } from './permission.ts'

/**
 * What a call needs, as its tool says; a tool that says nothing needs a capability of its own name. Throws whatever the
 * tool throws.
 */
export function needsOf(tool: Tool, call: ToolCall): readonly Need[] {
  const { needs } = tool
  if (needs === undefined) return [{ capability: tool.name }]
  const given = typeof needs === 'function' ? needs(call.arguments) : needs
  return Array.isArray(given) ? given : [given as Need]
}

/** What the store says about a call. What cannot be told is not permitted. */
export function ruleOn(permissions: Pick<Permissions, 'check'>, tool: Tool, call: ToolCall): Ruling {
  let needs: readonly Need[]
  try {
    needs = needsOf(tool, call)
  } catch {
    return { kind: 'denied', need: { capability: tool.name } }
  }
  return permissions.check(needs)
}

/** For the model: what is not permitted, and no more. */
export function refusalText(ruling: Exclude<Ruling, { kind: 'granted' }>): string {
  const { capability, path, host, tree } = ruling.need
  const { path: denied } = (ruling.kind === 'denied' && ruling.rule) || {}
  if (tree && denied !== undefined && denied !== path)
    return `This call is not permitted: ${denied} is denied, and the call is about all of ${path}. Name a folder without it.`
  const where = path !== undefined ? ` for ${path}` : host !== undefined ? ` for ${host}` : ''
  return ruling.kind === 'denied'
    ? `This call is not permitted: ${capability}${where} is denied.`
    : `This call is not permitted: nobody has granted ${capability}${where}.`
}
