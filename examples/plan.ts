// A planning reply: what the model intends, what it plans, which tools it wants to call, and what it thought.
//
//     npx node examples/plan.ts
import { createPlanReader, describePlan, readSynthesis } from 'legible/plan'

console.log(`──▶ When did the harbour freeze?\n\n${describePlan()}\n`)

/** Stands in for a model: labels with stars, a fence, and one call that is of no use. */
const reply = `<think>The almanac should have it.</think>
**Intent:** Find out when the harbour froze.
**Plan:**
1. Search the almanac.
2. Look at the calendar.

**Tool Calls:**
\`\`\`json
[
  {"callId": "1", "toolName": "almanac", "arguments": {"query": "harbour frozen"}},
  {"name": "calendar", "parameters": {"month": "January"}},
  {"callId": "3"}
]
\`\`\``

const reader = createPlanReader({
  onEvent(event) {
    if (event.type === 'section-start') console.log(`◀── ${event.name}`)
  },
})
for (let at = 0; at < reply.length; at += 7) reader.push(reply.slice(at, at + 7))

const { ok, value, issues } = reader.end()
console.log(value)
console.log({ ok, issues: issues.map(({ code, message }) => `${code}: ${message}`) })

console.log(readSynthesis('\n**Final answer:** twice, in 1929 and in 1942.\n', { dropLabel: true }).value)
