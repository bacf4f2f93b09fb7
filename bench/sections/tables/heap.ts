import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HeapPeaks } from '../../heap.ts'
import { table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { streamReaders } from '../readers.ts'

const child = fileURLToPath(new URL('../heap-child.ts', import.meta.url))
const documents = ['tame', 'raw', 'answer']

export const heap: Section = {
  name: 'heap',
  title: 'Peak heap for a stream of 1 MB in chunks of 4, in MB',
  async measure(run: Run) {
    const rows: string[][] = []
    const ways = streamReaders.flatMap(({ name }) =>
      name.startsWith('legible') ? [{ name, keep: true }] : [true, false].map((keep) => ({ name, keep })),
    )
    for (const { name, keep } of ways) {
      const shown = name.startsWith('legible') ? name : `${name}, ${keep ? 'contents kept' : 'nothing kept'}`
      const row = [shown]
      for (const document of documents) {
        if (document === 'raw' && !name.startsWith('legible')) {
          row.push('not right', '')
          continue
        }
        const args = ['--expose-gc', child, name, document, keep ? 'keep' : 'drop']
        const { live, raw } = JSON.parse(
          execFileSync(process.execPath, args, { encoding: 'utf8' }),
        ) as HeapPeaks
        run.figures.set(`heap ${shown}, ${document}`, live)
        row.push(live.toFixed(2), raw.toFixed(1))
      }
      rows.push(row)
    }
    const garbage = 'with garbage'
    return table(
      ['', 'as XML: live', garbage, 'as models write: live', garbage, 'one answer: live', garbage],
      rows,
    )
  },
}
