import { streamText } from 'ai'
import { cutIntoChunks, flat } from '../../chunks.ts'
import { compare, type Task } from '../../measure.ts'
import { lookAt, modelOf } from '../../middleware/model.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { legible } from '../legible.ts'

const KILOBYTES = 20

export const tokens: Section = {
  name: 'tokens',
  title: `A text of ${KILOBYTES} KB that streams in chunks of 4, CPU microseconds a chunk`,
  async measure(run: Run) {
    if (!legible) return undefined
    const { react, chat } = legible
    const text = flat(
      'The weather is fine, a < b, and nobody calls a tool here.\n'.repeat(KILOBYTES * 18),
    ).trim()
    const plain = modelOf(cutIntoChunks(text, 4))
    const section = modelOf(cutIntoChunks(`<answer>\n${text}\n</answer>`, 4))
    const tools = [{ name: 'search', description: 'Searches the web.', input: undefined, run: () => 'found' }]
    const drain = async (agent: ReturnType<typeof react>) => {
      const run = agent.start('Tell me.')
      for await (const _ of run);
      const outcome = (await run.outcome) as { kind: string; value?: unknown }
      if (outcome.value !== text) throw new Error(`it came to ${outcome.kind}`)
    }
    const tasks: Task[] = [
      {
        name: 'ai, streamText',
        run: async () => {
          let seen = ''
          for await (const delta of streamText({ model: plain, prompt: 'Tell me.' }).textStream) seen += delta
          if (seen !== text) throw new Error('ai lost something')
        },
      },
      { name: 'the model alone', run: () => lookAt(plain, {}) },
      { name: 'react', run: () => drain(react({ model: section, tools })) },
      { name: 'chat', run: () => drain(chat({ model: plain, tools })) },
      { name: 'chat with native calls', run: () => drain(chat({ model: plain, tools, native: true })) },
    ]
    for (const task of tasks) await task.run()
    const [baseline, ...others] = tasks as [Task, ...Task[]]
    const timings = await compare(baseline, others, run.effort)
    for (const { name } of others) run.figures.set(`token, ${name}`, timings.get(name)!.ratio)
    return table(
      ['', 'µs a chunk', 'by the AI SDK'],
      tasks.map(({ name }) => {
        const { ms, ratio } = timings.get(name)!
        return [name, figure((ms * 1000) / (text.length / 4)), figure(ratio)]
      }),
    )
  },
}
