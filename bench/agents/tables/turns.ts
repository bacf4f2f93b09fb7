import { isStepCount, streamText, tool } from 'ai'
import { z } from 'zod'
import { compare, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { legible } from '../legible.ts'
import { modelInTurns, nativeModel } from '../models.ts'

const TURNS = 20
const input = z.object({ query: z.string() })
const description = 'Searches the web.'

/** What runs to its end, and says how many calls it has made. */
type Loop = () => Promise<number>

function loops({ react, chat }: NonNullable<typeof legible>): Record<string, Loop> {
  const tools = [{ name: 'search', description, input, run: () => 'found' }]
  const limits = { iterations: TURNS + 1 }
  const drain = async (agent: ReturnType<typeof react>) => {
    const run = agent.start('What is new?')
    for await (const _ of run);
    return (await run.outcome).calls
  }
  const queries = Array.from({ length: TURNS }, (_, i) => JSON.stringify({ query: `item ${i}` }))
  const sections = queries.map((args) => `<action>\n{"tool": "search", "args": ${args}}\n</action>`)
  const actions = queries.map((args) => `{"type": "action", "tool": "search", "args": ${args}}`)
  const inSections = modelInTurns([...sections, '<answer>\nDone.\n</answer>'])
  const inActions = modelInTurns([...actions, 'Done.'])
  const native = nativeModel(TURNS, 'Done.')
  const theirs = nativeModel(TURNS, 'Done.')
  return {
    'ai, streamText': async () => {
      let calls = 0
      const { fullStream } = streamText({
        model: theirs,
        prompt: 'What is new?',
        tools: { search: tool({ description, inputSchema: input, execute: () => 'found' }) },
        stopWhen: isStepCount(TURNS + 1),
      })
      for await (const part of fullStream) if (part.type === 'tool-result') calls++
      return calls
    },
    react: () => drain(react({ model: inSections, tools, limits })),
    chat: () => drain(chat({ model: inActions, tools, limits })),
    'chat with native calls': () => drain(chat({ model: native, tools, limits, native: true })),
  }
}

export const turns: Section = {
  name: 'turns',
  title: `A turn with one call of a tool, of ${TURNS} in a run, CPU microseconds`,
  async measure(run: Run) {
    if (!legible) return undefined
    const tasks = Object.entries(loops(legible)).map(([name, run]): Task => ({ name, run }))
    for (const { name, run: loop } of tasks) {
      const made = await (loop as Loop)()
      if (made !== TURNS) throw new Error(`${name} made ${made} calls of ${TURNS}`)
    }
    const [baseline, ...ours] = tasks as [Task, ...Task[]]
    const timings = await compare(baseline, ours, run.effort)
    for (const { name } of ours) run.figures.set(`turn, ${name}`, timings.get(name)!.ratio)
    return table(
      ['', 'µs a turn', 'by the AI SDK'],
      tasks.map(({ name }) => {
        const { ms, ratio } = timings.get(name)!
        return [name, figure((ms * 1000) / (TURNS + 1)), figure(ratio)]
      }),
    )
  },
}
