import { runBenchmark } from '../benchmark.ts'
import { legible } from './legible.ts'
import { kept } from './tables/kept.ts'
import { queued } from './tables/queued.ts'
import { workers } from './tables/workers.ts'
import { targets } from './targets.ts'

// Whoever breaks it off leaves no engine behind: what was started ends with this process.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

await runBenchmark({
  name: 'restate',
  sections: [queued, kept, workers],
  targets,
  built: legible !== undefined,
  sizes: { runs: { thorough: 1000, hasty: 100 }, alone: { thorough: 30, hasty: 10 } },
})
