// A conversation with tools, message by message; a person is asked before anything is changed. Offline, unless you name a
// model:
//
//     npx node examples/chat.ts
//     npx node examples/chat.ts ollama:qwen3
import { chat, type Message } from 'legible/agent'
import { defineTool } from 'legible/tools'
import { z } from 'zod'

const notes: string[] = []
const addNote = defineTool({
  name: 'add_note',
  description: 'Writes a note down',
  input: z.object({ text: z.string() }),
  needsApproval: true,
  run: ({ text }) => `note ${notes.push(text)}: ${text}`,
})

const agent = chat({
  model: process.argv[2] ?? 'rehearsal',
  system: 'You keep the notes of the user. Be brief.',
  tools: [addNote],
  // A program with a person in front of it would wait for an answer.
  approve: () => 'allow',
})

/** Stands in for a person who types. */
const lines = ['Milk and bread', 'Thank you. Do not use tools now.']

let history: readonly Message[] = []
for (const line of lines) {
  console.log(`you: ${line}`)
  const run = agent.start(line, { history })
  for await (const event of run) {
    if (event.type === 'text-delta') process.stdout.write(event.text)
    if (event.type === 'turn-end') process.stdout.write('\n')
    if (event.type === 'approval-request') console.log(`  ? ${JSON.stringify(event.request.call.arguments)}`)
    if (event.type === 'call-end') console.log(`  ▸ ${event.ok ? event.result.text : event.error.message}`)
  }
  const outcome = await run.outcome
  if (outcome.kind !== 'answered') console.log(`  (${outcome.kind})`)
  history = outcome.messages
}
console.log(`${notes.length} note, ${history.length} messages`)
