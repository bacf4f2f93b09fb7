import type { Path } from '../../agentfile/run/workflow-event.ts'
import { StreamTail } from './stream-tail.ts'

/** `stopped`: the run ended before it did. `unconverged`: it came to its limit, and its last version counts. */
export type NodeState = 'active' | 'waiting' | 'done' | 'unconverged' | 'failed' | 'stopped'

/**
 * `heading`: a run or a round, above its goals. `group`: a version of a goal, or another try. `note`: something that was
 * said.
 */
export type NodeKind = 'heading' | 'goal' | 'group' | 'worker' | 'note'

/** A line of the tree, with those below it. */
export interface RunNode {
  readonly kind: NodeKind
  readonly path: Path
  readonly label: string
  readonly started: number
  readonly children: RunNode[]
  state: NodeState
  ended: number | undefined
  tokens: number
  calls: number
  /** What it gave, or why it did not. */
  gave: string
  /** What it does: a call, or waiting for the provider. Until it writes on. */
  doing: string
  tail: StreamTail
  /** How it is done, while there is nothing else to say. */
  plan: string
  /** It came to its limit. */
  isUnconverged: boolean
  /** Somebody could see it at work. */
  wasSeen: boolean
}

export const createNode = (
  kind: NodeKind,
  path: Path,
  label: string,
  started: number,
  state: NodeState = 'active',
): RunNode => ({
  kind,
  path,
  label,
  started,
  children: [],
  state,
  ended: state === 'active' ? undefined : started,
  tokens: 0,
  calls: 0,
  gave: '',
  doing: '',
  tail: new StreamTail(),
  plan: '',
  isUnconverged: false,
  wasSeen: false,
})

/** What waits when the run ends is over, too. */
export const isOver = ({ ended }: RunNode): boolean => ended !== undefined

/** One that works waits when all below it that work do. */
export function stateOf(node: RunNode): NodeState {
  if (node.state !== 'active') return node.state
  const atWork = node.children.filter((child) => !isOver(child))
  return atWork.length > 0 && atWork.every((child) => stateOf(child) === 'waiting') ? 'waiting' : 'active'
}

/** It ends, and all below it that did not. */
export function endNode(node: RunNode, state: NodeState, now: number): void {
  for (const child of node.children)
    if (!isOver(child)) endNode(child, state === 'done' ? 'done' : 'stopped', now)
  node.state = state
  node.ended = now
  node.doing = ''
  node.tail = new StreamTail()
}
