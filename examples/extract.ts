// A typed value out of a reply: say what is wanted, read what comes, and ask again if it is of no use.
//
//     npx node examples/extract.ts
import { describeSchema, formatCodeFrame, readJson, suggestRetry } from 'legible'
import { z } from 'zod'

const Ticket = z.object({
  title: z.string(),
  priority: z.enum(['low', 'normal', 'high']),
  due: z.date().describe('when it must be done'),
  tags: z.array(z.string()),
})

/** Stands in for a model: the first reply is damaged and has no date, the second is only damaged. */
const replies = [
  `Here you go:\n\n{title: 'Fix the login page', "priority": "HIGH!", "due": "soon", "tags": "web"}`,
  `{title: 'Fix the login page', "priority": "HIGH!", "due": "Jan 23rd, 2026", "tags": "web",}`,
]
async function ask(prompt: string): Promise<string> {
  console.log(`──▶ ${prompt.replaceAll('\n', '\n    ')}\n`)
  return replies.shift() ?? ''
}

let prompt = `Make a ticket of this: "login broken, needs to work by friday!!" Reply with\n${describeSchema(Ticket)}`
for (let attempt = 1; attempt <= 3; attempt++) {
  const reply = await ask(prompt)
  const read = readJson(reply, Ticket)
  for (const issue of read.issues) console.log(formatCodeFrame(reply, issue, { file: `reply ${attempt}` }))
  if (read.ok) {
    console.log('\n', read.value)
    break
  }
  prompt = suggestRetry(read.issues)
  console.log()
}
