import { cutIntoChunks } from '../../chunks.ts'
import { compare, growthExponent, type Task } from '../../measure.ts'
import { table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { everyDamage, writeDamaged } from '../damage.ts'
import { documentOf } from '../run.ts'
import { streamReaders } from '../stream-readers.ts'
import { wholeReaders } from '../whole-readers.ts'

const wholes = wholeReaders.filter(({ name }) => name.startsWith('legible'))
const streams = streamReaders.filter(({ textOnly }) => !textOnly)

export const growth: Section = {
  name: 'growth',
  title: 'Growth from 1 KB to 1 MB',
  async measure(run: Run) {
    const points = new Map<string, { size: number; ms: number }[]>()
    for (const size of run.quick ? [1, 10, 100] : [1, 3, 10, 30, 100, 300, 1000]) {
      const { text } = documentOf(size)
      const timings = await compare(
        { name: 'JSON.parse', run: () => JSON.parse(text) },
        tasksFor(size),
        run.effort,
      )
      for (const [name, { ms }] of timings) {
        const list = points.get(name) ?? []
        points.set(name, list)
        list.push({ size: text.length, ms })
      }
    }
    const rows: string[][] = []
    for (const [name, list] of points) {
      const exponent = growthExponent(list)
      run.figures.set(`growth ${name}`, exponent)
      rows.push([name, exponent.toFixed(2)])
    }
    return table(['', 'time ~ size^k, k ='], rows)
  },
}

function tasksFor(size: number): Task[] {
  const { text, findings } = documentOf(size)
  const damaged = writeDamaged(findings, everyDamage).text
  const tasks: Task[] = []
  for (const { name, read } of wholes) tasks.push({ name: `${name}, whole`, run: () => read(text, false) })
  for (const { name, read } of wholes) {
    tasks.push({ name: `${name}, whole, all damages`, run: () => read(damaged, true) })
  }
  for (const chunkSize of [16, 4]) {
    const chunks = cutIntoChunks(text, chunkSize)
    for (const { name, read } of streams) {
      tasks.push({ name: `${name}, chunks of ${chunkSize}`, run: () => read(chunks) })
    }
  }
  return tasks
}
