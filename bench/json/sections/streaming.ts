import { cutIntoChunks } from '../../chunks.ts'
import { caught, judge } from '../../judge.ts'
import { compare, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { everyDamage, writeDamaged } from '../damage.ts'
import { Patience } from '../patience.ts'
import { documentOf } from '../run.ts'
import { look, type StreamReader, streamReaders } from '../stream-readers.ts'
import { type WholeReader, wholeReaders } from '../whole-readers.ts'

/** Readers that know nothing of streams: they read all the text so far again after each chunk. */
const rereaders = wholeReaders.filter(({ strict, schema, name }) => !strict && !schema && name !== 'legible')
const tolerant = streamReaders.filter(({ name }) => name === 'legible')
const rows = [
  ...streamReaders.map(({ name }) => name),
  ...tolerant.map(({ name }) => damagedName(name)),
  ...rereaders.map(({ name }) => name),
]

function damagedName(name: string): string {
  return `${name}, all damages`
}

export const streaming: Section = {
  name: 'streaming',
  title: 'A stream, the value looked at after every chunk',
  async measure(run: Run) {
    const sizes = run.quick ? [10, 100] : [1, 10, 100, 1000]
    const cells = new Map(rows.map((name) => [name, [] as string[]]))
    const head = ['']
    for (const chunkSize of [16, 4]) {
      const patience = new Patience(run.tooLongMs)
      for (const size of sizes) {
        head.push(`${documentOf(size).label} / ${chunkSize}`)
        const results = await measureStreams(run, patience, size, chunkSize)
        for (const [name, row] of cells) row.push(results.get(name) ?? '–')
      }
    }
    return table(
      head,
      [...cells].map(([name, row]) => [name, ...row]),
    )
  },
}

async function measureStreams(run: Run, patience: Patience, size: number, chunkSize: number) {
  const { findings, text, label } = documentOf(size)
  const chunks = cutIntoChunks(text, chunkSize)
  const cells = new Map<string, string>()
  const tasks: Task[] = []
  /** What the time of a task must be multiplied with to be that of the whole stream. */
  const scales = new Map<string, number>()

  const add = async ({ name, read }: StreamReader, pieces: string[], expected: unknown) => {
    if (!patience.allows(name)) return
    const { verdict, ms } = await judge(() => read(pieces), expected)
    if (verdict === 'right') tasks.push({ name, run: () => read(pieces) })
    else {
      cells.set(name, verdict)
      run.figures.set(`streaming ${name} ${label} / ${chunkSize}`, Number.POSITIVE_INFINITY)
    }
    patience.note(name, ms)
  }
  for (const reader of streamReaders) await add(reader, chunks, findings)
  const damaged = writeDamaged(findings, everyDamage)
  for (const { name, read } of tolerant) {
    await add({ name: damagedName(name), read }, cutIntoChunks(damaged.text, chunkSize), damaged.expected)
  }
  for (const reader of rereaders) {
    if (!patience.allows(reader.name)) continue
    const { ms } = await judge(() => reader.read(text, true), findings)
    // A reading is half as long as the last one on average.
    const samples = Math.min(chunks.length, ms * 32 > run.tooLongMs ? 8 : 64)
    patience.note(reader.name, ms)
    tasks.push({ name: reader.name, run: rereadSome(reader, text, chunks, samples) })
    scales.set(reader.name, chunks.length / samples)
  }

  const timings = await compare({ name: 'JSON.parse', run: () => JSON.parse(text) }, tasks, run.effort)
  for (const { name } of tasks) {
    const scale = scales.get(name) ?? 1
    const ratio = timings.get(name)!.ratio * scale
    cells.set(name, `${scale > 1 ? '~' : ''}${figure(ratio)}`)
    run.figures.set(`streaming ${name} ${label} / ${chunkSize}`, ratio)
  }
  return cells
}

/**
 * Reading again has no memory, so that the whole stream need not be read to know what it costs: some of its chunks,
 * evenly spread, are enough.
 */
function rereadSome({ read }: WholeReader, text: string, chunks: string[], samples: number): () => unknown {
  const places = Array.from({ length: samples }, (_, i) => {
    const index = Math.floor(((i + 0.5) * chunks.length) / samples)
    return { start: index * chunks[0]!.length, chunk: chunks[index]! }
  })
  const reads = places.map(({ start, chunk }) => {
    const before = text.slice(0, start)
    // The join is part of the cost: a stream is collected in a string that must become flat to be read.
    return caught(() => read(before + chunk, true))
  })
  return async () => {
    for (const readOne of reads) {
      const value = readOne()
      look(value instanceof Promise ? await value : value)
    }
  }
}
