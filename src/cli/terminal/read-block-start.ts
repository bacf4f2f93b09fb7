import { paintOf } from '../paint.ts'

const { dim } = paintOf(true)

/** A fence that is open. */
export interface Fence {
  readonly mark: string
  /** How many signs of a quotation stand before each of its lines. */
  readonly quotes: number
}

export interface LineContext {
  /** The whole line is there. */
  readonly isWhole: boolean
  /** How many signs of a quotation were before this. */
  readonly quotes: number
  readonly fence: Fence | undefined
}

/** What a line begins with: so much of it, shown so, and what comes next. */
export interface BlockStart {
  readonly used: number
  readonly shown: string
  readonly next: 'start' | 'spans' | 'plain'
  readonly isHeading?: boolean
  readonly quotes?: number
  /** What ends the style of the line. */
  readonly closing?: string
  /** The fence that is open from here on. */
  readonly fence?: Fence | undefined
}

/** How far is looked into a line. */
const WINDOW = 200

/** The next sign at the start of a line. Undefined: only what follows can tell. */
export function readBlockStart(line: string, context: LineContext): BlockStart | undefined {
  const view = line.slice(0, WINDOW)
  const isWhole = context.isWhole && line.length < WINDOW
  // What is cut off counts like a line that goes on, but nothing is waited for.
  const canWait = !context.isWhole && line.length < WINDOW
  const { quotes, fence } = context
  const quote = /^ {0,3}>( ?)/.exec(view)
  if (quote && (!fence || quotes < fence.quotes)) {
    if (canWait && quote[0].length === view.length && quote[1] === '') return undefined
    return { used: quote[0].length, shown: `${dim('│')} `, next: 'start', quotes: 1 }
  }
  if (fence && quotes === fence.quotes) return readFenced(view, fence, isWhole, canWait)
  if (canWait && isBeginning.test(view)) return undefined
  // A line outside of the quotation ends what was within it.
  const outside = fence && { fence: undefined }
  const heading = /^ {0,3}#{1,6} /.exec(view)
  if (heading)
    return {
      used: heading[0].length,
      shown: '\x1b[1m',
      next: 'spans',
      isHeading: true,
      closing: '\x1b[22m',
      ...outside,
    }
  const bullet = /^( *)[-*+] /.exec(view)
  if (bullet) return { used: bullet[0].length, shown: `${bullet[1]}• `, next: 'start', ...outside }
  const number = /^ *\d{1,9}[.)] /.exec(view)
  if (number) return { used: number[0].length, shown: number[0], next: 'start', ...outside }
  const opening = /^ *(`{3,}|~{3,})(.*)/.exec(view)
  if (opening) {
    const [, mark, info] = opening as unknown as [string, string, string]
    if (!(mark[0] === '`' && info.includes('`'))) {
      if (canWait) return undefined
      return { ...dimmed, fence: { mark, quotes } }
    }
  }
  return { used: 0, shown: '', next: /^ *\|/.test(view) ? 'plain' : 'spans', ...outside }
}

/** What could still become a sign. */
const isBeginning = /^ *(#{1,6}|[-*+]|\d{1,9}[.)]?|`{1,2}|~{1,2})?$/

const dimmed = { used: 0, shown: '\x1b[2m', closing: '\x1b[22m', next: 'plain' } as const

/** A line within a fence is shown as it is, unless it ends the fence. */
function readFenced(view: string, fence: Fence, isWhole: boolean, canWait: boolean): BlockStart | undefined {
  const [, mark, after] = /^ *([`~]*)( *)$/.exec(view) ?? []
  const sign = fence.mark[0]!
  const canClose =
    mark !== undefined && [...mark].every((each) => each === sign) && (mark !== '' || after === '')
  if (canClose && canWait) return undefined
  if (canClose && isWhole && mark.length >= fence.mark.length) return { ...dimmed, fence: undefined }
  return { used: 0, shown: '', next: 'plain' }
}
