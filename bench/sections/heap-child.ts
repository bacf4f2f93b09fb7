/** Run by itself for each figure, as `node --expose-gc heap-child.ts <reader> <document> <keep or drop>`. */

import { cutIntoChunks } from '../chunks.ts'
import { peaksOf } from '../heap.ts'
import { documentOf, type Kind, longAnswerOf } from './document.ts'
import { streamReaders, use } from './readers.ts'

const [, , name, document, keep] = process.argv
const { text } = document === 'answer' ? longAnswerOf(1000) : documentOf(1000, document as Kind)
const { read } = streamReaders.find((reader) => reader.name === name)!

const peaks = await peaksOf(cutIntoChunks(text, 4), (chunks) => use(read(chunks, keep === 'keep')))
console.log(JSON.stringify(peaks))
