/** Run by itself for each figure, as `node --expose-gc heap-child.ts <reader> <chunk size>`. */
import { cutIntoChunks } from '../chunks.ts'
import { peaksOf } from '../heap.ts'
import { documentOf } from './run.ts'
import { streamReaders } from './stream-readers.ts'

const [, , name, chunkSize] = process.argv
const { text } = documentOf(1000)
const read =
  name === 'JSON.parse'
    ? () => JSON.parse(text) as unknown
    : streamReaders.find((reader) => reader.name === name)!.read
console.log(JSON.stringify(await peaksOf(cutIntoChunks(text, Number(chunkSize)), read)))
