/** Run by itself for each figure, as `node --expose-gc heap-child.ts <reader> <chunk size>`. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { cutIntoChunks } from './damage.ts'
import { documentOf } from './run.ts'
import { streamReaders } from './stream-readers.ts'

/** Megabytes over the heap before the first chunk. */
export interface HeapPeaks {
  /** What is reachable: after a forced collection every few thousand chunks. */
  live: number
  /** What is allocated at any time, garbage included, if nothing is forced. */
  raw: number
}

// Code that is thrown away meanwhile would count as memory that the reader gives back.
setFlagsFromString('--no-flush-bytecode')

const [, , name, chunkSize] = process.argv
const { text } = documentOf(1000)
const chunks = cutIntoChunks(text, Number(chunkSize))
const samplesWanted = 40
const read =
  name === 'JSON.parse'
    ? () => JSON.parse(text) as unknown
    : streamReaders.find((reader) => reader.name === name)!.read

/** Buffers outside the heap count, too: some readers keep their text in them. */
function used(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return (heap + external) / 1e6
}

/** The peak while a reader takes the chunks: a sample is taken when it asks for the next one. */
async function peakOf(every: number, before: () => void): Promise<number> {
  // What the run before has left is gone only when its last promise is.
  await new Promise((resolve) => setImmediate(resolve))
  globalThis.gc!()
  globalThis.gc!()
  const base = used()
  let peak = 0
  let count = 0
  function* watched() {
    for (const chunk of chunks) {
      if (++count % every === 0) {
        before()
        peak = Math.max(peak, used() - base)
      }
      yield chunk
    }
  }
  const value = await read(watched())
  before()
  peak = Math.max(peak, used() - base)
  // The value is part of what the caller holds at the end.
  if (value === undefined) throw new Error(`${name} read nothing`)
  return peak
}

// Once without looking, so that compiled code and caches are part of the base.
await read(chunks)
const raw = await peakOf(64, () => {})
const live = await peakOf(Math.ceil(chunks.length / samplesWanted), () => globalThis.gc!())
const peaks: HeapPeaks = { live, raw }
console.log(JSON.stringify(peaks))
