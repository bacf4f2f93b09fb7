// Reading takes time that grows no faster than the text, whatever it says and however it is cut. Counted is work, not
// seconds: `steps` of the scanner are characters looked at and states entered.
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../src/core/limits.ts'
import { createJsonReader, readJson, type Schema } from '../src/json/index.ts'
import { JsonScanner } from '../src/json/scanner.ts'
import { damage, damages } from '../src/model/rehearsal/damage.ts'

/** `part` over and over, `size` characters of it. */
const over = (part: string) => (size: number) => part.repeat(Math.ceil(size / part.length)).slice(0, size)
const behind = (start: string, part: string) => (size: number) => start + over(part)(size)
/** Items with their numbers, until `size` characters are there. */
const items = (item: (i: number) => string) => (size: number) => {
  const list: string[] = []
  for (let length = 0; length < size; length += list.at(-1)?.length as number)
    list.push(item(list.length % 100))
  return `[${list.join()}]`
}

const inner = damages.slice(0, damages.indexOf('fence'))
const families: Readonly<Record<string, (size: number) => string>> = {
  // clean
  'short records': items((i) => `{"id":${i},"name":"no. ${i}","ok":true}`),
  'pretty records': items((i) => `\n  {\n    "id": ${i},\n    "tags": [\n      "a"\n    ]\n  }`),
  'a long string': (size) => `{"a":"${over('lorem ipsum ')(size)}"}`,
  'a string of escapes': (size) => `{"a":"${'a\\n'.repeat(size / 3)}"}`,
  'quotes of two kinds': items((i) => `{'a': "b${i}", "c": 'd'}`),
  'a long key': behind('{"', 'k'),
  digits: behind('[', '1'),
  'digits of a member': behind('{"a":', '1'),
  'the same key again': behind('{', '"a":1,'),
  // damaged
  'a bit of everything': items(
    (i) => damage({ id: i, note: 'a "b c"\nd', ok: true }, { seed: i, damages: inner }).text,
  ),
  'inner quotes': (size) => `{"a":"${over('the "new" flat, ')(size)}"}`,
  'raw line breaks': behind('{"a":"', 'ab\n'),
  'strings joined': behind('["a"', ' + "a"'),
  'bare keys': behind('{', 'a:b\n'),
  'keys of many words': behind('{', 'k '),
  'single quotes': behind("['", "it's "),
  ellipses: behind('[', '...,'),
  // cut off
  'a string without an end': behind('{"a":"', 'lorem, ipsum: '),
  'a comment without an end': behind('[1, /*', ' c'),
  'stars in a comment': behind('[1, /*', '*'),
  'a line of comment': behind('[1, //', ' c'),
  'a block without an end': behind('["""', 'a b\n '),
  'a fence without an end': behind('```json\n{"a":"', 'x\n'),
  // hostile
  quotes: over('"'),
  'quotes in a list': behind('["a', '"'),
  'quotes in an object': behind('{"a":"x', '"'),
  'curly quotes': behind('[“', '”'),
  'quotes and spaces': behind('["a', '" '),
  'quotes and line breaks': behind('{"a":"x', '"\n'),
  'two kinds of quotes': behind('["a', `"'`),
  'quotes and commas': over('","'),
  'quotes and commas in a list': behind('[', '","'),
  'quotes and commas in an object': behind('{"a":"', '", "x'),
  'quotes and semicolons': behind('["a', '";a'),
  'quotes and plus': behind('["a', '"+'),
  'triple quotes': behind('[', '"""a""",'),
  'brackets open': over('['),
  'braces open': over('{'),
  'brackets open in prose': behind('x ', '['),
  'objects open': over('{"a":'),
  'objects open in prose': behind('x ', '{"a": ['),
  'brackets close': over(']'),
  'closers that close nothing': behind('[1', '}'),
  backslashes: over('\\'),
  'backslashes in a string': behind('["', '\\'),
  'backslashes in a list': behind('[', '\\'),
  'half escapes': behind('["', '\\u'),
  'spaces after a quote': behind('["a"', ' '),
  'spaces after a key': behind('{"a"', ' '),
  'spaces after a member': behind('{"a":"b"', ' '),
  'spaces after each quote': behind('["a', `"${' '.repeat(150)}`),
  'spaces after each comma': behind('{"a":"b', `",${' '.repeat(150)}`),
  'values that are none': over('[{"a":1} x '),
  'values that are none, in prose': behind('x ', '[{"a":1} x '),
  'values that are none, nested': (size) => `x ${over('[{"a":[')(size)} oops`,
  'values that are none, at once': behind('x ', '[1, ('),
  'bare words with commas': behind('{"a":', ' word,'),
  'bare words with commas in a list': behind('[', 'word,'),
  'bare words with quotes': behind('{"a": w', 'x"'),
  'bare words with brackets': behind('{"a": w', 'x]'),
  'groups of digits': behind('{"a":1', ',000'),
  'digits and commas': behind('{"a":', '1,'),
  comments: behind('[', '/**/'),
  hashes: behind('[1', ' #\n'),
  'many values': over('{"a":1} '),
  'many footnotes': over('see [1] '),
  'many values that are cut': over('x {"a":1'),
  'thoughts that end': over('</think>'),
  'thoughts that begin': over('<think>'),
  'values and thoughts': over('{"a":1}</think>'),
  'less than': over('<'),
  'halves of tags': over('<thin'),
  fences: over('```'),
  'fenced values': over('```json\n{}\n```\n'),
  'fences in strings': behind('```json\n', '{"a":"b"\n```\n'),
  backticks: over('` '),
  dots: over('.'),
  'dots in a list': behind('[', '.'),
  'dots in an object': behind('{', '.'),
  'junk in a list': behind('[1 ', ') '),
  'keys in lists': behind('{"z":[', '"a":['),
  'line breaks': over('\n'),
  commas: behind('[', ','),
}

function steps(text: string, chunk: number): number {
  const scanner = new JsonScanner(defaultLimits)
  for (let at = 0; at < text.length; at += chunk) scanner.push(text.slice(at, at + chunk))
  scanner.end()
  return scanner.steps
}

const SIZE = 2048

describe.each(Object.entries(families))('%s', (name, family) => {
  it.each([1, 4, 16, Number.POSITIVE_INFINITY])('in chunks of %d', (chunk) => {
    const [short, long] = [family(SIZE), family(8 * SIZE)]
    const [few, many] = [steps(short, chunk), steps(long, chunk)]
    expect(many / few).toBeLessThan((9 / 8) * (long.length / short.length) + 0.1)
    // Rereading included: see REREADS in scanner.ts.
    expect(many / long.length).toBeLessThan(8)
  })
})

// What steps do not count: strings that are laid out again and again, searches that run to the end, work on the value.
// This needs a clock. The bound is wide, since machines are busy: linear is 8, quadratic 64.
describe('time', () => {
  const texts = { type: 'array', items: { type: 'string' } }
  const numbers = { type: 'array', items: { type: 'number' } }
  const list = (item: string) => (size: number) =>
    `[${over(`${item},`)(size - (size % (item.length + 1)))}${item}]`
  const inChunks = (text: string, chunk: number, schema?: Schema) => {
    const reader = createJsonReader(schema as Schema, { onChange: () => {} })
    for (let at = 0; at < text.length; at += chunk) reader.push(text.slice(at, at + chunk))
    reader.end()
  }
  const work: Readonly<Record<string, (size: number) => () => unknown>> = {
    'a string, 4 characters at a time': (size) => {
      const text = families['a long string']?.(8 * size) as string
      return () => inChunks(text, 4)
    },
    'quotes and spaces, 4 characters at a time': (size) => {
      const text = families['spaces after each quote']?.(size) as string
      return () => inChunks(text, 4)
    },
    'records with a schema, 4 characters at a time': (size) => {
      const text = list('{"a":1.50,"b":"x"}')(4 * size)
      const schema = { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } }
      return () => inChunks(text, 4, schema)
    },
    'escapes in a large chunk': (size) => {
      const text = families['a string of escapes']?.(16 * size) as string
      return () => inChunks(text, text.length)
    },
    'slashes in bare text': (size) => {
      const text = behind('{"a":x', 'a /b')(8 * size)
      return () => inChunks(text, 4)
    },
    'inner quotes without an end': (size) => {
      const text = behind('{"a":"', 'the "x" ')(4 * size)
      return () => readJson(text)
    },
    'texts for numbers': (size) => {
      const text = list('"1"')(size)
      return () => readJson(text, numbers)
    },
    'numbers for texts': (size) => {
      const text = list('1.0')(size)
      return () => readJson(text, texts)
    },
    'lines for a list': (size) => {
      const text = over('{"a": 1.0}\n')(size)
      return () =>
        readJson(text, { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } })
    },
    'more damage than is listed': (size) => {
      const text = list('True')(4 * size)
      return () => readJson(text)
    },
    'elements of a wrong type': (size) => {
      const text = list('"a"')(size)
      return () => readJson(text, numbers)
    },
    'numbers in nested JSON for texts': (size) => {
      const text = JSON.stringify({ a: list('1')(size / 4) })
      return () => readJson(text, { type: 'object', properties: { a: texts } })
    },
    'digits for a number': (size) => {
      const text = `"${over('1')(size / 2)}"`
      return () => readJson(text, { type: 'number' })
    },
    'words for an enum': (size) => {
      const text = over('it is not SPAM, or is it? ')(4 * size)
      return () => readJson(text, { enum: ['SPAM', 'NOT_SPAM', 'HAM'] })
    },
    'text around reasoning': (size) => {
      const text = `${over('a')(size)}<think>${over('a')(2 * size)}</think>${over('a')(size)}b`
      return () => readJson(text, { type: 'string' })
    },
    'thoughts within text': (size) => {
      const text = over('a<think>b</think>')(4 * size)
      return () => readJson(text, { type: 'string' })
    },
  }
  const small = 8 * 1024

  it.each(Object.entries(work))('%s', (_, make) => {
    const [short, long] = [make(small), make(8 * small)]
    short() // compiled by now
    // The least of several, or what else the machine does would count; one that is right ends the search.
    let ratio = Number.POSITIVE_INFINITY
    for (let i = 0; i < 4 && ratio > 24; i++) ratio = Math.min(ratio, cpu(long) / Math.max(1, cpu(short)))
    expect(ratio).toBeLessThan(24)
  })
})

/** Milliseconds of CPU. */
function cpu(run: () => unknown): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
