import { LegibleError } from '../../core/legible-error.ts'

/** Never read, listed, searched or written: what decides over permissions, what holds secrets, our own files. */
const always = ['.git', '.legible*', 'legible.toml', 'legible.config.*', '.env*']

// The short name that Windows gives to a file beside its own: GIT~1 is .git.
const shortName = /^[^.]{1,6}~\d+(\.[^.]{0,3})?$/

/** Says whether a path leads to or through something protected. */
export type IsProtected = (names: readonly string[]) => boolean

/**
 * `protect`: a name counts in every folder, a path from the root on; `*` stands for any characters of a name. Names are
 * compared as the most forgiving disk would, so that `.GIT` is `.git`.
 */
export function protectedNames(protect: readonly string[] = []): IsProtected {
  const rules = [...always, ...protect].map(ruleOf)
  return (given) => {
    const names = given.map(folded)
    return (
      names.some((name) => shortName.test(name)) ||
      rules.some((rule) =>
        rule.length === 1
          ? names.some((name) => rule[0]?.test(name))
          : rule.every((part, i) => i < names.length && part.test(names[i] as string)),
      )
    )
  }
}

function ruleOf(text: string): RegExp[] {
  const parts = typeof text === 'string' ? text.replace(/^\.\//, '').replace(/\/$/, '').split('/') : []
  if (parts.length === 0 || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new LegibleError(
      'file.invalid_protect',
      `${JSON.stringify(text)} cannot be protected: write a name, or a path from the root such as "docs/private".`,
    )
  return parts.map((part) => {
    const literal = folded(part).replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`^${literal.replace(/\*+/g, '.*')}$`, 'su')
  })
}

/** Disks differ in which names are the same: letter case, composed letters, characters that do not count. */
function folded(name: string): string {
  if (/^[ -~]*$/.test(name)) return name.toLowerCase()
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  return plain.toUpperCase().toLowerCase()
}
