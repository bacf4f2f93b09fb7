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
  /** How names go on: the first way, from which `sibling` leads to the others. */
  first: NameNode<T> | undefined
  sibling: NameNode<T> | undefined
  value: T | undefined
}

const newNode = <T>(code: number): NameNode<T> => ({
  code,
  first: undefined,
  sibling: undefined,
  value: undefined,
})

/** One more way to go on. Those that were added first are found first. */
function addTo<T>(node: NameNode<T>, code: number): NameNode<T> {
  const added = newNode<T>(code)
  let last = node.first
  while (last?.sibling) last = last.sibling
  if (last) last.sibling = added
  else node.first = added
  return added
}

/** Names to be found in text that is still arriving: what may become one is known at every character. */
export class NameTable<T> {
  readonly root: NameNode<T> = newNode(0)

  /** The first to claim a name keeps it. */
  add(name: string, value: T): void {
    const folded = foldName(name)
    let node = this.root
    for (let i = 0; i < folded.length; i++) {
      const code = folded.charCodeAt(i)
      node = this.step(node, code) ?? addTo(node, code)
    }
    node.value ??= value
  }

  /** One folded character further; `undefined`: no name goes on like this. */
  step(node: NameNode<T>, code: number): NameNode<T> | undefined {
    let next = node.first
    while (next && next.code !== code) next = next.sibling
    return next
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
