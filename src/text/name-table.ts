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

/** A beginning that names share, and the name that ends there. */
export interface NameNode<T> {
  readonly code: number
  readonly next: NameNode<T>[]
  value: T | undefined
}

/** Names to be found in text that is still arriving: what may become one is known at every character. */
export class NameTable<T> {
  readonly root: NameNode<T> = { code: 0, next: [], value: undefined }

  /** The first to claim a name keeps it. */
  add(name: string, value: T): void {
    const folded = foldName(name)
    let node = this.root
    for (let i = 0; i < folded.length; i++) {
      const code = folded.charCodeAt(i)
      let next = this.step(node, code)
      if (!next) {
        next = { code, next: [], value: undefined }
        node.next.push(next)
      }
      node = next
    }
    node.value ??= value
  }

  /** One folded character further; `undefined`: no name goes on like this. */
  step(node: NameNode<T>, code: number): NameNode<T> | undefined {
    const { next } = node
    for (let i = 0; i < next.length; i++) if (next[i]?.code === code) return next[i]
    return undefined
  }

  get(folded: string): T | undefined {
    return this.find(folded)?.value
  }

  /** Whether a name begins so, or is so. */
  begins(folded: string): boolean {
    return folded !== '' && this.find(folded) !== undefined
  }

  private find(folded: string): NameNode<T> | undefined {
    let node: NameNode<T> | undefined = this.root
    for (let i = 0; i < folded.length && node; i++) node = this.step(node, folded.charCodeAt(i))
    return node
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
