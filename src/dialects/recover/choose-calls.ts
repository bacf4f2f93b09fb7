import type { Span } from '../../core/span.ts'
import type { KnownTools } from '../known-tools.ts'
import { answerEnd } from './answer-end.ts'
import type { Candidate } from './find-calls.ts'
import { isGlue } from './is-glue.ts'
import { isExample, isSignature } from './is-shown.ts'
import { withoutLoop } from './without-loop.ts'

/** Calls with nothing but glue between them. */
interface Block {
  readonly calls: readonly Candidate[]
  readonly span: Span
  /** Nothing else stands on its lines. */
  readonly alone: boolean
  /** Its calls are written as calls, not as values. */
  readonly called: boolean
}

/** How far around a block is looked at. */
const NEAR = 200

/** Of all that is written like a call, what the reply asks for. */
export function chooseCalls(text: string, candidates: readonly Candidate[], tools: KnownTools): Candidate[] {
  const real = candidates.filter((one) => !isSignature(text, one, tools.shapeOf(one.name)))
  const first = real[0]
  if (!first) return []
  const end = answerEnd(text, ...first.span)
  const answer = real.filter(({ span }) => span[0] < end)
  const blocks = blocksOf(text, answer).filter(({ span }) => !isExample(text, span[0]))
  // What stands on lines of its own is meant; then the same within prose only explains it.
  const alone = blocks.filter((block) => block.alone)
  const live = alone.length > 0 ? alone : blocks
  const kept: Candidate[] = []
  const seen = new Set<string>()
  for (const block of live) {
    // What is written in another way explains what was said before, or is its result.
    if (block.called !== live[0]?.called) continue
    for (const list of listsOf(text, block.calls)) {
      const keys = list.map(keyOf)
      // The same list once more: the model repeats its answer.
      if (keys.every((key) => seen.has(key))) continue
      const closed = /^['"`\s]*\]/.test(text.slice(list[list.length - 1]?.span[1], block.span[1] + NEAR))
      for (const index of withoutLoop(keys, closed)) kept.push(list[index] as Candidate)
      for (const key of keys) seen.add(key)
    }
  }
  return kept
}

const keyOf = ({ name, arguments: args }: Candidate) => `${name}${JSON.stringify(args)}`

function blocksOf(text: string, calls: readonly Candidate[]): Block[] {
  const groups: Candidate[][] = []
  let end = 0
  for (const call of calls) {
    const group = groups[groups.length - 1]
    if (group && isGlue(text.slice(end, call.span[0]))) group.push(call)
    else groups.push([call])
    end = Math.max(end, call.span[1])
  }
  return groups.map((group) => blockOf(text, group))
}

function blockOf(text: string, calls: readonly Candidate[]): Block {
  const start = calls[0]?.span[0] ?? 0
  const end = calls.reduce((last, call) => Math.max(last, call.span[1]), start)
  const above = text.slice(Math.max(0, start - NEAR), start)
  const below = text.slice(end, end + NEAR)
  const before = above.slice(above.lastIndexOf('\n') + 1)
  const after = below.includes('\n') ? below.slice(0, below.indexOf('\n')) : below
  return { calls, span: [start, end], alone: isGlue(before) && isGlue(after), called: !!calls[0]?.args }
}

/** The calls of each list: a bracket that closes stands between one and the next. */
function listsOf(text: string, calls: readonly Candidate[]): Candidate[][] {
  const lists: Candidate[][] = []
  let end = 0
  for (const call of calls) {
    const list = lists[lists.length - 1]
    if (list && !text.slice(end, call.span[0]).includes(']')) list.push(call)
    else lists.push([call])
    end = Math.max(end, call.span[1])
  }
  return lists
}
