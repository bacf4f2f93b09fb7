// A small chat with tools over plain text: what the model says is shown at once, what may become an action is held
// back, and nothing runs that is not explicit, alone and valid.
//
//     npx node examples/reply.ts
import { createReplyReader, describeReply, retryAdvice } from 'legible/reply'
import { createToolRegistry, defineTool } from 'legible/tools'
import { z } from 'zod'

const files = new Map([['README.md', '# legible\nReads what language models write.']])
const tools = createToolRegistry([
  defineTool({
    name: 'fs.read',
    description: 'Reads a file of the repository.',
    input: z.object({ path: z.string().describe('relative to the repository') }),
    run: ({ path }) => files.get(path) ?? 'no such file',
  }),
])

/** Stands in for a model: it forgets the type, then the path, then explains how it is done, and then does it. */
const replies = [
  'Let me look.\n\n{"tool": "fs.read", "args": {"path": "README.md"}}',
  'Sorry!\n\n{"type": "action", "tool": "fs.read", "args": {"file": "README.md"}}',
  'I would write\n\n```json\n{"type": "action", "tool": "fs.read", "args": {"path": "README.md"}}\n```',
  '<think>Without the fence.</think>Now, really:\n\n{"type": "action", "tool": "fs.read", "args": {"path": "README.md"}}',
  'It says: "Reads what language models write."',
]
async function* ask(prompt: string): AsyncGenerator<string> {
  console.log(`──▶ ${prompt.replaceAll('\n', '\n    ')}`)
  const reply = replies.shift() ?? ''
  for (let at = 0; at < reply.length; at += 6) yield reply.slice(at, at + 6)
}

let prompt = `What does README.md say?\n\n${describeReply(tools)}`
for (let turn = 0; turn < 8; turn++) {
  const reader = createReplyReader({
    tools,
    callsBefore: turn,
    onEvent(event) {
      if (event.type === 'text-delta') process.stdout.write(event.text)
      if (event.type === 'action-start') process.stdout.write(' (an action …)')
    },
  })
  for await (const chunk of ask(prompt)) reader.push(chunk)
  const read = reader.end()
  process.stdout.write('\n')
  const advice = retryAdvice(read)
  if (advice.retry) {
    console.log(`    ${advice.reason}: ${read.issues.map((issue) => issue.code).join(', ')}`)
    prompt = advice.message
  } else if (read.ok && read.value.type === 'action') {
    const { call } = read.value
    const signal = new AbortController().signal
    const output = await tools
      .get(call.name)
      ?.run(call.arguments, { signal, callId: call.id, idempotencyKey: call.id, context: undefined })
    prompt = `${call.name} gave:\n${String(output)}`
  } else break
}
