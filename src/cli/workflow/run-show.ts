import type { RunView } from '../run-view/run-view.ts'

/** How a run is shown while it is carried out: a tree, lines, or events for programs. */
export type RunShow = Pick<RunView, 'show' | 'end' | 'close'>
