import { LegibleError } from '../core/legible-error.ts'

/** One character for the comparison of names, which ignores case and takes all space for the same. */
export function foldCharacter(c: number): string {
  if (c < 128) return c === 9 ? ' ' : String.fromCharCode(c >= 65 && c <= 90 ? c + 32 : c)
  return String.fromCharCode(c).toLowerCase()
}

/** A name as it is compared. Character by character: readers fold the text in the same way as it arrives. */
export function foldName(name: string): string {
  let folded = ''
  for (let i = 0; i < name.length; i++) folded += foldCharacter(name.charCodeAt(i))
  return folded
}

/** Names to be found in text that is still arriving: what may become one is known at every character. */
export class NameTable<T> {
  private readonly names = new Map<string, T>()
  private readonly beginnings = new Set<string>()

  /** The first to claim a name keeps it. */
  add(name: string, value: T): void {
    const folded = foldName(name)
    if (this.names.has(folded)) return
    this.names.set(folded, value)
    for (let end = 1; end <= folded.length; end++) this.beginnings.add(folded.slice(0, end))
  }

  get(folded: string): T | undefined {
    return this.names.get(folded)
  }

  /** Whether a name begins so, or is so. */
  begins(folded: string): boolean {
    return this.beginnings.has(folded)
  }
}

/** The names of sections are the program's: one that cannot be written or told apart is a mistake in it. */
export function checkNames(
  names: readonly string[],
  format: string,
  isWritable: (name: string) => boolean,
): void {
  const seen = new Set<string>()
  for (const name of names) {
    checkName(name, format, isWritable)
    const folded = foldName(name)
    if (seen.has(folded))
      throw new LegibleError('text.duplicate_section', `two sections are named ${JSON.stringify(name)}`)
    seen.add(folded)
  }
}

export function checkName(name: string, format: string, isWritable: (name: string) => boolean): void {
  if (typeof name !== 'string' || name === '')
    throw new LegibleError('text.missing_name', 'a section has no name')
  if (!isWritable(name))
    throw new LegibleError(
      'text.invalid_name',
      `${JSON.stringify(name)} cannot be the name of a section in ${format}`,
    )
}

/** Whether a name can stand on a line, as a header or a label. */
export function isLineName(name: string): boolean {
  return !/[\p{Cc}\u2028\u2029<◁]|^[\s\\`~#]|\s$|\s\s/u.test(name)
}
