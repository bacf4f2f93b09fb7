import { cutIntoChunks } from '../chunks.ts'
import { caught, judge, type Verdict } from '../judge.ts'
import type { Task } from '../measure.ts'
import type { Document, Section } from './document.ts'
import { streamReaders, use, type WholeReader, wholeReaders } from './readers.ts'

/** Chunks of so many characters, or the whole text as one. */
export type ChunkSize = 16 | 4 | 'whole'

/** What a reader is to be timed with, or why it is not. */
export interface Candidate {
  name: string
  verdict: Verdict
  task: Task
  /** What the time of the task must be multiplied with to be that of the whole stream. */
  scale: number
}

/** Every reader of XML, judged. */
export async function candidatesFor(
  document: Document,
  chunkSize: ChunkSize,
  samples: number,
): Promise<Candidate[]> {
  const { text, sections } = document
  const chunks = chunkSize === 'whole' ? [text] : cutIntoChunks(text, chunkSize)
  const found: Candidate[] = []
  for (const reader of streamReaders) {
    const run = () => use(reader.read(chunks))
    const { gather = reader.read } = reader
    const { verdict } = await judge(() => canonical(gather(chunks)), canonical(sections))
    found.push({ name: reader.name, verdict, task: { name: reader.name, run }, scale: 1 })
  }
  for (const reader of wholeReaders) {
    const { name, read } = reader
    const { verdict } = await judge(
      async () => canonical(use(await read(text)), reader.dedents),
      canonical(sections, reader.dedents),
    )
    const count = Math.min(chunks.length, samples)
    const run =
      chunkSize === 'whole' ? async () => use(await read(text)) : rereadSome(reader, text, chunks, count)
    found.push({ name, verdict, task: { name, run }, scale: chunks.length / count })
  }
  return found
}

/** Line ends at the ends of a content are a matter of taste. */
export function canonical(sections: Section[], dedents = false): Section[] {
  return sections.map(({ name, content }) => {
    const text = content.trim()
    return { name: name.toLowerCase(), content: dedents ? text.replace(/^\s+/gm, '') : text }
  })
}

/**
 * Reading again has no memory, so that the whole stream need not be read to know what it costs: some of its chunks,
 * evenly spread, are enough.
 */
function rereadSome({ read }: WholeReader, text: string, chunks: string[], samples: number): () => unknown {
  const reads = Array.from({ length: samples }, (_, i) => {
    const index = Math.floor(((i + 0.5) * chunks.length) / samples)
    const before = text.slice(0, index * chunks[0]!.length)
    // The join is part of the cost: a stream is collected in a string that must become flat to be read.
    return caught(() => read(before + chunks[index]!))
  })
  return async () => {
    for (const readOne of reads) {
      const sections = (await readOne()) as Section[] | undefined
      if (sections) use(sections)
    }
  }
}
