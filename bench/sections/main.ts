import { runBenchmark } from '../benchmark.ts'
import { legible } from './legible.ts'
import { formats } from './tables/formats.ts'
import { growth } from './tables/growth.ts'
import { heap } from './tables/heap.ts'
import { streaming } from './tables/streaming.ts'
import { targets } from './targets.ts'

await runBenchmark({
  name: 'sections',
  sections: [streaming, formats, growth, heap],
  targets,
  built: legible !== undefined,
})
