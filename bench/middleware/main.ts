import { runBenchmark } from '../benchmark.ts'
import { legible } from './legible.ts'
import { streaming } from './tables/streaming.ts'
import { targets } from './targets.ts'

await runBenchmark({ name: 'middleware', sections: [streaming], targets, built: legible !== undefined })
