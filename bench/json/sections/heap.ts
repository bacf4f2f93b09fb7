import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { HeapPeaks } from '../../heap.ts'
import { table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { streamReaders } from '../stream-readers.ts'

const child = fileURLToPath(new URL('../heap-child.ts', import.meta.url))

export const heap: Section = {
  name: 'heap',
  title: 'Peak heap for a stream of 1 MB, in MB',
  async measure(run: Run) {
    const rows: string[][] = []
    const readers = streamReaders.filter(({ textOnly }) => !(run.quick && textOnly))
    const chunkSizes = run.quick ? [16] : [16, 4]
    for (const name of ['JSON.parse', ...readers.map(({ name }) => name)]) {
      const row = [name]
      for (const chunkSize of chunkSizes) {
        const output = execFileSync(process.execPath, ['--expose-gc', child, name, String(chunkSize)], {
          encoding: 'utf8',
        })
        const { live, raw } = JSON.parse(output) as HeapPeaks
        run.figures.set(`heap ${name} / ${chunkSize}`, live)
        run.figures.set(`heap raw ${name} / ${chunkSize}`, raw)
        row.push(live.toFixed(1), raw.toFixed(1))
      }
      rows.push(row)
    }
    return table(['', ...chunkSizes.flatMap((size) => [`live / ${size}`, `with garbage / ${size}`])], rows)
  },
}
