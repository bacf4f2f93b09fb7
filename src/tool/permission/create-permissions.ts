import { LegibleError } from '../../core/legible-error.ts'
import { covers, plainHost, plainPath } from './covers.ts'
import type { Need, PermissionRule, Permissions, RuleScope, Ruling } from './permission.ts'

export interface PermissionsOptions {
  /** The time, in milliseconds; for rules that expire. */
  readonly now?: () => number
  /** The number of the last rule that there was, also if it is gone: no id means two rules. */
  readonly last?: number
}

/** A store of rules, in memory. `rules`: those that it begins with. */
export function createPermissions(
  rules: readonly PermissionRule[] = [],
  { now = Date.now, last: given = 0 }: PermissionsOptions = {},
): Permissions {
  let all = rules.map(checkRule)
  let last = lastNumber(all, given)
  const current = () => all.filter(({ expires }) => expires === undefined || Date.parse(expires) > now())
  const add = (effect: PermissionRule['effect'], scope: RuleScope): PermissionRule => {
    const rule = ruleOf(effect, scope, `r${last + 1}`)
    last++
    // Who changes their mind means the last word.
    all = [...current().filter((one) => !hasScope(one, rule)), rule]
    return rule
  }
  return {
    get rules() {
      return current()
    },
    check: (needs) => rule(current(), needs),
    grant: (scope) => add('grant', scope),
    deny: (scope) => add('deny', scope),
    revoke(id) {
      const revoked = current().find((one) => one.id === id)
      all = all.filter((one) => one.id !== id)
      return revoked
    },
  }
}

function rule(rules: readonly PermissionRule[], needs: readonly Need[]): Ruling {
  for (const need of needs) {
    const against = rules.find((one) => one.effect === 'deny' && covers(one, need))
    if (against) return { kind: 'denied', need, rule: against }
  }
  const open = needs.find((need) => !rules.some((one) => one.effect === 'grant' && covers(one, need)))
  return open ? { kind: 'unset', need: open } : { kind: 'granted' }
}

const hasScope = (one: PermissionRule, other: PermissionRule) =>
  one.capability === other.capability && one.path === other.path && one.host === other.host

/** Ids are short, as people type them to revoke a rule. */
export function lastNumber(rules: readonly PermissionRule[], least = 0): number {
  return Math.max(least, ...rules.map(({ id }) => Number(/^r(\d{1,9})$/.exec(id)?.[1] ?? 0)))
}

function ruleOf(effect: PermissionRule['effect'], scope: RuleScope, id: string): PermissionRule {
  const { capability, path, host, expires } = scope
  if (typeof capability !== 'string' || !/^[A-Za-z\d_.-]{1,64}$/.test(capability))
    throw invalid(
      `${JSON.stringify(capability)} is no capability: letters, digits, _, - and ., 1 to 64 of them.`,
    )
  const folder = path === undefined ? undefined : plainPath(path)
  if (path !== undefined && folder === undefined)
    throw invalid(`${JSON.stringify(path)} is no path from the root on.`)
  if (host !== undefined && plainHost(host.replace(/^\*\./, '')) === undefined)
    throw invalid(`${JSON.stringify(host)} is no host; example.com and *.example.com are.`)
  const end = expires === undefined ? undefined : new Date(expires)
  if (end && Number.isNaN(end.getTime())) throw invalid(`${JSON.stringify(expires)} is no time.`)
  return {
    id,
    effect,
    capability,
    ...(folder !== undefined && { path: folder }),
    ...(host !== undefined && { host: host.toLowerCase() }),
    ...(end && { expires: end.toISOString() }),
  }
}

/** Rules may come from a file. */
function checkRule(given: PermissionRule): PermissionRule {
  const { id, effect } = given ?? {}
  if (typeof id !== 'string' || (effect !== 'grant' && effect !== 'deny'))
    throw invalid(`${JSON.stringify(given)} is no rule: it grants or denies, and has an id.`)
  for (const key of ['path', 'host', 'expires'] as const)
    if (given[key] !== undefined && typeof given[key] !== 'string')
      throw invalid(`${key} of the rule ${id} is no text.`)
  return ruleOf(effect, given, id)
}

const invalid = (message: string) => new LegibleError('permission.invalid_rule', message)
