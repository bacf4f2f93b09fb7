// A value while it is written: every change is told as it happens, and nothing is read twice.
//
//     npx node examples/stream.ts
import { createJsonReader } from 'legible'

const recipe = {
  type: 'object',
  properties: {
    // a title is of no use by halves
    title: { type: 'string', 'x-stream': 'done' },
    minutes: { type: 'integer' },
    steps: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'minutes', 'steps'],
}

/** Stands in for a model. */
async function* model(): AsyncGenerator<string> {
  const reply =
    'Gladly!\n```json\n{"title": "Miso soup", minutes: "15", "steps": ["Heat the stock.", "Stir in the miso."'
  for (let at = 0; at < reply.length; at += 8) yield reply.slice(at, at + 8)
}

const reader = createJsonReader(recipe, {
  onChange(change) {
    const path = change.path.join('.') || '(all)'
    if (change.kind === 'append') console.log(`${path} += ${JSON.stringify(change.text)}`)
    else if (change.done) console.log(`${path} = ${JSON.stringify(change.value)}`)
  },
})
for await (const chunk of model()) reader.push(chunk)

const { ok, complete, issues } = reader.end()
console.log({ ok, complete, issues: issues.map((issue) => issue.code) })
