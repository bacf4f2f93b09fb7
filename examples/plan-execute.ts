// An agent that plans all its calls, makes them, and sums up. Offline, unless you name a model:
//
//     npx node examples/plan-execute.ts
//     npx node examples/plan-execute.ts ollama:qwen3
import { planExecute } from 'legible/agent'
import { defineTool } from 'legible/tools'
import { z } from 'zod'

const search = defineTool({
  name: 'search',
  description: 'Finds a page of the almanac',
  input: z.object({ query: z.string() }),
  run: ({ query }) => `the page about ${query}`,
})
const read = defineTool({
  name: 'read',
  description: 'Reads a page of the almanac',
  input: z.object({ page: z.string() }),
  run: ({ page }) => `it froze in 1929 and in 1942 (${page})`,
})

const agent = planExecute({
  model: process.argv[2] ?? 'rehearsal:seed=21',
  tools: [search, read],
  limits: { iterations: 6, calls: 20 },
})

const marks = { waiting: '·', ready: '○', running: '◐', done: '●', failed: '✗', skipped: '–' }
const run = agent.start('When did the harbour of Reykjavik freeze?')
for await (const event of run) {
  if (event.type === 'section-start' && event.name === 'Plan') console.log('it plans')
  if (event.type === 'plan')
    for (const { call, status, why } of event.steps)
      console.log(`  ${marks[status]} ${call.name} ${JSON.stringify(call.arguments)} ${why ?? ''}`.trimEnd())
  if (event.type === 'call-start') console.log(`it calls ${event.call.name}`)
  if (event.type === 'text-delta') process.stdout.write(event.text)
}
process.stdout.write('\n')

const outcome = await run.outcome
if (outcome.kind === 'unfinished') console.log(outcome.reason)
console.log(`${outcome.kind}: ${outcome.turns} turns, ${outcome.calls} calls`)
