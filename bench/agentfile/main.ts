import { runBenchmark } from '../benchmark.ts'
import { legible } from './legible.ts'
import { reading } from './tables/reading.ts'
import { replay } from './tables/replay.ts'
import { steps } from './tables/steps.ts'
import { targets } from './targets.ts'

await runBenchmark({
  name: 'agentfile',
  sections: [reading, steps, replay],
  targets,
  built: legible !== undefined,
})
