import { runBenchmark } from '../benchmark.ts'
import { legible } from './legible.ts'
import { clean } from './sections/clean.ts'
import { damaged } from './sections/damaged.ts'
import { growth } from './sections/growth.ts'
import { heap } from './sections/heap.ts'
import { streaming } from './sections/streaming.ts'
import { targets } from './targets.ts'

await runBenchmark({
  name: 'json',
  sections: [clean, damaged, streaming, growth, heap],
  targets,
  built: legible !== undefined,
})
