// Whole loops over real HTTP: the real provider packages on one side, the rehearsal server on the other.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentOptions, chat, planExecute, react } from '../src/agent/index.ts'
import { createRehearsalServer } from '../src/cli/rehearsal-server/create-rehearsal-server.ts'
import { rehearsalModels } from '../src/cli/rehearsal-server/rehearsal-models.ts'
import { legible, loadModel } from '../src/model/index.ts'
import { defineTool } from '../src/tool/index.ts'

let server: Server
let requests: string[] = []
let address = ''
beforeAll(async () => {
  server = createRehearsalServer(rehearsalModels({ seed: 2 }))
  server.on('request', ({ method, url }) => requests.push(`${method} ${url}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

/** The model by a name that the user would write. */
const named: Record<string, (name: string) => ReturnType<typeof loadModel>> = {
  'a base URL': (name) => loadModel(`http://${address}/v1#${name}`, { env: {} }),
  ollama: (name) => loadModel(`ollama:${name}`, { env: { OLLAMA_HOST: address } }),
  openai: (name) =>
    loadModel(`openai:${name}`, { env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `http://${address}/v1` } }),
}

const ran: string[] = []
const search = defineTool({
  name: 'search',
  description: 'Searches the web.',
  input: z.object({ query: z.string() }),
  run({ query }) {
    ran.push(query)
    return `found ${query}`
  },
})
const agents = {
  react: (options: AgentOptions) => react(options),
  'plan-execute': (options: AgentOptions) => planExecute(options),
  chat: (options: AgentOptions) => chat(options),
  'chat with calls of the provider': (options: AgentOptions) => chat({ ...options, native: true }),
}

for (const [provider, load] of Object.entries(named))
  describe(provider, () => {
    for (const [policy, make] of Object.entries(agents))
      test.each(['rehearsal', 'rehearsal+reasoning+example', 'rehearsal+break', 'rehearsal+truncated'])(
        `${policy} on %s`,
        async (name) => {
          ran.length = 0
          requests = []
          const model = await load(name)
          const outcome = await make({ model, tools: [search], backoff: 1 }).start('What is new in Tokyo?')
            .outcome
          expect(outcome.kind).toBe('answered')
          expect(ran).toHaveLength(1)
          expect(ran[0]).not.toContain('EXAMPLE')
          expect(outcome.usage.input).toBeGreaterThan(0)
          expect(new Set(requests)).toEqual(new Set(['POST /v1/chat/completions']))
          expect(requests.length).toBeGreaterThanOrEqual(outcome.turns)
        },
      )

    test('the middleware gives tools to a model that has none', async () => {
      const model = wrapLanguageModel({
        model: await load('rehearsal'),
        middleware: legible({ dialect: 'hermes' }),
      })
      const asked: unknown[] = []
      const { text, steps } = await generateText({
        model,
        prompt: 'What is new in Tokyo?',
        tools: {
          search: tool({
            description: 'Searches the web.',
            inputSchema: z.object({ query: z.string() }),
            execute(input) {
              asked.push(input)
              return 'found it'
            },
          }),
        },
        stopWhen: isStepCount(5),
      })
      expect(asked).toHaveLength(1)
      expect(steps.length).toBeGreaterThan(1)
      expect(text).toContain('rehearsal')
    })
  })

test('a server that dies for good is an outcome, with what had arrived', async () => {
  const dying = createRehearsalServer(rehearsalModels({ delay: 5 }))
  await new Promise<void>((resolve) => dying.listen(0, '127.0.0.1', resolve))
  const { port } = dying.address() as AddressInfo
  const model = await loadModel(`http://127.0.0.1:${port}/v1#rehearsal`, { env: {} })
  const run = react({ model, tools: [search], backoff: 1 }).start('What is new in Tokyo?')
  for await (const event of run) {
    if (event.type !== 'section-delta') continue
    dying.close()
    dying.closeAllConnections()
  }
  const outcome = await run.outcome
  expect(outcome).toMatchObject({ kind: 'failed', error: { retryable: true } })
  expect(outcome.kind === 'failed' && outcome.error.message).toMatch(/connect|socket|terminated|closed/i)
})
