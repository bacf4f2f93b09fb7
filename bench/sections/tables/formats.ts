import { cutIntoChunks } from '../../chunks.ts'
import { judge } from '../../judge.ts'
import { compare, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { documentOf, type Notation } from '../document.ts'
import { legible } from '../legible.ts'
import { readWithLegible, use } from '../readers.ts'
import { type ChunkSize, canonical } from '../tasks.ts'

const notations: Notation[] = ['xml', 'markdown', 'labels']

/** The same sections in each of legible's formats: there is no peer for headers and labels. */
export const formats: Section = {
  name: 'formats',
  title: "Legible's formats, CPU milliseconds per MB",
  async measure(run: Run) {
    if (!legible) return ''
    const rows = new Map<Notation, string[]>(notations.map((notation) => [notation, [`${notation}()`]]))
    const chunkSizes: ChunkSize[] = [4, 16, 'whole']
    for (const chunkSize of chunkSizes) {
      const tasks: Task[] = []
      for (const notation of notations) {
        const { text, sections } = documentOf(run.quick ? 100 : 1000, 'raw', notation)
        const format = legible[notation]()
        const chunks = chunkSize === 'whole' ? [text] : cutIntoChunks(text, chunkSize)
        const read = () => use(readWithLegible(format, chunks))
        const { verdict } = await judge(() => canonical(read()), canonical(sections))
        if (verdict === 'right') tasks.push({ name: notation, run: read })
        else rows.get(notation)!.push(verdict)
      }
      const timings = await compare(tasks[0]!, tasks.slice(1), run.effort)
      for (const { name } of tasks) {
        const { text } = documentOf(run.quick ? 100 : 1000, 'raw', name as Notation)
        rows.get(name as Notation)!.push(figure((timings.get(name)!.ms / text.length) * 1e6))
      }
    }
    return table(['', 'chunks of 4', 'chunks of 16', 'whole'], [...rows.values()])
  },
}
