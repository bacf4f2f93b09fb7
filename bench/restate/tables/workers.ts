import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { bothOf, WORKERS } from '../both.ts'
import { ourRuns } from '../contenders.ts'
import { legible } from '../legible.ts'
import { measureQueue, type Queue } from '../measure-queue.ts'

export const workers: Section = {
  name: 'workers',
  title: 'Workers',
  async measure(run: Run) {
    if (!legible) return undefined
    const { runs = 0 } = run.sizes
    const rows: string[][] = []
    for (const count of run.quick ? [1, WORKERS] : [1, WORKERS, 4]) {
      const { totalMs, cpuMs }: Queue =
        count === WORKERS
          ? (await bothOf(run, legible)).ours
          : await measureQueue(ourRuns(legible), runs, count)
      rows.push([String(count), figure((runs * 1000) / totalMs), figure(cpuMs.all / runs)])
    }
    return table(['workers', 'runs a second', 'CPU ms a run'], rows)
  },
}
