import type { Run } from '../run.ts'
import { floor, ourRuns } from './contenders.ts'
import type { Legible } from './legible.ts'
import { measureAlone } from './measure-alone.ts'
import { measureQueue, type Queue } from './measure-queue.ts'

export interface Figures extends Queue {
  /** Milliseconds of a run that has the engine for itself. */
  readonly aloneMs: number
}

export interface Both {
  readonly ours: Figures
  readonly floor: Figures
}

export const WORKERS = 2

let measured: Promise<Both> | undefined

/** The same load for both; several tables show parts of it. */
export function bothOf(run: Run, library: Legible): Promise<Both> {
  measured ??= measureBoth(run, library)
  return measured
}

async function measureBoth({ sizes }: Run, library: Legible): Promise<Both> {
  const { runs = 0, alone = 0 } = sizes
  const us = ourRuns(library)
  const ours = await measureQueue(us, runs, WORKERS)
  const them = floor(ours.kept)
  const theirs = await measureQueue(them, runs, WORKERS)
  const [ourMs = Number.NaN, theirMs = Number.NaN] = await measureAlone([us, them], alone, WORKERS)
  return { ours: { ...ours, aloneMs: ourMs }, floor: { ...theirs, aloneMs: theirMs } }
}
