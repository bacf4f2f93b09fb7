// A policy of one's own: one look at the tools, then an answer, asked for beside the conversation. Limits, retries,
// events, approval and the journal are the loop's. Offline, unless you name a model:
//
//     npx node examples/own-policy.ts
//     npx node examples/own-policy.ts ollama:qwen3
import { defineAgent, sayResults, textReader } from 'legible/agent'
import { xml } from 'legible/text'
import { defineTool, jsonToolChain } from 'legible/tools'
import { z } from 'zod'

const search = defineTool({
  name: 'search',
  description: 'Finds a line of the almanac',
  input: z.object({ query: z.string() }),
  run: ({ query }) => `${query}: it froze in 1929 and in 1942`,
})

const model = process.argv[2] ?? 'rehearsal'
const format = xml()
const oneLook = defineAgent(
  'one-look',
  { model, tools: [search], limits: { iterations: 6 } },
  async (loop) => {
    const chain = jsonToolChain({ tools: loop.tools })
    loop.say({ role: 'system', content: format.describe([chain]) })
    loop.say({ role: 'user', content: loop.task })
    for (;;) {
      const { read, reply } = await loop.ask((onEvent) => format.createReader([chain], { onEvent }))
      const sections = read.value.sections(chain.name)
      if (sections.length === 0) {
        loop.say({ role: 'assistant', content: reply.text })
        loop.sayIdle('Call a tool.')
        continue
      }
      const result = await loop.call((options) => chain.execute(sections, { ...options, format }))
      sayResults(loop, reply.text, result)
      // What the model did wrong stands in what it was just told.
      if (!result.raw.results.some(Boolean)) continue
      const hint = { type: 'text', text: 'Answer in one sentence, from this alone:' } as const
      const { read: value } = await loop.ask(textReader, {
        messages: [
          { role: 'user', content: loop.task },
          { role: 'user', content: [hint, ...result.toContentParts()] },
        ],
      })
      if (value !== '') return { kind: 'answered', value }
      loop.sayIdle('That led to no answer. Call other tools.')
    }
  },
)

const run = oneLook.start('The harbour of Reykjavik')
for await (const event of run) {
  if (event.type === 'turn-end')
    console.log(`turn ${event.turn}${event.aside ? ', aside' : ''}: ${event.text}`)
  if (event.type === 'call-end') console.log(event.ok ? event.result.text : event.error.message)
}
const outcome = await run.outcome
console.log(outcome.kind, outcome.turns, outcome.calls)
