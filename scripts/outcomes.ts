// `npm run outcomes`: plays every agent on the rehearsal model with every damage, and writes docs/outcomes.md.
import { writeFileSync } from 'node:fs'
import { playAll, policies, seeds, tableOf } from '../tests/agent-outcomes.ts'
import { root } from './entries.ts'

const text = `# What agents come to

Every policy runs in every format, with every chain, on the rehearsal model, which damages each of its replies in one way
(see [rehearsal](guide/rehearsal.md)). Each cell is ${seeds.length} runs with different seeds: how many were answered, and what the others came
to. Whatever the cell says, in every one of the runs: nothing hangs, no call is lost, none runs twice, and none runs that
was only shown as an example. \`tests/agent-outcomes.test.ts\` says so for each run; \`npm run outcomes\` writes this page.

${tableOf(await playAll())}

\`mixed\` lets several damages meet in one reply, and new ones in the next. The model mends a reply that it was told about, as
real models often do: a model that never does ends in a limit, which other tests show.
`
writeFileSync(`${root}/docs/outcomes.md`, text)
console.log(`docs/outcomes.md: ${policies.size} rows`)
