import { JSONParser } from '@streamparser/json'
import { jsonrepairTransform } from 'jsonrepair/stream'
import { parse as parseRiver } from 'jsonriver'
import { legible } from './legible.ts'
import { jsonSchema, zodSchema } from './schemas.ts'

/** Reads a text that comes in chunks, looks at the value after each, and gives the last one. */
export interface StreamReader {
  name: string
  read: (chunks: Iterable<string>) => unknown
  /** It gives text, which must still be parsed: there is no value to look at. */
  textOnly?: boolean
}

/** What a program does with a value that grows, at the least: it reads a property. */
export let looks = 0
export function look(value: unknown): void {
  if (Array.isArray(value)) looks += value.length
}

function readWithLegible(chunks: Iterable<string>, schema?: unknown): unknown {
  const reader = legible!.createJsonReader(schema)
  for (const chunk of chunks) {
    reader.push(chunk)
    look(reader.value)
  }
  return reader.end().value
}

function readWithStreamparser(chunks: Iterable<string>): unknown {
  const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true, keepStack: true })
  let root: unknown
  parser.onValue = ({ value, key, parent, stack, partial }) => {
    root = stack[1]?.value ?? parent ?? value
    // It tells the unfinished string but leaves it to us to put it into the object.
    if (partial && value !== undefined && typeof key === 'string')
      (parent as Record<string, unknown>)[key] = value
  }
  for (const chunk of chunks) {
    parser.write(chunk)
    look(root)
  }
  return root
}

async function readWithJsonriver(chunks: Iterable<string>): Promise<unknown> {
  async function* source() {
    yield* chunks
  }
  let last: unknown
  for await (const value of parseRiver(source())) {
    look(value)
    last = value
  }
  return last
}

function readWithJsonrepairStream(chunks: Iterable<string>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const transform = jsonrepairTransform()
    let repaired = ''
    transform.on('data', (data) => {
      repaired += data
    })
    transform.on('error', reject)
    transform.on('end', () => resolve(JSON.parse(repaired)))
    for (const chunk of chunks) transform.write(chunk)
    transform.end()
  })
}

/** Readers that keep their place: the work of a chunk does not grow with what came before. */
export const streamReaders: StreamReader[] = [
  ...(legible === undefined
    ? []
    : [
        { name: 'legible', read: (chunks: Iterable<string>) => readWithLegible(chunks) },
        { name: 'legible + zod', read: (chunks: Iterable<string>) => readWithLegible(chunks, zodSchema) },
        {
          name: 'legible + JSON Schema',
          read: (chunks: Iterable<string>) => readWithLegible(chunks, jsonSchema),
        },
      ]),
  { name: '@streamparser/json', read: readWithStreamparser },
  { name: 'jsonriver', read: readWithJsonriver },
  { name: 'jsonrepair/stream', read: readWithJsonrepairStream, textOnly: true },
]
