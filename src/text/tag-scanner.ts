import { foldCharacter, foldName, type NameTable } from './name-table.ts'

/** What a tag of a name is. `reserved`: none, but text with this name is written with a backslash. */
export interface TagTarget {
  readonly kind: 'section' | 'reasoning' | 'reserved'
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
  /** The text of the tag as far as it was read, and where it began. */
  text = ''
  start = 0
  /** What was found: `more`: not known yet; `escape`: a name with a backslash before it. */
  found: 'more' | 'text' | 'tag' | 'escape' = 'text'
  target: TagTarget | undefined
  closing = false
  empty = false
  attributes = false

  private readonly table: NameTable<TagTarget>
  private phase: 'slashes' | 'name' | 'behind' = 'slashes'
  private escaped = false
  private token = ''
  private closer = 62
  private quote = 0
  private last = 0
  private size = 0

  constructor(table: NameTable<TagTarget>) {
    this.table = table
  }

  /** `written`: for writing, where every name counts as escaped. */
  begin(c: number, start: number, written = false): void {
    this.text = String.fromCharCode(c)
    this.start = start
    this.found = 'more'
    this.phase = 'slashes'
    this.token = c === 60 ? '' : '◁'
    this.closer = c === 60 ? 62 : 0x25b7
    this.closing = this.empty = this.attributes = false
    this.escaped = written
    this.quote = this.last = this.size = 0
    this.target = undefined
  }

  /** Reads on from `at`; gives the place behind what was read. */
  feed(text: string, at: number): number {
    let i = at
    while (i < text.length && this.found === 'more') if (this.next(text.charCodeAt(i))) i++
    this.text += i - at === text.length ? text : text.slice(at, i)
    return i
  }

  /** The text ends within the tag. */
  end(): void {
    this.target ??= this.table.get(this.token)
    this.found = this.escaped && this.target ? 'escape' : 'text'
  }

  /** Whether it may be a closing tag that was cut off. */
  couldClose(target: TagTarget): boolean {
    return this.closing && !this.escaped && target.key.startsWith(this.token)
  }

  /** Takes a character; false when the tag ends before it. */
  private next(c: number): boolean {
    if (this.phase === 'behind') return this.behind(c)
    if (this.phase === 'slashes') {
      // <\\/action>
      //  ^^^
      if (c === 92 && !this.closing) {
        this.escaped = true
        return true
      }
      if (c === 47 && !this.closing) {
        this.closing = true
        return true
      }
      this.phase = 'name'
    }
    // <action>
    //  ^^^^^^
    if (!isNameEnd(c)) {
      this.token += foldCharacter(c)
      if (!this.table.begins(this.token)) this.found = 'text'
      return this.found === 'more'
    }
    this.target = this.table.get(this.token)
    if (!this.target) this.found = 'text'
    else if (this.escaped) this.found = 'escape'
    else this.phase = 'behind'
    return false
  }

  // <action kind="x">
  //        ^^^^^^^^^^
  private behind(c: number): boolean {
    const { last } = this
    this.last = c
    if (c === this.closer && this.quote === 0) {
      this.empty = last === 47 && !this.closing
      this.found = 'tag'
      return true
    }
    // A tag stands on one line: headers may begin on the next.
    const space = c === 32 || c === 9
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
