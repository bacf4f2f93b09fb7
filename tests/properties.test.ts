// What must hold for every text, tried on thousands of made-up ones. PROPERTY_RUNS=20000 searches longer,
// PROPERTY_SEED=2 elsewhere; a failure prints the seed, the path and the smallest text that shows it.
import { isDeepStrictEqual } from 'node:util'
import { type Schema as CheckedSchema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Issue } from '../src/core/issue.ts'
import { randomNumbers } from '../src/core/random-numbers.ts'
import type { Read } from '../src/core/read.ts'
import {
  createJsonReader,
  type JsonChange,
  type JsonReader,
  type JsonReaderOptions,
  readJson,
  type Schema,
  suggestRetry,
} from '../src/json/index.ts'
import { type Damage, damage, damages } from '../src/model/rehearsal/damage.ts'
import { splits } from '../src/testing/splits.ts'

const runs = Number(process.env.PROPERTY_RUNS ?? 400)
const seed = Number(process.env.PROPERTY_SEED ?? 1)

function holds<T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => void, share = 1): void {
  fc.assert(fc.property(arbitrary, property), { numRuns: Math.ceil(runs * share), seed })
}

// ---------------------------------------------------------------------------------------------- made-up texts

/** What is awkward in a string, because it means something outside of one. */
const awkward = [
  ...[
    '"',
    "'",
    '`',
    '“',
    '”',
    '‘',
    '’',
    '«',
    '\\',
    '\\"',
    '\n',
    '\r\n',
    '\t',
    '\u0000',
    '\u0001',
    '\u2028',
    '\u00a0',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ', ',
    ':',
    ': ',
    ';',
    '//',
    '/*',
    '*/',
    '#',
    '# ',
    '+',
    '-',
    '.',
    '...',
    '…',
    '=',
  ],
  ...[
    '```',
    '```json\n',
    '~~~',
    '<think>',
    '</think>',
    '<',
    '</thin',
    '"a": 1',
    '", "b": "',
    '"}',
    '"]',
    '{"a": 1}',
  ],
  ...[
    'é',
    '漢',
    '😀',
    '\ud83d',
    '\ude00',
    'a',
    'b ',
    'word',
    'it’s',
    ' "new" flat',
    '1,000',
    'true',
    'None',
    '__proto__',
  ],
]
const text = fc.oneof(
  fc.array(fc.constantFrom(...awkward), { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'id', 'tags', 'first name', 'x-y', '') },
  { weight: 2, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '0', '1') },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.integer({ min: 150, max: 200 }).map((size) => 'k'.repeat(size)) },
)
const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '0.5',
  '1e5',
  '1E+5',
  '1e-7',
  '1e400',
  '123456789012345678901234567890',
]

/** A JSON text in the making: an object may say a key twice. */
type Doc =
  | string
  | readonly Doc[]
  | { readonly entries: readonly (readonly [string, Doc])[] }
  | { readonly raw: string }

const { doc, container } = fc.letrec<{ doc: Doc; container: Doc }>((tie) => ({
  doc: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      text,
      fc.constantFrom(...numbers, 'true', 'false', 'null').map((raw) => ({ raw })),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => ({ raw: JSON.stringify(number) })),
    ),
    tie('container'),
  ),
  container: fc.oneof(
    fc.array(tie('doc'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('doc')), { maxLength: 4 }).map((entries) => ({ entries })),
  ),
}))

/** Writes it with white space of JSON between all tokens, as `space` gives it. */
function write(doc: Doc, space: () => string): string {
  if (typeof doc === 'string') return JSON.stringify(doc)
  if ('raw' in doc) return doc.raw
  if (Array.isArray(doc))
    return `[${space()}${doc.map((item) => write(item, space)).join(`${space()},${space()}`)}${space()}]`
  const { entries } = doc as { entries: readonly (readonly [string, Doc])[] }
  const members = entries.map(
    ([name, item]) => `${JSON.stringify(name)}${space()}:${space()}${write(item, space)}`,
  )
  return `{${space()}${members.join(`${space()},${space()}`)}${space()}}`
}

const spaces = ['', '', ' ', '\n', '\r\n', '\t', '\n    ', ' '.repeat(200)]
const cleanText = (root: fc.Arbitrary<Doc>) =>
  fc.tuple(root, fc.integer({ min: 0, max: 3 }), fc.nat()).map(([root, style, nat]) => {
    const random = randomNumbers(nat)
    if (style === 0) return write(root, () => '')
    if (style === 1) return JSON.stringify(JSON.parse(write(root, () => '')), null, 2)
    return write(root, () => spaces[Math.floor(random() * spaces.length)] as string)
  })
/** As it is when written and read once: without -0 and the like. */
const value = cleanText(container).map((text) => JSON.parse(JSON.stringify(JSON.parse(text))) as object)

/** Brackets, quotes, fences, tags, escapes and words in any order. */
const hostile = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      '{',
      '[',
      '[{',
      '{"a": ',
      '{"a": "',
      '["',
      'Text: ',
      'Text: {"a": 1} and ',
      '```json\n',
    ),
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...awkward) },
        {
          weight: 2,
          arbitrary: fc.constantFrom('"', '"', '{', '}', '[', ']', ',', ':', '\n', ' ', '"""', "'''"),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            '1',
            '12.',
            '1e',
            '007',
            'tru',
            'NaN',
            'a:',
            'first name:',
            '\\u00e',
            '\\x4',
          ),
        },
        { weight: 1, arbitrary: text },
      ),
      { maxLength: 16 },
    ),
  )
  .map(([start, parts]) => start + parts.join(''))

// ------------------------------------------------------------------------------------------------- what holds

/** Not by vitest: to it, an own key called `constructor` makes two equal objects differ. */
function same(actual: unknown, expected: unknown, what = ''): void {
  if (!isDeepStrictEqual(actual, expected))
    expect.fail(`${what}\n  got      ${show(actual)}\n  expected ${show(expected)}`)
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    typeof item === 'bigint' || Number.isNaN(item) ? String(item) : item,
  )
}

function stream(chunks: readonly string[], schema?: Schema, options?: JsonReaderOptions): Read<unknown> {
  const reader = open(schema, options)
  for (const chunk of chunks) reader.push(chunk)
  return reader.end()
}

function open(schema: Schema | undefined, options?: JsonReaderOptions): JsonReader<unknown> {
  return createJsonReader(schema as Schema, options)
}

/** What every reading keeps to, whatever the text: it comes back for what else the caller wants to know. */
function sound(text: string, schema?: Schema): Read<unknown> {
  const whole = readJson(text, schema as Schema)
  for (const { code, span } of whole.issues)
    if (span && !(0 <= span[0] && span[0] <= span[1] && span[1] <= text.length))
      expect.fail(`the span of ${code} lies outside the text: ${span}`)
  expect(whole.ok).toBe(!whole.issues.some(({ severity }) => severity === 'error'))
  if (whole.ok) expect(whole).toHaveProperty('value')
  for (const chunks of [[text], ...splits(text, text.length, 2)])
    same(stream(chunks, schema), whole, `cut as ${JSON.stringify(chunks)}`)
  same(JSON.parse(JSON.stringify(whole.issues)), whole.issues, 'issues can be sent as JSON')
  const retry = suggestRetry(whole.issues)
  expect(retry).not.toMatch(/\bat \S+ \(|\.[jt]s:\d|node_modules|file:\/\/|Error:/)
  if (!whole.ok) expect(retry, 'an error comes with something to say').not.toBe('')
  return whole
}

describe('clean JSON', () => {
  it('is read as JSON.parse reads it, whole and in pieces', () => {
    holds(cleanText(doc), (text) => {
      same(sound(text), { ok: true, value: JSON.parse(text), complete: true, issues: [] })
    })
  })

  it('is there in the live value as soon as it has come', () => {
    // The line break shows that [1] is no link.
    holds(cleanText(container), (text) => {
      for (const chunks of splits(`${text}\n`, text.length, 2)) {
        const reader = open(undefined)
        for (const chunk of chunks) reader.push(chunk)
        same(reader.value, JSON.parse(text))
        same(reader.snapshot(), JSON.parse(text))
      }
    })
  })
})

/** Which issue tells of a damage. Reasoning is no mistake. */
const codes: Readonly<Record<Damage, string | undefined>> = {
  'single-quotes': 'wrong_quotes',
  'curly-quotes': 'wrong_quotes',
  'back-quotes': 'wrong_quotes',
  'unquoted-keys': 'unquoted_key',
  'trailing-commas': 'extra_comma',
  'missing-commas': 'missing_comma',
  comments: 'comment',
  'raw-newlines': 'unescaped_control',
  'inner-quotes': 'unescaped_quote',
  'python-words': 'foreign_word',
  fence: 'surrounded',
  'prose-before': 'surrounded',
  'prose-after': 'surrounded',
  footnotes: 'surrounded',
  reasoning: undefined,
  truncation: undefined,
}

describe('damaged JSON', () => {
  const repairable = damages.filter((way) => way !== 'truncation')
  const damaged = fc
    .tuple(value, fc.subarray(repairable, { minLength: 1, maxLength: 5 }), fc.nat())
    .map(([value, ways, seed]) => ({ value, ...damage(value, { damages: ways, seed }) }))

  it('gives the value back, and says what was wrong', () => {
    holds(damaged, ({ value, text, damages, exact }) => {
      const read = sound(text)
      if (!exact) return
      expect(read).toMatchObject({ ok: true, complete: true })
      same(read.value, value)
      const told = new Set(read.issues.map(({ code }) => code))
      for (const way of damages) if (codes[way]) expect(told).toContain(`json.${codes[way]}`)
      if (damages.length === 0) expect(read.issues).toEqual([])
    })
  })

  const documents: unknown[] = [
    {
      city: 'São Paulo',
      people: 12_400_000,
      ratio: -0.5,
      capital: false,
      mayor: null,
      tags: ['a', 'b"c\\', ''],
    },
    [{ id: 1, note: 'a, "b": {c}\n😀' }, { id: 2, note: '```' }, [], {}, [[1e-7, 1.5e300]], true],
    { a: { b: { c: [{ d: 'x' }] } }, '"k"': 'it’s', é: ['</think>'], 'first name': 'Ana' },
  ]
  it.each(documents)('%j is read as far as it goes, wherever it is cut', (document) => {
    for (const pretty of [false, true]) {
      const whole = JSON.stringify(document, null, pretty ? 2 : 0)
      for (let cutAt = 1; cutAt < whole.length; cutAt++) {
        const text = whole.slice(0, cutAt)
        const read = sound(text)
        expect(read.complete, text).toBe(false)
        expect(read.ok, text).toBe(true)
        expect(read.issues.map(({ code }) => code).join(), text).toMatch(/unclosed_(object|array)/)
        expectPart(read.value, document, read.issues, text)
      }
    }
  })

  it('is read without a throw when it is damaged and cut', () => {
    const cut = fc
      .tuple(value, fc.subarray([...damages], { maxLength: 4 }), fc.nat())
      .map(([value, ways, seed]) => damage(value, { damages: [...ways, 'truncation'], seed }).text)
    holds(cut, (text) => void sound(text))
  })
})

/**
 * A value that was cut off is a part of the whole one: lists are prefixes, objects have their first members, and
 * of all that only the very last string may be a prefix and the very last number another one, which is said.
 */
function expectPart(
  part: unknown,
  whole: unknown,
  issues: readonly Issue[],
  text: string,
  last = true,
): void {
  const where = `${text} at ${JSON.stringify(part)}`
  if (!last) same(part, whole, where)
  else if (typeof part === 'string') expect(String(whole).startsWith(part), where).toBe(true)
  else if (typeof part === 'object' && part !== null) {
    const keys = Object.keys(part)
    expect(Object.keys(whole as object).slice(0, keys.length), where).toEqual(keys)
    for (const [i, key] of keys.entries())
      expectPart(
        (part as Record<string, unknown>)[key],
        (whole as Record<string, unknown>)[key],
        issues,
        text,
        i === keys.length - 1,
      )
  } else if (part !== whole) {
    const cut = issues.find(({ code }) => code === 'json.cut_off')?.params.text as string
    expect(JSON.stringify(whole).startsWith(cut), where).toBe(true)
  }
}

describe('any text', () => {
  it('is read the same whole and in pieces, and never throws', () => {
    holds(hostile, (text) => void sound(text), 4)
  })
})

// ----------------------------------------------------------------------------------------------- with schemas

const word = { type: 'string' }
const schemas: Readonly<Record<string, Schema>> = {
  text: word,
  number: { type: 'number' },
  integer: { type: 'integer', minimum: 0 },
  boolean: { type: 'boolean' },
  words: { enum: ['a', 'word', 'true', 'None'] },
  list: { type: 'array', items: word },
  numbers: { type: 'array', items: { type: 'number' }, minItems: 1 },
  record: { type: 'object', additionalProperties: { type: 'number' } },
  object: {
    type: 'object',
    properties: { a: { type: 'number' }, b: word, tags: { type: 'array' } },
    required: ['a'],
  },
  closed: {
    type: 'object',
    properties: { a: word, id: { type: ['integer', 'null'] } },
    additionalProperties: false,
  },
  nested: {
    type: 'array',
    items: {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { enum: ['x', 'word'] } },
      required: ['a', 'b'],
    },
  },
  union: {
    anyOf: [
      {
        type: 'object',
        properties: { a: { type: 'integer' } },
        required: ['a'],
        additionalProperties: false,
      },
      { type: 'array', items: { type: 'number' } },
      word,
    ],
  },
  tree: {
    $ref: '#/$defs/t',
    $defs: { t: { type: 'object', properties: { a: word, c: { $ref: '#/$defs/t' } } } },
  },
  dates: {
    type: 'object',
    properties: { a: { type: 'string', format: 'date-time' }, b: { type: 'string', format: 'date' } },
  },
  zodObject: z.object({ a: z.number(), b: z.string().optional(), id: z.bigint().optional() }),
  zodUnion: z.union([z.object({ a: z.boolean() }), z.object({ b: z.array(z.number()) }), z.number()]),
  zodDate: z.object({ a: z.date().nullable(), tags: z.array(z.string().min(1)).default([]) }),
  zodStrict: z.strictObject({ a: z.string().max(3), b: z.tuple([z.string(), z.number()]).optional() }),
}

/** Whether the schema's own library accepts a value, without ours in between. */
function accepts(schema: Schema, value: unknown): boolean {
  if (schema instanceof z.ZodType) return schema.safeParse(value).success
  try {
    return new Validator(schema as CheckedSchema, '2020-12').validate(value).valid
  } catch (error) {
    // It cannot say anything about a key with half a surrogate pair in it.
    return error instanceof URIError
  }
}

describe.each(Object.entries(schemas))('with a schema: %s', (_, schema) => {
  const texts = fc.oneof(
    { weight: 3, arbitrary: hostile },
    { weight: 2, arbitrary: cleanText(doc) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(value, fc.subarray([...damages], { maxLength: 4 }), fc.nat())
        .map(([value, ways, seed]) => damage(value, { damages: ways, seed }).text),
    },
    fc.constantFrom(
      '{"a": "1,200", "b": 7}',
      'It is true.',
      '{"A": "2026-01-20", "tags": "x"}',
      '[{"a": "yes"}]',
      '42',
    ),
  )

  it('what is ok is what the schema accepts', () => {
    holds(
      texts,
      (text) => {
        const read = sound(text, schema)
        if (read.ok) expect(accepts(schema, read.value), text).toBe(true)
      },
      0.5,
    )
  })

  it('snapshots stay, and changes add up to the live value', () => {
    holds(texts, (text) => live(text, schema), 0.25)
  })
})

describe('without a schema', () => {
  it('snapshots stay, and changes add up to the live value', () => {
    holds(hostile, (text) => live(text, undefined))
  })
})

/**
 * What a listener makes of the changes alone. One that sets puts its value at its path, whatever was there; one
 * that appends lengthens the text at its path. The containers on the path are
 * always there. An empty path is the root; `undefined` there means that nothing is shown any more.
 */
class Replay {
  root: unknown

  apply(change: JsonChange): void {
    const last = change.path.at(-1)
    const parent = change.path.slice(0, -1).reduce<unknown>((at, step) => {
      expect(at, `a container on the path ${change.path.join('.')}`).toBeTypeOf('object')
      expect(Object.hasOwn(at as object, step), `a container on the path ${change.path.join('.')}`).toBe(true)
      return (at as Record<PropertyKey, unknown>)[step]
    }, this.root) as Record<PropertyKey, unknown>
    const before = last === undefined ? this.root : Object.hasOwn(parent, last) ? parent[last] : undefined
    const after =
      change.kind === 'append'
        ? `${typeof before === 'string' ? before : ''}${change.text}`
        : structuredClone(change.value)
    if (last === undefined) this.root = after
    else
      Object.defineProperty(parent, last, {
        value: after,
        configurable: true,
        enumerable: true,
        writable: true,
      })
  }
}

function live(text: string, schema: Schema | undefined): void {
  for (const chunks of splits(text, text.length, 1)) {
    const replay = new Replay()
    const snapshots: [unknown, unknown][] = []
    const reader = open(schema, { onChange: (change) => replay.apply(change) })
    for (const chunk of chunks) {
      reader.push(chunk)
      same(replay.root, reader.value, `after ${JSON.stringify(chunk)} of ${JSON.stringify(text)}`)
      const snapshot = reader.snapshot()
      same(snapshot, reader.value)
      snapshots.push([snapshot, structuredClone(snapshot)])
    }
    reader.end()
    for (const [snapshot, then] of snapshots) same(snapshot, then)
  }
}
