import { caught, judge } from '../../judge.ts'
import { compare, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { type Case, type Damage, damages, everyDamage, writeDamaged } from '../damage.ts'
import { Patience } from '../patience.ts'
import { documentOf } from '../run.ts'
import { wholeReaders } from '../whole-readers.ts'

const readers = wholeReaders.filter(({ strict }) => !strict)
const kinds = [...everyDamage.map((damage) => [damage]), everyDamage]
const columns = [...everyDamage.map((damage) => damages[damage] as string), 'all at once']

export const damaged: Section = {
  name: 'damaged',
  title: 'A whole, damaged text',
  async measure(run: Run) {
    const patience = new Patience(run.tooLongMs)
    const tables = new Map<number, string>()
    for (const size of run.quick ? [10] : [1, 10, 100, 1000]) {
      const { findings, text, label } = documentOf(size)
      const cells = new Map(readers.map(({ name }) => [name, [] as string[]]))
      for (const [column, kind] of kinds.entries()) {
        const results = await measureDamage(run, patience, text, writeDamaged(findings, kind), kind)
        for (const [name, { cell, ratio }] of results) {
          cells.get(name)!.push(cell)
          if (ratio !== undefined) run.figures.set(`damaged ${name} ${columns[column]} ${label}`, ratio)
        }
      }
      const lines = [...cells].map(([name, row]) => [name, ...row])
      tables.set(size, `${label}:\n\n${table(['', ...columns], lines)}`)
    }
    const others = [...tables].filter(([size]) => size !== 10).map(([, text]) => text)
    if (others.length === 0) return tables.get(10)!
    return `${tables.get(10)}\n\n<details><summary>other sizes</summary>\n\n${others.join('\n\n')}\n\n</details>`
  },
}

/** Figures of readings that are right; for the others, what they are. */
async function measureDamage(
  run: Run,
  patience: Patience,
  clean: string,
  { text, expected }: Case,
  kind: Damage[],
) {
  const cut = kind.includes('cut')
  const results = new Map<string, { cell: string; ratio?: number }>()
  const tasks: Task[] = []
  for (const { name, read, fillsGaps } of readers) {
    results.set(name, { cell: '–' })
    const reading = `${name} ${kind}`
    if (!patience.allows(reading)) continue
    const { verdict, ms } = await judge(() => read(text, cut), expected, fillsGaps)
    patience.note(reading, ms)
    if (verdict !== 'right') results.set(name, { cell: verdict, ratio: Number.POSITIVE_INFINITY })
    else tasks.push({ name, run: caught(() => read(text, cut)) })
  }
  const timings = await compare({ name: 'JSON.parse', run: () => JSON.parse(clean) }, tasks, run.effort)
  for (const { name } of tasks) {
    const { ratio } = timings.get(name)!
    results.set(name, { cell: figure(ratio), ratio })
  }
  return results
}
