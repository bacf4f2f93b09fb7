import { cutIntoChunks } from '../../chunks.ts'
import { compare, growthExponent, type Task } from '../../measure.ts'
import { table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { documentOf, type Notation } from '../document.ts'
import { legible } from '../legible.ts'
import { readWithLegible, use } from '../readers.ts'
import { candidatesFor } from '../tasks.ts'

/** Readers that read everything again are slow enough at this size, in kilobytes, to know how they grow. */
const enough = 100

export const growth: Section = {
  name: 'growth',
  title: 'Growth from 10 KB to 1 MB, chunks of 4',
  async measure(run: Run) {
    const points = new Map<string, { size: number; ms: number }[]>()
    for (const size of run.quick ? [10, 30, 100] : [10, 30, 100, 300, 1000]) {
      const { text } = documentOf(size, 'tame')
      const candidates = (await candidatesFor(documentOf(size, 'tame'), 4, 16)).filter(
        ({ verdict, scale }) => verdict === 'right' && (scale === 1 || size <= enough),
      )
      const tasks = [...candidates.map(({ task }) => task), ...formatTasks(size)]
      const timings = await compare(tasks[0]!, tasks.slice(1), run.effort)
      for (const [name, { ms }] of timings) {
        const scale = candidates.find((candidate) => candidate.name === name)?.scale ?? 1
        const shown = scale > 1 ? `${name}, to ${enough} KB` : name
        const list = points.get(shown) ?? []
        points.set(shown, list)
        list.push({ size: text.length, ms: ms * scale })
      }
    }
    const rows: string[][] = []
    for (const [name, list] of points) {
      const exponent = growthExponent(list)
      run.figures.set(`growth ${name}`, exponent)
      rows.push([name, `${name.endsWith('KB') ? '~' : ''}${exponent.toFixed(2)}`])
    }
    return table(['', 'time ~ size^k, k ='], rows)
  },
}

function formatTasks(size: number): Task[] {
  if (!legible) return []
  const formats: Notation[] = ['xml', 'markdown', 'labels']
  return formats.map((notation) => {
    const chunks = cutIntoChunks(documentOf(size, 'raw', notation).text, 4)
    const format = legible![notation]()
    return {
      name: `legible, as models write, ${notation}()`,
      run: () => use(readWithLegible(format, chunks)),
    }
  })
}
