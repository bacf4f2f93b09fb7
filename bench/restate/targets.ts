import type { Target } from '../targets.ts'

export const targets: Target[] = [
  {
    what: 'CPU time of many runs at once, by that of the engine alone',
    limit: 2.5,
    unit: 'x',
    figures: ['CPU of many'],
  },
  {
    what: 'time of a run alone, by that of the engine alone',
    limit: 2.5,
    unit: 'x',
    figures: ['time of one'],
  },
]
