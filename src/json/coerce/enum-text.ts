import type { EnumMember } from '../../schema/shape.ts'
import { fold, foldWords } from './fold.ts'

type How = 'exact' | 'folded' | 'alias' | 'word' | 'typo'

export type EnumMatch =
  | { readonly member: EnumMember; readonly how: How }
  /** Several members fit equally well. */
  | { readonly between: readonly EnumMember[] }

// An answer stands at the end of what is said: this much of a long text is searched for a name.
const MOST = 2000
// A denial reaches this many words: "no sign of any fraud".
const REACH = 4

const negations = new Set(
  'not no non never neither nor cannot without isnt arent wasnt werent doesnt dont didnt hardly'.split(' '),
)
const contrasts = new Set(['but', 'rather', 'instead', 'just', 'only'])
export const isNegation = (word: string): boolean => negations.has(word)

/** The member of an enum that a text means: exactly, nearly, or by naming it in a sentence. */
export function enumInText(text: string, members: readonly EnumMember[]): EnumMatch | undefined {
  const trimmed = text.trim()
  const exact = members.find((member) => String(member.value) === trimmed)
  if (exact) return { member: exact, how: 'exact' }
  return folded(trimmed, members) ?? named(trimmed.slice(-MOST), members) ?? typo(trimmed, members)
}

function folded(text: string, members: readonly EnumMember[]): EnumMatch | undefined {
  const wanted = fold(text)
  if (wanted === '') return undefined
  const byName = members.filter((member) => fold(String(member.value)) === wanted)
  if (byName.length > 0) return single(byName, 'folded')
  const byAlias = members.filter((member) => otherNames(member).some((name) => fold(name) === wanted))
  return single(byAlias, 'alias')
}

function otherNames(member: EnumMember): readonly string[] {
  return member.description ? [...member.aliases, member.description] : member.aliases
}

interface Mention {
  readonly member: EnumMember
  readonly clause: number
  readonly start: number
  readonly end: number
}

/** Members named in running text, as whole words, and not denied. A longer name beats the shorter one within it. */
function named(text: string, members: readonly EnumMember[]): EnumMatch | undefined {
  const clauses = text
    .split(/[.,;:!?\n]+/)
    .map((clause) => ({ words: foldWords(clause), exact: clause.split(/[^\p{L}\p{N}]+/u) }))
  const mentions: Mention[] = []
  for (const member of members)
    for (const name of [String(member.value), ...otherNames(member)]) {
      const parts = foldWords(name)
      for (const [clause, { words, exact }] of clauses.entries()) {
        // The letter A is an article unless it is written exactly so.
        if (parts.length === 0 || (name.length === 1 && !exact.includes(name))) continue
        for (
          let at = words.indexOf(parts[0] as string);
          at >= 0;
          at = words.indexOf(parts[0] as string, at + 1)
        )
          if (parts.every((part, i) => words[at + i] === part))
            mentions.push({ member, clause, start: at, end: at + parts.length })
      }
    }
  const longest = mentions.filter((a) => !mentions.some((b) => covers(b, a)))
  const denied = ({ clause, start }: Mention) => {
    const words = clauses[clause]?.words ?? []
    const before = words.slice(Math.max(0, start - REACH), start)
    const turn = before.findLastIndex((word) => contrasts.has(word))
    const next = clauses[clause + 1]?.words
    return before.slice(turn + 1).some(isNegation) || (next?.length === 1 && next[0] === 'no')
  }
  const meant = new Set(longest.filter((mention) => !denied(mention)).map((mention) => mention.member))
  // "isn't spam": the member that says so.
  if (meant.size === 0)
    for (const { member } of longest) for (const other of denials(member, members)) meant.add(other)
  return single([...meant], 'word')
}

function covers(a: Mention, b: Mention): boolean {
  return a.clause === b.clause && a.start <= b.start && a.end >= b.end && a.end - a.start > b.end - b.start
}

function denials(member: EnumMember, members: readonly EnumMember[]): EnumMember[] {
  const name = fold(String(member.value))
  return members.filter((other) =>
    ['not', 'no', 'non'].some((not) => fold(String(other.value)) === not + name),
  )
}

function typo(text: string, members: readonly EnumMember[]): EnumMatch | undefined {
  const wanted = fold(text)
  if (wanted.length < 5 || wanted.length > 60) return undefined
  const close = members.filter((member) => oneEdit(wanted, fold(String(member.value))))
  return single(close, 'typo')
}

function single(members: readonly EnumMember[], how: How): EnumMatch | undefined {
  const [member] = members
  if (!member) return undefined
  return members.length === 1 ? { member, how } : { between: members }
}

/** Whether one letter was added, lost, replaced or swapped with its neighbour. */
function oneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return (
    a.slice(i + 1) === b.slice(i + 1) ||
    a.slice(i + 1) === b.slice(i) ||
    a.slice(i) === b.slice(i + 1) ||
    (a[i] === b[i + 1] && a[i + 1] === b[i] && a.slice(i + 2) === b.slice(i + 2))
  )
}
