import type { Effort } from './measure.ts'

/** One run of the benchmark: how much effort it may make, and what it has found so far. */
export interface Run {
  effort: Effort
  quick: boolean
  /** Says what is about to be read, so that a reading that does not end can be named. */
  verbose: boolean
  /** CPU time beyond which one reading is not tried: the cell stays empty. */
  tooLongMs: number
  /** Figures by name, for the table of targets. */
  figures: Map<string, number>
  /** How much is measured, by the names that the benchmark gives. */
  sizes: Readonly<Record<string, number>>
}

export interface Section {
  name: string
  title: string
  /** Measures, and gives the Markdown that shows what it found; undefined where something that it needs is absent. */
  measure: (run: Run) => Promise<string | undefined>
}
