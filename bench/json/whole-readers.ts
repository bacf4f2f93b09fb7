import { parseJsonMarkdown } from '@langchain/core/output_parsers'
import { parsePartialJson } from 'ai'
import { parse as parseBestEffort, setErrorLogger } from 'best-effort-json-parser'
import { jsonrepair } from 'jsonrepair'
import { repairJsonOrThrow } from 'llm-json-repair'
import { parse as parsePartial } from 'partial-json'
import { readWithBaml } from './baml.ts'
import { legible } from './legible.ts'
import { jsonSchema, zodSchema } from './schemas.ts'

/** Reads a whole text at once. It throws, or gives undefined, if it finds no value. */
export interface WholeReader {
  name: string
  read: (text: string, truncated: boolean) => unknown
  /** It reads strict JSON only: there is no point in giving it anything else. */
  strict?: boolean
  /** It gives null, or an empty list, for what is absent. */
  fillsGaps?: boolean
  /** It validates, so that a truncated answer is rightly refused. */
  schema?: boolean
}

setErrorLogger(() => {})

const ours: WholeReader[] =
  legible === undefined
    ? []
    : [
        { name: 'legible', read: (text) => legible!.readJson(text).value },
        { name: 'legible + zod', read: (text) => legible!.readJson(text, zodSchema).value, schema: true },
        {
          name: 'legible + JSON Schema',
          read: (text) => legible!.readJson(text, jsonSchema).value,
          schema: true,
        },
      ]

export const wholeReaders: WholeReader[] = [
  ...ours,
  { name: 'JSON.parse + zod', read: (text) => zodSchema.parse(JSON.parse(text)), strict: true },
  { name: 'jsonrepair', read: (text) => JSON.parse(jsonrepair(text)) },
  { name: 'partial-json', read: (text) => parsePartial(text) },
  { name: 'best-effort-json-parser', read: (text) => parseBestEffort(text) },
  { name: 'llm-json-repair', read: (text) => repairJsonOrThrow(text) },
  { name: 'ai parsePartialJson', read: async (text) => (await parsePartialJson(text)).value },
  { name: '@langchain/core parseJsonMarkdown', read: (text) => parseJsonMarkdown(text) },
  { name: '@boundaryml/baml', read: readWithBaml, fillsGaps: true },
]
