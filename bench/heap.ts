import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** Megabytes over the heap before the first chunk. */
export interface HeapPeaks {
  /** What is reachable: after a forced collection every few thousand chunks. */
  live: number
  /** What is allocated at any time, garbage included, if nothing is forced. */
  raw: number
}

const samplesWanted = 40

/** Buffers outside the heap count, too: some readers keep their text in them. */
function used(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return (heap + external) / 1e6
}

/** The peaks while a reader takes the chunks. For a process of its own, with `--expose-gc`. */
export async function peaksOf(
  chunks: string[],
  read: (chunks: Iterable<string>) => unknown,
): Promise<HeapPeaks> {
  // Code that is thrown away meanwhile would count as memory that the reader gives back.
  setFlagsFromString('--no-flush-bytecode')
  // First without looking, so that compiled code and caches are part of the base: with the same generator, as code is
  // compiled anew for another kind of chunks.
  for (let i = 0; i < 2; i++) await peakOf(chunks, read, chunks.length, () => {})
  const raw = await peakOf(chunks, read, 64, () => {})
  const live = await peakOf(chunks, read, Math.ceil(chunks.length / samplesWanted), () => globalThis.gc!())
  return { live, raw }
}

/** A sample is taken when the reader asks for the next chunk. */
async function peakOf(
  chunks: string[],
  read: (chunks: Iterable<string>) => unknown,
  every: number,
  before: () => void,
): Promise<number> {
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
  if (value === undefined) throw new Error('nothing was read')
  return peak
}
