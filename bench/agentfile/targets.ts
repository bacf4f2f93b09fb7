import type { Target } from '../targets.ts'

export const targets: Target[] = [
  {
    what: 'parsing and checking 1,000 goals',
    limit: 50,
    unit: ' ms',
    figures: ['read 1,000 goals'],
  },
  {
    what: 'growth of parsing and checking: time ~ size^k, k =',
    limit: 1.1,
    unit: '',
    figures: ['growth of reading'],
  },
  {
    what: 'steps a second in memory, worst workflow',
    least: 2000,
    unit: '/s',
    figures: ['memory, 100 goals in sequence', 'memory, 8 agents × 20 goals'],
  },
  {
    what: 'time of the journal in a file, by that of the disk alone',
    limit: 1.5,
    unit: 'x',
    figures: ['journal, 100 goals in sequence', 'journal, 8 agents × 20 goals'],
  },
]
