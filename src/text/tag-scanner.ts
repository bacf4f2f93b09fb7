import { foldCharacter, foldName, type NameNode, type NameTable } from './name-table.ts'

/** What a tag of a name is. `opaque`, `comment`: nothing in it is live. `reserved`: none, but text with this name is written with a backslash. */
export interface TagTarget {
  readonly kind: 'section' | 'reasoning' | 'opaque' | 'comment' | 'reserved'
  readonly name: string
  /** As it is looked up: folded, with the triangle of ◁think▷ before it. */
  readonly key: string
}

/** Attributes make a tag longer; this much, and it is text after all. */
const LONGEST = 1024

/** Opens a tag: `<`, or the triangle of Kimi's ◁think▷. */
export const isTagStart = (c: number): boolean => c === 60 || c === 0x25c1

/** What may stand behind the name of a tag. */
const isNameEnd = (c: number): boolean =>
  c === 62 || c === 47 || c === 32 || (c >= 9 && c <= 13) || c === 0x25b7

/** Whether a tag can have this name. */
export const isTagName = (name: string): boolean => /^[^\s\p{Cc}<>/\\◁▷"'=`]+$/u.test(name)

/** The tag as it is looked up. Names between triangles are names of their own. */
export function tagTarget(name: string, kind: TagTarget['kind']): TagTarget {
  return { name, kind, key: foldName(name.startsWith('◁') ? name.replace('▷', '') : name) }
}

/**
 * Reads one tag, or what only looks like one, a character at a time, and each character once:
 *
 *     <action kind="x">
 *     ^^^^^^^^^^^^^^^^^
 */
export class TagScanner {
  /** Where it began. */
  start = 0
  /** What was found: `more`: not known yet; `escape`: a name with a backslash before it. */
  found: 'more' | 'text' | 'tag' | 'escape' = 'text'
  target: TagTarget | undefined
  closing = false
  empty = false
  attributes = false

  /** What was read of it in earlier chunks; and in this one, from one place to another. */
  private head = ''
  private chunk = ''
  private from = 0
  private to = 0
  private readonly table: NameTable<TagTarget>
  private readonly breaks: boolean
  private phase: 'slashes' | 'name' | 'behind' = 'slashes'
  private escaped = false
  /** How far the name goes that was read so far, and its length. */
  private node: NameNode<TagTarget>
  private depth = 0
  private closer = 62
  private quote = 0
  private last = 0
  private size = 0

  /** `breaks`: a line may end within a closing tag. */
  constructor(table: NameTable<TagTarget>, breaks = false) {
    this.table = table
    this.breaks = breaks
    this.node = table.root
  }

  /** The text of the tag as far as it was read: mostly nobody asks for it. */
  get text(): string {
    return this.head + this.chunk.slice(this.from, this.to)
  }

  /** Something begins at a place in the chunk, and at `start`. `written`: for writing, where every name counts as escaped. */
  begin(chunk: string, at: number, start: number, written = false): void {
    const c = chunk.charCodeAt(at)
    this.head = ''
    this.chunk = chunk
    this.from = at
    this.to = at + 1
    this.start = start
    this.found = 'more'
    this.phase = 'slashes'
    const { table } = this
    const triangle = c === 60 ? table.root : table.step(table.root, c)
    if (!triangle) this.found = 'text'
    this.node = triangle ?? table.root
    this.depth = c === 60 ? 0 : 1
    this.closer = c === 60 ? 62 : 0x25b7
    this.closing = this.empty = this.attributes = false
    this.escaped = written
    this.quote = this.last = this.size = 0
    this.target = undefined
    if (this.to === chunk.length) this.keep()
  }

  /** Reads on from `at`; gives the place behind what was read. */
  feed(text: string, at: number): number {
    if (this.chunk === '') {
      this.chunk = text
      this.from = at
    }
    let i = at
    if (this.phase === 'slashes' && this.found === 'more') i = this.inSlashes(text, i)
    if (this.phase === 'name') i = this.inName(text, i)
    if (this.phase === 'behind')
      while (i < text.length && this.found === 'more' && this.behind(text.charCodeAt(i))) i++
    this.to = i
    if (this.found === 'more') this.keep()
    return i
  }

  /** The tag goes on in the next chunk. */
  private keep(): void {
    this.head = this.text
    this.chunk = ''
    this.from = this.to = 0
  }

  /** The text ends within the tag. */
  end(): void {
    this.target ??= this.node.value
    this.found = this.escaped && this.target ? 'escape' : 'text'
  }

  /** Whether it may be a closing tag that was cut off. */
  couldClose(target: TagTarget): boolean {
    if (!this.closing || this.escaped) return false
    let node: NameNode<TagTarget> | undefined = this.table.root
    for (let i = 0; i < this.depth && node; i++) node = this.table.step(node, target.key.charCodeAt(i))
    return node === this.node
  }

  // <\\/action>
  //  ^^^
  private inSlashes(text: string, at: number): number {
    for (let i = at; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (this.closing || (c !== 92 && c !== 47)) {
        this.phase = 'name'
        return i
      }
      if (c === 92) this.escaped = true
      else this.closing = true
    }
    return text.length
  }

  // <action>
  //  ^^^^^^
  private inName(text: string, at: number): number {
    const { table } = this
    let { node } = this
    let i = at
    for (; i < text.length; i++) {
      const c = text.charCodeAt(i)
      const letter = c > 96 && c < 128
      if (!letter && isNameEnd(c)) break
      const next = table.step(node, letter ? c : foldCharacter(c).charCodeAt(0))
      if (!next) {
        this.found = 'text'
        break
      }
      node = next
      // <!--
      //    ^
      if (node.value?.kind === 'comment') {
        this.target = node.value
        this.found = this.escaped ? 'escape' : 'tag'
        i++
        break
      }
    }
    this.depth += i - at
    this.node = node
    if (i < text.length && this.found === 'more') this.endName()
    return i
  }

  private endName(): void {
    this.target = this.node.value
    if (!this.target) this.found = 'text'
    else if (this.escaped) this.found = 'escape'
    else this.phase = 'behind'
  }

  // <action kind="x">
  //        ^^^^^^^^^^
  /** Takes a character; false when it is no part of the tag. */
  private behind(c: number): boolean {
    const { last } = this
    this.last = c
    if (c === this.closer && this.quote === 0) {
      this.empty = last === 47 && !this.closing
      this.found = 'tag'
      return true
    }
    // A tag stands on one line: headers may begin on the next. Where there are none, a closing tag may be broken.
    const space = c === 32 || c === 9 || (this.breaks && this.closing && (c === 10 || c === 13))
    const fits = space || (!this.closing && this.closer === 62 && !isTagStart(c) && c !== 10 && c !== 13)
    if (!fits || ++this.size > LONGEST) {
      this.found = 'text'
      return false
    }
    if (this.quote !== 0) {
      if (c === this.quote) this.quote = 0
    } else if ((c === 34 || c === 39) && last === 61) this.quote = c
    if (!space && c !== 47) this.attributes = true
    return true
  }
}
