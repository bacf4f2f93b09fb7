import { runBenchmark } from '../benchmark.ts'
import { legible } from './legible.ts'
import { bfcl } from './tables/bfcl.ts'
import { dialects } from './tables/dialects.ts'
import { many } from './tables/many.ts'
import { streaming } from './tables/streaming.ts'
import { targets } from './targets.ts'

await runBenchmark({
  name: 'calls',
  // What is timed against the peer comes first: after all the cases its hermes protocol takes some four times as long.
  sections: [streaming, many, dialects, bfcl],
  targets,
  built: legible !== undefined,
})
