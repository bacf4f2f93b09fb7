import type { Issue } from '../core/issue.ts'
import { findCycles } from './find-cycles.ts'
import { planIssues } from './issues.ts'
import { named } from './named.ts'
import type { PlannedCall } from './plan.ts'
import { findReferences } from './references.ts'

export interface LinkedCalls {
  /** With all that they depend on, in the order of the calls; what is no call comes last. */
  readonly calls: readonly PlannedCall[]
  readonly issues: readonly Issue[]
  /** The calls that can never run, and why. Those that depend on them are not among them. */
  readonly blocked: ReadonlyMap<string, string>
}

/** Finds out what calls depend on: what they say, and whose results they use. */
export function linkCalls(calls: readonly PlannedCall[]): LinkedCalls {
  const ids = new Map(calls.map(({ id }, i) => [id, i]))
  const known = [...ids.keys()]
  const issues: Issue[] = []
  const blocked = new Map<string, string>()
  const linked = calls.map((call): PlannedCall => {
    const { id, span } = call
    const needed = new Set(call.dependsOn)
    const strange = [...needed].filter((one) => !ids.has(one))
    if (strange.length > 0) {
      issues.push(planIssues.issue('unknown_dependency', { call: id, unknown: strange }, { span }))
      blocked.set(id, `it depends on ${named(strange)}, which the plan does not have`)
    }
    const { used, unknown } = findReferences(call.arguments, known)
    for (const one of used) needed.add(one)
    for (const reference of unknown) {
      issues.push(planIssues.issue('unknown_reference', { call: id, reference }, { span }))
      blocked.set(id, `it uses ${reference}, which is the result of no call`)
    }
    const place = (one: string) => ids.get(one) ?? calls.length
    const dependsOn = [...needed].sort((a, b) => place(a) - place(b))
    const { dependsOn: _, ...rest } = call
    return dependsOn.length > 0 ? { ...rest, dependsOn } : rest
  })
  for (const cycle of findCycles(new Map(linked.map(({ id, dependsOn = [] }) => [id, dependsOn])))) {
    const [first = ''] = cycle
    issues.push(planIssues.issue('cycle', { ids: cycle }, { span: calls[ids.get(first) as number]?.span }))
    const why = cycle.length === 1 ? 'it depends on itself' : `${named(cycle)} depend on each other`
    for (const id of cycle) blocked.set(id, why)
  }
  return { calls: linked, issues, blocked }
}
