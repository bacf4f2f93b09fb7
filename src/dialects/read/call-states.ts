import type { Issue } from '../../core/issue.ts'
import { defaultLimits, type Limits } from '../../core/limits.ts'
import type { FoundCall } from '../found-call.ts'
import { callIssues } from '../issues.ts'
import type { KnownTools } from '../known-tools.ts'
import { CallCursor } from './call-cursor.ts'
import type { Grammar } from './grammar.ts'
import type { PartsOut } from './parts-out.ts'
import type { ScanMemory } from './scan-memory.ts'

/** Reads on from where the cursor stands; false when it needs more text to tell. */
export type State = () => boolean

/** What a mark turned out to be: plain text, something that was read, or not to be told yet. */
export type Verdict = 'text' | 'taken' | 'wait'

export interface MachineOptions {
  readonly grammar: Grammar
  readonly tools: KnownTools
  readonly limits?: Limits
  /** The prompt has opened reasoning already. */
  readonly reasoningOpen?: boolean
  /** Reads the arguments of a tool that are written as YAML. */
  readonly readYaml?: ((text: string, tool: string) => unknown) | undefined
}

// Text may be read again where what looked like a call turned out to be none: this many times the text at the most.
const REREADS = 4

/** What all states share: where they stand, what they have read, and how a call begins and ends. */
export abstract class CallStates {
  readonly cursor = new CallCursor()
  readonly issues: Issue[] = []
  complete = true

  protected readonly grammar: Grammar
  protected readonly tools: KnownTools
  protected readonly limits: Limits
  protected readonly readYaml: MachineOptions['readYaml']
  protected readonly out: PartsOut
  protected readonly memory: ScanMemory = {
    rereads: 0,
    guessed: false,
    boundary: { from: 0, at: -1, mark: undefined },
  }
  protected state: State = this.inText
  protected kind: 'content' | 'reasoning' = 'content'
  /** Text outside of calls is reasoning, though its calls are meant: nothing has closed it. */
  protected unclosedReasoning = false
  /** Marks before this offset were tried, and are text. */
  protected liveFrom = 0
  /** A code block around calls is open. */
  protected fenced = false
  /** A call was read since text last stood here. */
  protected had = false
  /** The place for calls at hand: where it begins, its mark, and whether that is an ordinary tag. */
  protected sectionStart = 0
  protected sectionMark = ''
  /** Where the mark itself stands: space before it may belong to the place. */
  private markStart = 0
  protected loose = false
  /** A mark opened the place, and no call was read since. */
  protected fresh = false
  private reread = 0

  constructor(options: MachineOptions, out: PartsOut) {
    this.grammar = options.grammar
    this.tools = options.tools
    this.limits = options.limits ?? defaultLimits
    this.readYaml = options.readYaml
    this.out = out
    if (options.reasoningOpen) this.kind = 'reasoning'
  }

  get steps(): number {
    return this.cursor.steps
  }

  protected abstract inText(): boolean
  /** Hands the text up to `to` on. `waits`: more text may follow it directly. */
  protected abstract tellText(to: number, waits?: boolean): void

  /** Begins a place for calls: `at` its mark, `size` characters long. */
  protected enter(at: number, size: number, loose: boolean): void {
    const { cursor } = this
    this.sectionStart = cursor.offset
    this.markStart = cursor.base + at
    this.sectionMark = cursor.buf.slice(at, at + size)
    this.loose = loose
    this.fresh = true
    this.had = false
    cursor.moveTo(at + size)
  }

  /** Back to the text, with whatever was read so far. `dead`: what stands before it is text as a whole. */
  protected leave(dead = 0): void {
    const { cursor, out, sectionMark, sectionStart } = this
    const markStart = Math.max(sectionStart, this.markStart)
    this.state = this.inText
    if (this.had) {
      this.liveFrom = Math.max(this.liveFrom, dead)
      out.markup(cursor.offset)
      return
    }
    const firm = !this.loose && sectionMark !== ''
    if (firm && cursor.atEnd && cursor.ending) {
      // The text broke off before there was a call.
      this.complete = false
      out.markup(cursor.offset)
      return
    }
    // There was no call: the mark is text like any other.
    if (firm)
      this.issues.push(
        callIssues.issue(
          'unreadable',
          { mark: sectionMark },
          { span: [markStart, markStart + sectionMark.length] },
        ),
      )
    this.giveUp(sectionStart, Math.max(markStart + 1, dead))
  }

  /** What begins at `start` is text after all; from `live` on, marks count again. */
  protected giveUp(start: number, live = start + 1): void {
    const { cursor } = this
    this.reread += cursor.offset - start
    this.liveFrom = this.reread > REREADS * (cursor.offset + 64) ? cursor.offset : live
    this.fenced = false
    cursor.goTo(start)
    this.state = this.inText
  }

  protected found(call: FoundCall): void {
    const path = ['calls', this.out.calls.length]
    if (!call.complete) {
      this.complete = false
      this.issues.push(callIssues.issue('cut_off', { name: call.name }, { span: call.span, path }))
    }
    for (const issue of call.issues) this.issues.push({ ...issue, path })
    this.out.call(call)
    this.had = true
    this.fresh = false
  }
}
