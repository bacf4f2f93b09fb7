// A service of somebody's own, that runs agents on the engine. It is started as a process, and killed.
// Arguments: the port, the model, a file for what tools do.
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http2'
import { setTimeout } from 'node:timers/promises'
import { type Context, createEndpointHandler, service } from '@restatedev/restate-sdk'
import { defineAgent } from '../../src/agent/define-agent.ts'
import { planExecute } from '../../src/agent/plan-execute.ts'
import { react } from '../../src/agent/react.ts'
import { textReader } from '../../src/agent/text-reader.ts'
import { restateJournal } from '../../src/durable/restate/restate-journal.ts'
import { xml } from '../../src/text/xml.ts'
import { defineTool } from '../../src/tool/define-tool.ts'
import { jsonToolChain } from '../../src/tool/json-tool-chain.ts'

const [port = '', model = '', file = ''] = process.argv.slice(2)

/** Tells that it ran, with the key that it was given. How long it takes has nothing to do with the order of the calls. */
const slow = defineTool({
  name: 'slow',
  description: 'Waits.',
  input: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  run: async ({ ms }, { idempotencyKey }) => {
    appendFileSync(file, `begin ${ms} ${idempotencyKey}\n`)
    await setTimeout(ms as number)
    appendFileSync(file, `end ${ms} ${idempotencyKey}\n`)
    return `waited ${ms}`
  },
})

/** Six calls at once, each with a rule that takes its time: steps of several calls come in between each other. */
const batch = defineAgent(
  'batch',
  { model, tools: [slow], approval: { slow: rule }, concurrency: 3 },
  async (loop) => {
    const chain = jsonToolChain({ tools: loop.tools })
    loop.say({ role: 'user', content: loop.task })
    await loop.ask(textReader)
    const calls = [400, 20, 300, 10, 200, 30].map((ms, i) => ({
      id: `c${i}`,
      name: 'slow',
      arguments: { ms },
    }))
    const result = await loop.call((options) => chain.run(calls, { ...options, format: xml() }))
    loop.say({ role: 'user', content: 'And now?' })
    const { read } = await loop.ask(textReader)
    return { kind: 'answered', value: [...result.raw.results.map((one) => String(one?.output)), read] }
  },
)

async function rule(): Promise<'allow'> {
  await setTimeout(Math.random() * 20)
  return 'allow'
}

const agents = {
  batch,
  react: react({ model, tools: [slow] }),
  plan: planExecute({ model, tools: [slow] }),
}

const loops = service({
  name: 'loops',
  handlers: {
    run: async (ctx: Context, { agent, task }: { agent: keyof typeof agents; task: string }) => {
      const run = agents[agent].start(task, { journal: restateJournal(ctx) })
      const { kind, turns, calls, ...rest } = await run.outcome
      return { kind, turns, calls, value: 'value' in rest ? rest.value : null }
    },
    waits: async (ctx: Context, ms: number) => {
      const journal = restateJournal(ctx)
      await journal.sleep('pause', ms)
      return journal.signal('word', { timeoutMs: 10 })
    },
  },
})

createServer(createEndpointHandler({ services: [loops], logger: () => {} })).listen(
  Number(port),
  '127.0.0.1',
  () => process.stdout.write('it listens\n'),
)
