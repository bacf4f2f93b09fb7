import { compare } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { documentOf, type Kind } from '../document.ts'
import { type ChunkSize, candidatesFor } from '../tasks.ts'

/** Both documents, in chunks and whole: CPU time for a megabyte, and how many times that of legible it is. */
export const streaming: Section = {
  name: 'streaming',
  title: 'CPU milliseconds per MB, and times that of legible',
  async measure(run: Run) {
    const tame = await measureDocument(run, 'tame')
    const raw = await measureDocument(run, 'raw')
    return `As a reader of XML likes it:\n\n${tame}\n\nAs models write:\n\n${raw}`
  },
}

async function measureDocument(run: Run, kind: Kind): Promise<string> {
  const document = documentOf(run.quick ? 100 : 1000, kind)
  const megabytes = document.text.length / 1e6
  const head = ['']
  const rows = new Map<string, string[]>()
  const chunkSizes: ChunkSize[] = [4, 16, 'whole']
  for (const chunkSize of chunkSizes) {
    head.push(chunkSize === 'whole' ? 'whole: ms' : `chunks of ${chunkSize}: ms`, '×')
    const candidates = await candidatesFor(document, chunkSize, run.quick ? 8 : 24)
    const [ours, ...others] = candidates.filter(({ verdict }) => verdict === 'right').map(({ task }) => task)
    const timings = await compare(ours!, others, run.effort)
    for (const { name, verdict, scale } of candidates) {
      const row = rows.get(name) ?? [name]
      rows.set(name, row)
      const timing = timings.get(name)
      const key = `${kind} ${name} / ${chunkSize}`
      if (verdict !== 'right' || timing === undefined) {
        row.push(verdict, '')
        if (name.startsWith('legible')) run.figures.set(key, Number.POSITIVE_INFINITY)
        continue
      }
      const about = scale > 1 ? '~' : ''
      row.push(
        `${about}${figure((timing.ms * scale) / megabytes)}`,
        `${about}${figure(timing.ratio * scale)}`,
      )
      // The other way round: the part of the peer's time that legible takes.
      run.figures.set(key, 1 / (timing.ratio * scale))
    }
    const silent = timings.get('legible, parts only')
    const saxes = timings.get('saxes')
    if (silent && saxes) run.figures.set(`${kind} saxes, parts only / ${chunkSize}`, silent.ms / saxes.ms)
  }
  return table(head, [...rows.values()])
}
