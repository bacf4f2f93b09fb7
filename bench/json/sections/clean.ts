import { judge } from '../../judge.ts'
import { compare, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { Patience } from '../patience.ts'
import { documentOf } from '../run.ts'
import { wholeReaders } from '../whole-readers.ts'

export const clean: Section = {
  name: 'clean',
  title: 'A whole, clean text',
  async measure(run: Run) {
    const sizes = run.quick ? [10, 100] : [1, 10, 100, 1000]
    const cells = new Map(wholeReaders.map(({ name }) => [name, [] as string[]]))
    const patience = new Patience(run.tooLongMs)
    for (const size of sizes) {
      const { text, findings, label } = documentOf(size)
      const tasks: Task[] = []
      for (const { name, read, fillsGaps } of wholeReaders) {
        if (!patience.allows(name)) continue
        const { verdict, ms } = await judge(() => read(text, false), findings, fillsGaps)
        if (verdict === 'right') tasks.push({ name, run: () => read(text, false) })
        else {
          cells.get(name)!.push(verdict)
          run.figures.set(`clean ${name} ${label}`, Number.POSITIVE_INFINITY)
        }
        patience.note(name, ms)
      }
      const timings = await compare({ name: 'JSON.parse', run: () => JSON.parse(text) }, tasks, run.effort)
      for (const { name } of tasks) {
        const { ratio } = timings.get(name)!
        cells.get(name)!.push(figure(ratio))
        run.figures.set(`clean ${name} ${label}`, ratio)
      }
    }
    return table(
      ['', ...sizes.map((size) => documentOf(size).label)],
      [...cells].map(([name, row]) => [name, ...sizes.map((_, i) => row[i] ?? '–')]),
    )
  },
}
