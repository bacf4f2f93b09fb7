import { objectShape } from '../literal/arguments-of.ts'
import { resolveName } from '../resolve-name.ts'
import { type BodyKind, BodyScan } from './body-scan.ts'
import { CallStates } from './call-states.ts'
import type { TagGrammar } from './tag-grammar.ts'
import { TaggedCall } from './tagged-call.ts'
import { matchTemplate, placeIn } from './template.ts'

const LONGEST_NAME = 200

/** The tag of a call, as it stands in the text. */
export interface CallTag {
  readonly tag: TagGrammar
  readonly name: string
  readonly end: number
  /** `<f/>` */
  readonly empty: boolean
}

/** Within a call: its body as a value, or its arguments in tags. */
export abstract class BodyStates extends CallStates {
  /** The name and id of the call at hand, and where it begins. */
  protected name = ''
  protected id: string | undefined
  protected callStart = 0
  /** The call stands in no place for calls. */
  private bare = false
  private scan: BodyScan | undefined
  private tagged: TaggedCall | undefined

  protected abstract inSection(): boolean
  protected abstract atArguments(): boolean

  /** Begins the body of a call. */
  protected startBody(at: number, kind: BodyKind): true {
    const { cursor, grammar, tools, out } = this
    this.bare = this.state === this.inText
    cursor.moveTo(at)
    if (kind !== 'arguments' && kind !== 'text') this.callStart = cursor.offset
    this.scan = new BodyScan({
      kind,
      cursor,
      grammar,
      tools,
      limits: this.limits,
      memory: this.memory,
      strict: this.bare || this.loose,
      name: this.name,
      id: this.id,
      callStart: this.callStart,
      lateId: grammar.roles.get(this.sectionMark)?.lateId ?? false,
      out,
    })
    this.state = this.inBody
    return true
  }

  private inBody(): boolean {
    const { cursor, bare } = this
    const scan = this.scan as BodyScan
    if (scan.read() === 'wait') return false
    const calls = this.out.withStarted(scan.calls(), cursor.offset)
    this.scan = undefined
    this.id = undefined
    if (calls.length === 0) {
      // A value that is no call is text as a whole: what its strings hold is only quoted.
      const dead = cursor.offset
      if (bare) this.giveUp(this.callStart, Math.max(this.callStart + 1, dead))
      else {
        if (this.had) cursor.goTo(this.callStart)
        this.leave(dead)
      }
      return true
    }
    for (const call of calls) this.found(call)
    this.out.markup(cursor.offset)
    this.state = bare ? this.inText : this.inSection
    return true
  }

  /** The tag of a call that stands at `at`. */
  protected tagAt(at: number, tags: readonly TagGrammar[]): CallTag | 'wait' | undefined {
    const { buf, ending } = this.cursor
    let waits = false
    for (const tag of tags) {
      const found = tag.toolTag
        ? this.toolTagAt(at, tag)
        : tag.call && matchTemplate(tag.call, buf, at, ending)
      if (found === 'wait') waits = true
      else if (found && 'name' in found) return found
      else if (found) {
        const { groups, end } = found
        return { tag, name: placeIn(groups, 'name'), end, empty: /\/\s*$/.test(groups.attributes ?? '') }
      }
    }
    return waits ? 'wait' : undefined
  }

  // <read_file>
  // ^
  private toolTagAt(at: number, tag: TagGrammar): CallTag | 'wait' | undefined {
    const { buf, ending } = this.cursor
    const text = buf.slice(at, at + LONGEST_NAME)
    const found = /^<\s*([^\s<>/]+)\s*(\/?)>/.exec(text)
    if (!found) return !ending && /^<\s*[^\s<>/]*\s*\/?$/.test(text) ? 'wait' : undefined
    const name = found[1] as string
    return this.tools.has(name)
      ? { tag, name, end: at + found[0].length, empty: found[2] === '/' }
      : undefined
  }

  protected openTag(at: number, { tag, name, end, empty }: CallTag): 'taken' {
    const { cursor, tools } = this
    const bare = this.state === this.inText
    if (bare) {
      this.tellText(at)
      this.sectionStart = cursor.base + at
      this.sectionMark = ''
    }
    const start = cursor.base + at
    cursor.moveTo(end)
    if (!empty) this.startTagged(tag, name, start, bare)
    else
      this.found({
        name: resolveName(name, tools),
        arguments: {},
        span: [start, cursor.offset],
        complete: true,
        issues: [],
      })
    return 'taken'
  }

  protected startTagged(tag: TagGrammar, written: string, start: number, bare = false): void {
    const { tools, cursor, grammar, memory, readYaml } = this
    const name = resolveName(written, tools)
    this.name = name
    this.id = undefined
    this.callStart = start
    this.bare = bare
    this.tagged = new TaggedCall({
      cursor,
      tag,
      grammar,
      name,
      start,
      shape: objectShape(tools.shapeOf(name)),
      memory,
      out: this.out.told ? this.out : undefined,
      readYaml: readYaml && ((text) => readYaml(text, name)),
    })
    this.state = this.inTagged
  }

  private inTagged(): boolean {
    const tagged = this.tagged as TaggedCall
    const state = tagged.read()
    if (state === 'wait') return false
    if (state === 'json') {
      this.loose = false
      this.state = this.atArguments
      return true
    }
    this.found(tagged.result())
    this.tagged = undefined
    this.state = this.bare ? this.inText : this.inSection
    if (this.memory.guessed) {
      // Where the call ended is a guess, so that nothing behind it may run.
      this.liveFrom = Number.POSITIVE_INFINITY
      this.state = this.inText
    }
    return true
  }
}
