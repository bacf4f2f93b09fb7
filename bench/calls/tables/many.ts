import { cutIntoChunks, flat } from '../../chunks.ts'
import { cpuMs } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { shortCalls, writeFile } from '../document.ts'
import { type CallOptions, legible } from '../legible.ts'

export const ways = ['whole', 'whole, expect: calls', 'chunks of 4'] as const

/** Many short calls after each other: what a reader does for each call must not depend on how much text there is. */
export const many: Section = {
  name: 'many',
  title: 'Many short calls, CPU milliseconds',
  async measure(run: Run) {
    if (!legible) return undefined
    const rows: string[][] = []
    for (const [name, call] of Object.entries(shortCalls)) {
      for (const way of ways) {
        if (run.verbose) console.error(name, way)
        const row = [`${name}, ${way}`]
        const times: number[] = []
        for (const kilobytes of [20, 80]) {
          const text = flat(call.repeat(Math.ceil((kilobytes * 1000) / call.length)))
          const chunks = way === 'chunks of 4' ? cutIntoChunks(text, 4) : [text]
          times.push(
            timeOf(chunks, way === 'whole, expect: calls' ? { expect: 'calls' } : {}, run.quick ? 2 : 5),
          )
          row.push(figure(times.at(-1)!))
        }
        const exponent = Math.log(times[1]! / times[0]!) / Math.log(4)
        run.figures.set(`many ${name}, ${way}`, exponent)
        rows.push([...row, exponent.toFixed(2)])
      }
    }
    return table(['', '20 KB', '80 KB', 'time ~ size^k, k ='], rows)
  },
}

/** The best of some readings: one that is quadratic takes too long to be repeated until it is warm. */
function timeOf(chunks: string[], options: CallOptions, rounds: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < rounds && best > 0; i++) {
    const start = cpuMs()
    const reader = legible!.createToolCallReader({ tools, ...options })
    for (const chunk of chunks) reader.push(chunk)
    reader.end()
    best = Math.min(best, cpuMs() - start)
    if (best > 1000) break
  }
  return best
}

// Declared once, as a program does.
const tools = [writeFile]
