import { runBenchmark } from '../benchmark.ts'
import { legible } from './legible.ts'
import { tokens } from './tables/tokens.ts'
import { turns } from './tables/turns.ts'
import { targets } from './targets.ts'

await runBenchmark({ name: 'agents', sections: [turns, tokens], targets, built: legible !== undefined })
