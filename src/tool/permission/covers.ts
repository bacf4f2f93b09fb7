import type { Need, PermissionRule } from './permission.ts'

/**
 * Whether a rule is about a need. Where that is in doubt (a need without a place, a path that cannot be followed, another
 * letter case) a rule that grants is not, and one that denies is.
 */
export function covers(rule: PermissionRule, need: Need): boolean {
  if (rule.capability !== need.capability) return false
  const inDoubt = rule.effect === 'deny'
  if (rule.path !== undefined && !coversPath(rule.path, need, inDoubt)) return false
  return rule.host === undefined || coversHost(rule.host, need.host, inDoubt)
}

function coversPath(folder: string, need: Need, inDoubt: boolean): boolean {
  const path = need.path === undefined ? undefined : plainPath(need.path)
  if (path === undefined) return inDoubt
  if (folder === '.') return true
  // Some file systems know no letter case: what is denied stays so under every spelling.
  const same = inDoubt ? fold : (text: string) => text
  const isWithin = (inner: string, outer: string) => outer === '.' || `${inner}/`.startsWith(`${outer}/`)
  if (isWithin(same(path), same(folder))) return true
  return inDoubt && need.tree === true && isWithin(same(folder), same(path))
}

const fold = (text: string) => text.normalize('NFKC').toLowerCase().normalize('NFC')

/** A path from the root on, in one spelling; `undefined` if it leads out of it, or nobody knows where. */
export function plainPath(path: string): string | undefined {
  if (path.includes('\0') || path.includes('\\') || path.startsWith('/')) return undefined
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.includes('..')) return undefined
  return names.length === 0 ? '.' : names.join('/')
}

function coversHost(rule: string, given: string | undefined, inDoubt: boolean): boolean {
  const host = given === undefined ? undefined : plainHost(given)
  const wanted = plainHost(rule.replace(/^\*\./, ''))
  if (host === undefined || wanted === undefined) return inDoubt
  if (wanted.port !== '' && wanted.port !== host.port && !(inDoubt && host.port === '')) return false
  return rule.startsWith('*.') ? host.name.endsWith(`.${wanted.name}`) : host.name === wanted.name
}

export interface PlainHost {
  readonly name: string
  /** Empty: any. */
  readonly port: string
}

/** The name of a host as a browser would understand it: `EXAMPLE.com.` and `example.com` are one. */
export function plainHost(host: string): PlainHost | undefined {
  if (!/^[\p{L}\d.:[\]-]+$/u.test(host) || !URL.canParse(`ws://${host}`)) return undefined
  // A scheme without a port that would be left out of the address.
  const { hostname, port } = new URL(`ws://${host}`)
  const given = /:(\d+)$/.exec(host)?.[1]
  return { name: hostname.replace(/\.$/, ''), port: port || (given === '80' ? '80' : '') }
}
