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

\`mixed\` lets several damages meet in one reply, and new ones in the next. A run in which three replies in a row bring
nothing ends with \`limit: idle\`: that is the limit doing its work.
`
writeFileSync(`${root}/docs/outcomes.md`, text)
console.log(`docs/outcomes.md: ${policies.size} rows`)
