// The examples of the specification, byte for byte where it shows prompts and variables, over real HTTP: what a server gets
// is what is compared.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createWorkflow } from '../src/agentfile/run/create-workflow.ts'
import { programOf } from '../src/agentfile/run/program.ts'
import type { WorkflowOptions } from '../src/agentfile/run/workflow-options.ts'
import type { Agentfile } from '../src/agentfile/syntax/agentfile.ts'
import { readAgentfile } from '../src/agentfile/syntax/read-agentfile.ts'

interface Asked {
  readonly role: string
  readonly content: string
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server with the API of OpenAI that answers by a function of the last message. */
async function serve(answer: (asked: readonly Asked[]) => string) {
  const requests: Asked[][] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { messages } = JSON.parse(body) as { messages: Asked[] }
    requests.push(messages)
    const text = answer(messages)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, finish: string | null = null) =>
      response.write(
        `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      )
    for (const piece of text.match(/.{1,7}/gs) ?? []) send({ content: piece })
    send({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const { port } = server.address() as AddressInfo
  return { requests, model: `http://127.0.0.1:${port}/v1#any` }
}

function workflow(text: string, options: WorkflowOptions) {
  const read = readAgentfile(text)
  expect(read.issues.filter(({ severity }) => severity === 'error')).toEqual([])
  return createWorkflow(programOf(read.value as Agentfile), options)
}

const userOf = (asked: readonly Asked[]) => asked.findLast(({ role }) => role === 'user')!.content
const systemOf = (asked: readonly Asked[]) => asked.find(({ role }) => role === 'system')?.content

test('a simple goal: the prompt, then the fields', async () => {
  const { model, requests } = await serve(
    () => '{"current_state": "old", "opportunities": ["a", "b"], "priority": 1}',
  )
  const run = workflow(
    `NAME assess-code
INPUT path
INPUT focus DEFAULT "speed"
GOAL assess "Assess code at $path for $focus" -> current_state, opportunities, priority
RUN main USING assess`,
    { model },
  )
  const outcome = await run.start({ path: 'src' }).outcome
  expect(requests).toHaveLength(1)
  expect(requests[0]).toEqual([
    {
      role: 'user',
      content: `Assess code at src for speed

Respond with a JSON object containing:
- current_state
- opportunities
- priority`,
    },
  ])
  expect(outcome.kind).toBe('completed')
  expect(outcome.variables).toEqual({
    path: 'src',
    focus: 'speed',
    current_state: 'old',
    opportunities: ['a', 'b'],
    priority: 1,
  })
})

describe('a goal with agents', () => {
  const text = `NAME analysis
INPUT topic
AGENT researcher "Research $topic" -> findings, sources
AGENT critic "Find biases in $topic" -> issues, concerns
GOAL analyze "Analyze $topic" -> summary, recommendations USING researcher, critic
RUN main USING analyze`
  const answer = (asked: readonly Asked[]): string => {
    if (systemOf(asked) === 'Research AI') return '{"findings": "many", "sources": ["a.org"]}'
    if (systemOf(asked) === 'Find biases in AI')
      return 'Sure!\n```json\n{"issues": "some", "concerns": ["c"]}\n```'
    return '{"summary": "S", "recommendations": ["R"]}'
  }

  test('each agent is asked for its own fields, and the synthesis for those of the goal', async () => {
    const { model, requests } = await serve(answer)
    const outcome = await workflow(text, { model }).start({ topic: 'AI' }).outcome
    expect(requests).toHaveLength(3)
    const by = (system: string) => requests.find((asked) => systemOf(asked) === system)!
    expect(userOf(by('Research AI'))).toBe(
      'Analyze AI\n\nRespond with a JSON object containing:\n- findings\n- sources',
    )
    expect(userOf(by('Find biases in AI'))).toBe(
      'Analyze AI\n\nRespond with a JSON object containing:\n- issues\n- concerns',
    )
    expect(requests[2]).toEqual([
      { role: 'system', content: 'Analyze AI' },
      {
        role: 'user',
        content: `You have received outputs from multiple agents:

## researcher
- findings: many
- sources: ["a.org"]

## critic
- issues: some
- concerns: ["c"]

Synthesize these into:
- summary
- recommendations

Respond as JSON.`,
      },
    ])
    expect(outcome.variables).toEqual({ topic: 'AI', summary: 'S', recommendations: ['R'] })
  })

  test('the same inputs give the same bytes', async () => {
    const bytes = async () => {
      const { model, requests } = await serve(answer)
      await workflow(text, { model }).start({ topic: 'AI' }).outcome
      return requests.map((asked) => JSON.stringify(asked)).sort()
    }
    expect(await bytes()).toEqual(await bytes())
  })

  test('agents work at the same time, within the limit', async () => {
    let open = 0
    let most = 0
    const server = createServer((request, response) => {
      most = Math.max(most, ++open)
      request.resume()
      setTimeout(() => {
        open--
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const delta = {
          content:
            '{"findings": 1, "sources": 2, "issues": 3, "concerns": 4, "summary": 5, "recommendations": 6}',
        }
        response.end(
          `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
        )
      }, 50)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#any`
    await workflow(text, { model }).start({ topic: 'AI' }).outcome
    expect(most).toBe(2)
    most = 0
    await workflow(text, { model, limits: { concurrency: 1 } }).start({ topic: 'AI' }).outcome
    expect(most).toBe(1)
  })

  test('an agent without outputs gives its words', async () => {
    const { model, requests } = await serve((asked) =>
      systemOf(asked) === 'Be brief' ? 'Only words.\n## other\nnot a header of ours' : '{"summary": "S"}',
    )
    await workflow(
      `NAME x
AGENT one "Be brief"
AGENT other "Be brief"
GOAL g "Go" -> summary USING one, other
RUN r USING g`,
      { model },
    ).start().outcome
    // An agent cannot speak for another: what looks like its header is written so that it is none.
    expect(userOf(requests[2]!)).toBe(`You have received outputs from multiple agents:

## one
Only words.
\\## other
not a header of ours

## other
Only words.
\\## other
not a header of ours

Synthesize these into:
- summary

Respond as JSON.`)
  })

  test('one agent that gives what the goal asks for needs no synthesis', async () => {
    const { model, requests } = await serve(() => '{"a": 1}')
    const outcome = await workflow(
      'NAME x\nAGENT one "Be brief" -> a\nGOAL g "Go" -> a USING one\nRUN r USING g',
      { model },
    ).start().outcome
    expect(requests).toHaveLength(1)
    expect(outcome.variables).toEqual({ a: 1 })
  })
})

test('variables accumulate, and stay', async () => {
  const { model, requests } = await serve((asked) => {
    const text = userOf(asked)
    if (text.startsWith('Research')) return '{"findings": "F $topic", "sources": ["s1", "s2"]}'
    if (text.startsWith('Critique')) return '{"issues": "I", "recommendations": "R"}'
    return '{"final_report": "done"}'
  })
  const run = workflow(
    `NAME example
INPUT topic

GOAL research "Research $topic" -> findings, sources
GOAL critique "Critique $findings for bias" -> issues, recommendations
GOAL report "Write report on $topic using $sources" -> final_report

RUN pipeline USING research, critique, report`,
    { model },
  ).start({ topic: 'cap' })
  const after: Record<string, string[]> = {}
  const known = new Set(['topic'])
  for await (const event of run)
    if (event.type === 'goal-end') {
      for (const name of Object.keys(event.values)) known.add(name)
      after[event.goal] = [...known]
    }
  const outcome = await run.outcome
  expect(after).toEqual({
    research: ['topic', 'findings', 'sources'],
    critique: ['topic', 'findings', 'sources', 'issues', 'recommendations'],
    report: ['topic', 'findings', 'sources', 'issues', 'recommendations', 'final_report'],
  })
  expect(Object.keys(outcome.variables)).toEqual(after.report)
  // A value is never expanded again, and one that is no text is written as JSON.
  expect(userOf(requests[1]!)).toMatch(/^Critique F \$topic for bias\n/)
  expect(userOf(requests[2]!)).toMatch(/^Write report on cap using \["s1","s2"\]\n/)
})

describe('spawn_agent', () => {
  const spawn = (args: object) => JSON.stringify({ type: 'action', tool: 'spawn_agent', args })
  const file = 'NAME x\nGOAL g "Write about capitalism" -> text\nRUN r USING g'

  test('with outputs gives an object', async () => {
    const { model, requests } = await serve((asked) => {
      if (systemOf(asked)?.startsWith('You are researcher'))
        return '{"timeline": ["1776"], "key_figures": "Smith", "sources": []}'
      if (asked.some(({ content }) => content.includes('1776'))) return '{"text": "written"}'
      return spawn({
        role: 'researcher',
        task: 'Find origins of capitalism',
        outputs: ['timeline', 'key_figures', 'sources'],
      })
    })
    const outcome = await workflow(file, { model, spawn: true }).start().outcome
    expect(outcome).toMatchObject({ kind: 'completed', variables: { text: 'written' } })
    expect(userOf(requests[1]!)).toBe(
      'Find origins of capitalism\n\nRespond with a JSON object containing:\n- timeline\n- key_figures\n- sources',
    )
    expect(userOf(requests[2]!)).toContain('"timeline":["1776"]')
  })

  test('without outputs gives text', async () => {
    const { model, requests } = await serve((asked) => {
      if (systemOf(asked)?.startsWith('You are poet')) return 'A poem.'
      return asked.some(({ content }) => content.includes('A poem.'))
        ? '{"text": "t"}'
        : spawn({ role: 'poet', task: 'Rhyme' })
    })
    const outcome = await workflow(file, { model, spawn: true }).start().outcome
    expect(outcome.kind).toBe('completed')
    expect(userOf(requests[1]!)).toBe('Rhyme')
  })

  test('is not there unless it is allowed', async () => {
    const { model, requests } = await serve(() => '{"text": "t"}')
    await workflow(file, { model }).start().outcome
    expect(JSON.stringify(requests)).not.toContain('spawn_agent')
  })

  test('has limits: how many, and how deep', async () => {
    const { model, requests } = await serve((asked) => {
      if (systemOf(asked)?.startsWith('You are')) return JSON.stringify(requests.length)
      return asked.filter(({ role }) => role === 'assistant').length < 4
        ? spawn({ role: 'a', task: 'T' })
        : '{"text": "t"}'
    })
    const outcome = await workflow(file, { model, spawn: { count: 2, depth: 1 } }).start().outcome
    expect(outcome.kind).toBe('completed')
    const spawned = requests.filter((asked) => systemOf(asked)?.startsWith('You are a.'))
    expect(spawned).toHaveLength(2)
    expect(JSON.stringify(spawned)).not.toContain('spawn_agent')
    expect(JSON.stringify(requests)).toContain('No more than 2 agents can be spawned.')
  })
})

describe('what the table of the specification says', () => {
  test('an output named like an input is an error when the file is read', () => {
    const read = readAgentfile('NAME x\nINPUT a\nGOAL g "Go" -> a\nRUN r USING g')
    expect(read.ok).toBe(false)
  })

  test('a prompt of more than 200 characters without FROM is a warning', () => {
    const read = readAgentfile(`NAME x\nGOAL g "${'x'.repeat(201)}"\nRUN r USING g`)
    expect(read.ok).toBe(true)
    expect(read.issues).toMatchObject([{ severity: 'warning' }])
  })

  test('a field that is not returned is an error, after it was asked for again', async () => {
    const { model, requests } = await serve(() => '{"summary": "S"}')
    const outcome = await workflow('NAME x\nGOAL g "Go" -> summary, sources\nRUN r USING g', {
      model,
    }).start().outcome
    expect(outcome).toMatchObject({ kind: 'failed', path: 'r/g', provider: false, variables: {} })
    expect(outcome.kind === 'failed' && outcome.reason).toContain('sources')
    expect(requests).toHaveLength(3)
    expect(userOf(requests[1]!)).toContain('sources')
  })

  test('a goal without outputs works as before: free text', async () => {
    const { model, requests } = await serve(() => 'Just text.')
    const outcome = await workflow('NAME x\nGOAL g "Go"\nRUN r USING g', { model }).start().outcome
    expect(requests[0]).toEqual([{ role: 'user', content: 'Go' }])
    expect(outcome).toMatchObject({ kind: 'completed', goals: { g: 'Just text.' }, variables: {} })
  })
})
