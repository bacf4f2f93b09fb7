import { isRecord } from '../../core/is-record.ts'
import { jsonAtStart } from './json-at-start.ts'

export interface Call {
  readonly tool: string
  readonly args: Record<string, unknown>
}

/** What a task says about the rehearsal itself. */
export interface Steering {
  /** `call search with {"query": "tea"}`: exactly these calls, one after the other. */
  readonly calls: readonly Call[]
  /** `do not use tools`. */
  readonly noTools: boolean
  /** `report error permission_denied`. */
  readonly error: string | undefined
}

const MAX_CALLS = 20

export function readSteering(text: string): Steering {
  const calls: Call[] = []
  for (const match of text.matchAll(
    /\bcall\s{1,8}[`"']?([^\s`"'{}]{1,128})[`"']?\s{1,8}with\s{0,8}(?=\{)/gi,
  )) {
    const args = parse(jsonAtStart(text.slice(match.index + match[0].length)))
    if (calls.length === MAX_CALLS || args === undefined) break
    if (isRecord(args)) calls.push({ tool: match[1] as string, args })
  }
  const [, error] = /\breport error ([a-z_][a-z0-9_]{0,63})/i.exec(text) ?? []
  return { calls, noTools: /\b(?:do not|don't) use (?:any )?tools\b/i.test(text), error }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
