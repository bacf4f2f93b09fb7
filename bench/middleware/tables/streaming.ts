import { hermesToolMiddleware, qwen3CoderToolMiddleware } from '@ai-sdk-tool/parser'
import { wrapLanguageModel } from 'ai'
import { callOf, forms, writeFile } from '../../calls/document.ts'
import { peerName } from '../../calls/peer.ts'
import { cutIntoChunks, flat } from '../../chunks.ts'
import { judge } from '../../judge.ts'
import { compare, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { legible } from '../legible.ts'
import { lookAt, type Model, modelOf, type Seen } from '../model.ts'

type Middleware = Parameters<typeof wrapLanguageModel>[0]['middleware']
type Options = Parameters<typeof lookAt>[1]

interface Reply {
  name: string
  text: string
  options: Options
  expected: Seen
  ours: Middleware
  theirs?: Middleware
}

const KILOBYTES = 20
const { name, description, parameters } = writeFile
const tools: Options = {
  tools: [{ type: 'function', name, description: description ?? '', inputSchema: parameters as object }],
}

function replies({ legible: middleware }: NonNullable<typeof legible>): Reply[] {
  const prose = flat(
    'The weather is fine, a < b, and nobody calls a tool here.\n'.repeat(KILOBYTES * 18),
  ).trim()
  const args = { path: 'src/greet.ts', content: prose }
  const called = forms
    .filter(({ protocol }) => protocol)
    .map((form): Reply => {
      const { text, args } = callOf(form, KILOBYTES)
      const peer = form.name === 'hermes' ? hermesToolMiddleware : qwen3CoderToolMiddleware
      return {
        name: `one call, ${form.name}`,
        text,
        options: tools,
        expected: { text: '', inputs: [args] },
        ours: middleware({ dialect: form.name }),
        theirs: peer as unknown as Middleware,
      }
    })
  return [
    {
      name: 'prose, with tools',
      text: prose,
      options: tools,
      expected: { text: prose, inputs: [] },
      ours: middleware(),
      theirs: hermesToolMiddleware as unknown as Middleware,
    },
    ...called,
    {
      name: 'an object, in a fence',
      text: `\`\`\`json\n${JSON.stringify(args, null, 2)}\n\`\`\``,
      options: { responseFormat: { type: 'json', schema: parameters as object } },
      expected: { text: JSON.stringify(args), inputs: [] },
      ours: middleware(),
    },
  ]
}

export const streaming: Section = {
  name: 'streaming',
  title: `A reply of ${KILOBYTES} KB in chunks of 4, CPU microseconds per KB`,
  async measure(run: Run) {
    if (!legible) return undefined
    const rows: string[][] = []
    for (const reply of replies(legible)) rows.push(await measureReply(run, reply))
    return table(['', 'no middleware', 'legible', peerName, 'by legible'], rows)
  },
}

async function measureReply(run: Run, reply: Reply): Promise<string[]> {
  const { text, options, expected, ours, theirs } = reply
  const bare = modelOf(cutIntoChunks(text, 4))
  const taskOf = (name: string, model: Model): Task => ({ name, run: () => lookAt(model, options) })
  const none = taskOf('none', bare)
  const wrapped = (middleware: Middleware) => wrapLanguageModel({ model: bare, middleware })
  const tasks = [taskOf('ours', wrapped(ours)), ...(theirs ? [taskOf('theirs', wrapped(theirs))] : [])]
  const verdicts = new Map<string, string>()
  for (const task of tasks) verdicts.set(task.name, (await judge(task.run, expected)).verdict)
  const right = tasks.filter((task) => verdicts.get(task.name) === 'right')
  const timings = await compare(none, right, run.effort)
  const perKilobyte = (task: string) => ((timings.get(task)?.ms ?? 0) * 1000) / (text.length / 1000)
  const cell = (task: string) => (timings.has(task) ? figure(perKilobyte(task)) : (verdicts.get(task) ?? ''))
  const both = timings.has('ours') && timings.has('theirs')
  const ratio = both ? perKilobyte('theirs') / perKilobyte('ours') : 0
  if (both) run.figures.set(`against the peer, ${reply.name}`, ratio)
  return [
    reply.name,
    figure(perKilobyte('none')),
    cell('ours'),
    cell('theirs'),
    both ? `${figure(ratio)} ×` : '',
  ]
}
