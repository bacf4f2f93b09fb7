import type { Issue } from '../core/issue.ts'
import { MAX_CALLS } from '../tool/ask-calls.ts'
import type { ExtraField } from '../tool/extra-fields.ts'
import { toolIssues } from '../tool/issues.ts'
import { planIssues } from './issues.ts'

/** Folded: what models call the calls that must be done first. */
export const dependencyWords = ['dependson', 'dependencies', 'dependency', 'after', 'requires']

const none = /^\s*(?:none|null|n\/a)?\s*$/i

/** The ids that a call says it depends on. Whether there are such calls is not asked here. */
export function readDependencies(
  fields: readonly ExtraField[],
  number: number,
  issues: Issue[],
): readonly string[] {
  const ids = new Set<string>()
  for (const { key, value, keySpan: span } of fields) {
    if (key !== 'dependsOn') issues.push(toolIssues.issue('other_key', { key, meant: 'dependsOn' }, { span }))
    if (!Array.isArray(value)) issues.push(planIssues.issue('converted_dependencies', { number }, { span }))
    for (const one of listOf(value)) {
      // There are no more calls than this: one of the ids so far names none, or the call itself.
      if (ids.size >= MAX_CALLS) break
      const id = typeof one === 'string' ? one.trim() : JSON.stringify(one)
      if (ids.has(id)) continue
      if (typeof one === 'number') issues.push(toolIssues.issue('converted_id', { id }, { span }))
      ids.add(id)
    }
  }
  return [...ids]
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === null || value === false || (typeof value === 'string' && none.test(value)) ? [] : [value]
}
