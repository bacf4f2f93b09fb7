import { isRecord } from '../core/is-record.ts'
import { fold } from '../json/coerce/fold.ts'
import type { FoundValue } from '../section/found-value.ts'
import { argumentsInText } from './arguments-in-text.ts'
import { LONGEST } from './key-in.ts'

type Path = readonly PropertyKey[]

/** A call as it was understood: what was taken for its name and its arguments. */
interface UnderstoodCall {
  readonly found: FoundValue
  /** The object of the call, and where it stands. */
  readonly outer: Record<string, unknown>
  readonly at: Path
  /** The same, or the object in it that has the name: `{"function": {…}}`. */
  readonly record: Record<string, unknown>
  readonly path: Path
  readonly name: string
  readonly nameKey: string | undefined
  readonly argumentsKey: string | undefined
  /** Arguments that stand beside the name. */
  readonly inline: readonly string[]
}

/** A key that stands twice, or says something else than another one. */
interface Contradiction {
  /** Where its object stands. */
  readonly at: Path
  readonly key: string
  readonly other?: string | undefined
}

/** So many are told within arguments: they have one cause. */
const MOST = 4

/** What a call says twice, so that it cannot be told which of both is meant. The words are folded. */
export function contradictions(
  call: UnderstoodCall,
  nameWords: readonly string[],
  argumentWords: readonly string[],
): Contradiction[] {
  const { found, outer, at, record, path, name, nameKey, argumentsKey, inline } = call
  const all: Contradiction[] = []
  const add = (one: Contradiction) => {
    if (!all.some(({ at, key }) => at === one.at && key === one.key)) all.push(one)
  }
  const args = argumentsKey === undefined ? undefined : found.at([...path, argumentsKey])
  for (const key of duplicates(found, path, record, [nameKey, argumentsKey])) add({ at: path, key })
  for (const key of found.duplicatesAt?.(path) ?? []) if (inline.includes(key)) add({ at: path, key })
  // What the tool has a field for says nothing about the tool.
  for (const key of rivals(record, nameWords, namesAnother(name)))
    if (!inline.includes(key)) add({ at: path, key, other: nameKey })
  if (argumentsKey !== undefined)
    for (const key of rivals(record, argumentWords, areOthers(args)))
      if (key !== nameKey) add({ at: path, key, other: argumentsKey })
  if (path !== at) {
    // The last of two functions would run.
    for (const key of duplicates(found, at, outer, [path.at(-1)])) add({ at, key })
    for (const key of rivals(outer, nameWords, namesAnother(name))) add({ at, key, other: nameKey })
    if (argumentsKey !== undefined)
      for (const key of rivals(outer, argumentWords, areOthers(args))) add({ at, key, other: argumentsKey })
  }
  const parts = argumentsKey === undefined ? inline : [argumentsKey]
  for (const key of parts) all.push(...duplicatesWithin(found, [...path, key]))
  return all
}

/** Keys that are one of the words, and of which `differs` says that they mean something else. */
function rivals(
  record: Record<string, unknown>,
  words: readonly string[],
  differs: (value: unknown) => boolean,
): string[] {
  return Object.keys(record).filter(
    (key) => key.length < LONGEST && words.includes(fold(key)) && differs(record[key]),
  )
}

/** Whether a value names another tool. Words with spaces between them are a remark: no name has any. */
const namesAnother = (name: string) => (value: unknown) =>
  typeof value === 'string' && /^\S+$/.test(value.trim()) && value.trim() !== name.trim()

/** Whether a value, if it is one, has other arguments in it. */
function areOthers(args: unknown): (value: unknown) => boolean {
  const mine = sorted(argumentsInText(args) ?? args)
  return (value) =>
    value !== null && value !== undefined && value !== '' && sorted(argumentsInText(value) ?? value) !== mine
}

/** A value as text, in which the order of keys is always the same. */
function sorted(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one: unknown) =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
}

/** Which of these keys an object has twice: as they are, or spelled in another way and with another value. */
function duplicates(
  found: FoundValue,
  path: Path,
  record: Record<string, unknown>,
  keys: readonly (PropertyKey | undefined)[],
): string[] {
  const twice = (found.duplicatesAt?.(path) ?? []).map(fold)
  return keys.filter((key): key is string => {
    if (typeof key !== 'string') return false
    const folded = fold(key)
    const isSpelled = (one: string) => one !== key && one.length < LONGEST && fold(one) === folded
    const others = Object.keys(record).filter(isSpelled)
    return twice.includes(folded) || others.some((one) => sorted(record[one]) !== sorted(record[key]))
  })
}

/** Keys that stand twice in an object, or in what is in it. */
function duplicatesWithin(found: FoundValue, path: Path): Contradiction[] {
  const all: Contradiction[] = []
  if (!found.duplicatesAt) return all
  const open: [unknown, Path][] = [[found.at(path), path]]
  for (let next = open.pop(); next && all.length < MOST; next = open.pop()) {
    const [value, at] = next
    if (typeof value !== 'object' || value === null) continue
    const isList = Array.isArray(value)
    if (!isList) all.push(...[...new Set(found.duplicatesAt(at))].map((key) => ({ at, key })))
    for (const [key, one] of Object.entries(value))
      if (typeof one === 'object') open.push([one, [...at, isList ? Number(key) : key]])
  }
  return all.slice(0, MOST)
}
