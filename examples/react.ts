// An agent that thinks, calls tools, and gives a typed answer. Offline, unless you name a model:
//
//     npx node examples/react.ts
//     npx node examples/react.ts ollama:qwen3
import { react } from 'legible/agent'
import { defineTool } from 'legible/tools'
import { z } from 'zod'

const books = new Map([
  ['Lights of the North', 1998],
  ['The Keeper of Fiskebøl', 2011],
])
const search = defineTool({
  name: 'search',
  description: 'Lists the books of the library about something',
  input: z.object({ query: z.string().describe('a word or two') }),
  run: ({ query }) => `about ${query}: ${[...books.keys()].join(', ')}`,
})
const year = defineTool({
  name: 'year',
  description: 'When a book was published',
  input: z.object({ title: z.string() }),
  run: ({ title }) => books.get(title) ?? 'the library does not have it',
})

const agent = react({
  model: process.argv[2] ?? 'rehearsal',
  tools: [search, year],
  answer: z.object({ summary: z.string(), titles: z.array(z.string()) }),
  limits: { iterations: 8 },
})

const run = agent.start('Lighthouses')
for await (const event of run) {
  switch (event.type) {
    case 'turn-start':
      console.log(`turn ${event.turn}`)
      break
    case 'section-delta':
      if (event.name === 'thinking') process.stdout.write(event.text)
      break
    case 'section-end':
      if (event.name === 'thinking') process.stdout.write('\n')
      break
    case 'call-start':
      console.log(`  ${event.call.name} ${JSON.stringify(event.call.arguments)}`)
      break
    case 'call-end':
      console.log(event.ok ? `  ▸ ${event.result.text}` : `  ✗ ${event.error.message}`)
      break
    case 'turn-idle':
    case 'turn-retry':
      console.log(`  … ${event.type === 'turn-idle' ? event.reason : event.error.message}`)
      break
  }
}

const outcome = await run.outcome
if (outcome.kind === 'answered') console.log(outcome.value)
else console.log(`no answer: ${outcome.kind}`)
console.log(`${outcome.turns} turns, ${outcome.calls} calls`)
