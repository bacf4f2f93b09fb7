import { isOver, type RunNode } from './run-node.ts'

/** A line of the tree before it is fitted into a window. */
export interface TreeRow {
  /** `│  ├─ ` */
  readonly lead: string
  /** Absent: `more` lines that are not shown. */
  readonly node?: RunNode
  readonly more?: number
}

/** An entry with all below it, as it is printed for good. */
export const rowsOf = (entry: RunNode, isLast: boolean): TreeRow[] => [
  { lead: entry.kind === 'heading' ? '├╴' : isLast ? '└─ ' : '├─ ', node: entry },
  ...rowsBelow(entry.children, isLast ? '   ' : '│  '),
]

const rowsBelow = (nodes: readonly RunNode[], indent: string): TreeRow[] =>
  nodes.flatMap((node, i) => {
    const isLast = i === nodes.length - 1
    return [
      { lead: `${indent}${isLast ? '└─ ' : '├─ '}`, node },
      ...rowsBelow(node.children, `${indent}${isLast ? '   ' : '│  '}`),
    ]
  })

/** What is shown of a run that goes on. */
export interface Frame {
  /** So many entries are to be printed for good first: there is no room for them, and nothing about them will change. */
  readonly settled: number
  readonly rows: readonly TreeRow[]
}

/**
 * As much of the tree as fits: finished goals give up what is below them, then leave, oldest first. Of a goal that is too
 * large by itself, those who work are shown.
 */
export function frameOf(entries: readonly RunNode[], room: number): Frame {
  const sizes = entries.map((entry) => (isOver(entry) && !entry.wasSeen ? 1 : sizeOf(entry)))
  let total = sizes.reduce((sum, size) => sum + size, 0)
  const settles = settledEntries(entries)
  for (let i = 0; i < settles && total > room; i++) {
    total -= (sizes[i] as number) - 1
    sizes[i] = 1
  }
  let settled = 0
  while (settled < settles && total > room) {
    settled++
    total--
  }
  const rows = entries.slice(settled).flatMap((entry, i, rest) => {
    const all = rowsOf(entry, i === rest.length - 1)
    return sizes[settled + i] === 1 ? all.slice(0, 1) : all
  })
  return { settled, rows: rows.length > room ? squeeze(rows, room) : rows }
}

/** How many from the first on are over and have another behind them, so that their lines will stay as they are. */
export function settledEntries(entries: readonly RunNode[]): number {
  const open = entries.findIndex((entry) => !isOver(entry))
  const over = open < 0 ? entries.length - 1 : open
  // A heading stays with its first goal.
  return entries[over - 1]?.kind === 'heading' ? over - 1 : Math.max(0, over)
}

const sizeOf = (node: RunNode): number => node.children.reduce((sum, child) => sum + sizeOf(child), 1)

function squeeze(rows: readonly TreeRow[], room: number): TreeRow[] {
  const atWork = rows.filter(({ node }) => node && !isOver(node))
  const chosen = atWork.length > 0 ? atWork : rows
  if (room <= 1) return chosen.slice(0, 1)
  const kept = chosen.slice(0, room - 1)
  return [...kept, { lead: '└─ ', more: rows.length - kept.length }]
}
