import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { bothOf, type Figures } from '../both.ts'
import { legible } from '../legible.ts'
import { QUESTIONS } from '../shape.ts'

export const queued: Section = {
  name: 'queued',
  title: 'Many runs at once, and one by one',
  async measure(run: Run) {
    if (!legible) return undefined
    const { ours, floor } = await bothOf(run, legible)
    const runs = ours.eachMs.length
    const perSecond = ({ totalMs }: Figures) => (runs * 1000) / totalMs
    const lines: [what: string, of: (figures: Figures) => number][] = [
      ['all of them, s', ({ totalMs }) => totalMs / 1000],
      ['runs a second', perSecond],
      ['questions a second', (figures) => QUESTIONS * perSecond(figures)],
      ['a run, p50, ms', ({ eachMs }) => quantile(eachMs, 0.5)],
      ['a run, p95, ms', ({ eachMs }) => quantile(eachMs, 0.95)],
      ['a run, p99, ms', ({ eachMs }) => quantile(eachMs, 0.99)],
      ['CPU ms a run', ({ cpuMs }) => cpuMs.all / runs],
      ['… of the server', ({ cpuMs }) => cpuMs.server / runs],
      ['… of the workers', ({ cpuMs }) => cpuMs.workers / runs],
      ['… of the balancer', ({ cpuMs }) => cpuMs.balancer / runs],
      ['a run alone, median, ms', ({ aloneMs }) => aloneMs],
    ]
    run.figures.set('CPU of many', ours.cpuMs.all / floor.cpuMs.all)
    run.figures.set('time of one', ours.aloneMs / floor.aloneMs)
    const rows = lines.map(([what, of]) => [what, of(ours), of(floor)] as const)
    return `${runs.toLocaleString('en')} runs at once, all of them completed; ${run.sizes.alone} one by one.\n\n${table(
      ['', 'legible', 'the engine alone', 'by the engine alone'],
      rows.map(([what, one, other]) => [what, figure(one), figure(other), figure(one / other)]),
    )}`
  },
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}
