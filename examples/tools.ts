// A loop by hand: tools and an answer as sections of the reply, in both directions.
//
//     npx node examples/tools.ts
import { defineTool, jsonTermination, suggestRetry, textSection, xml } from 'legible'
import { yamlToolChain } from 'legible/tools'
import { z } from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'The weather of a day',
  input: z.object({ city: z.string(), day: z.date().describe('which day') }),
  run: ({ city, day }) => ({ city, day: day.toISOString().slice(0, 10), celsius: city === 'Tokyo' ? 8 : -3 }),
})

const format = xml()
const thinking = textSection('thinking', 'Think step by step.')
const calls = yamlToolChain({ tools: [weather] })
const answer = jsonTermination(z.object({ warmer: z.string(), by: z.number() }))
const sections = [thinking, calls, answer]

/** Stands in for a model. Its first reply has a mistake in the second call, its third one in the answer. */
const replies = [
  `<thinking>I need both cities.</thinking>
<action>
- tool: weather
  args:
    city: Tokyo
    day: 2026-01-20
- tool: weather
  args:
    city: Oslo
    day: tomorrow
</action>`,
  '<action>tool: weather\nargs: {city: Oslo, day: 2026-01-20}</action>',
  '<answer>{"warmer": "Tokyo", "by": "a lot"}</answer>',
  '<answer>{"warmer": "Tokyo", "by": 11}</answer>',
]
async function ask(message: string): Promise<string> {
  console.log(`──▶ ${message.replaceAll('\n', '\n    ')}\n`)
  const reply = replies.shift() ?? ''
  console.log(`◀── ${reply.replaceAll('\n', '\n    ')}\n`)
  return reply
}

let message = `Is Tokyo or Oslo warmer on January 20th?\n\n${format.describe(sections)}`
for (let turn = 1; turn <= 8; turn++) {
  const read = format.read(await ask(message), sections)
  const [final] = read.ok ? read.value.sections('answer') : []
  if (final) {
    const result = answer.read(final.content, final.inner[0])
    if (result.ok && result.complete && final.complete) {
      console.log(`${result.value.warmer} is warmer by ${result.value.by} degrees`)
      break
    }
    message = suggestRetry(result.issues)
  } else if (read.ok) {
    const observation = await calls.execute(read.value.sections('action'), { format, timeout: 10_000 })
    message = observation.text || 'Call a tool, or answer.'
  } else message = suggestRetry(read.issues)
}
