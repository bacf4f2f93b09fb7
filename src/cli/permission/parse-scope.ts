import type { Need, RuleScope } from '../../tool/permission/permission.ts'

/** `fs.write`, `fs.write:src/docs`, `net@example.com`: what a rule is about, as people write it. */
export function parseScope(text: string): RuleScope {
  const [, capability = '', mark, place = ''] = /^([^:@]*)(?:([:@])(.*))?$/s.exec(text.trim()) ?? []
  if (mark === ':') return { capability, path: place }
  return mark === '@' ? { capability, host: place } : { capability }
}

/** The other way. */
export const formatScope = ({ capability, path, host }: Need): string =>
  `${capability}${path === undefined ? '' : `:${path}`}${host === undefined ? '' : `@${host}`}`

/** What "always" and "never" are about: all of the folder, this host, or the tool. */
export function keptScope({ capability, path, host }: Need): RuleScope {
  if (path !== undefined) return { capability, path: '.' }
  return host === undefined ? { capability } : { capability, host }
}
