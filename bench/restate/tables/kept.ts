import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { bothOf } from '../both.ts'
import { legible } from '../legible.ts'
import type { Queue } from '../measure-queue.ts'

export const kept: Section = {
  name: 'kept',
  title: 'What is kept, and the memory that it takes',
  async measure(run: Run) {
    if (!legible) return undefined
    const { ours, floor } = await bothOf(run, legible)
    const lines: [what: string, of: (queue: Queue) => number][] = [
      ['entries of journals, a run', ({ kept }) => kept.journalEntries],
      ['bytes of journals, a run', ({ kept }) => kept.journalBytes],
      ['bytes of state, a run', ({ kept }) => kept.stateBytes],
      ['most memory of a worker, MB', ({ memory }) => memory.workers],
      ['most memory of the balancer, MB', ({ memory }) => memory.balancer],
      ['most memory of the server, MB', ({ memory }) => memory.server],
    ]
    return table(
      ['', 'legible', 'the engine alone'],
      lines.map(([what, of]) => [what, wholeOf(of(ours)), wholeOf(of(floor))]),
    )
  },
}

const wholeOf = (n: number) => (n < 100 ? String(Math.round(n)) : figure(n))
