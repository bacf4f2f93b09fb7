import { describe, expect, it } from 'vitest'
import type { Span } from '../core/span.ts'
import { embeddedZones, zoneAt } from './embedded-zones.ts'

/** `{…}` in the text is a value; gives where each of them stands. */
function placesOf(text: string): (string | undefined)[] {
  const values = [...text.matchAll(/\{.*?\}/gs)].map(
    ({ index, 0: { length } }): Span => [index, index + length],
  )
  const zones = embeddedZones(text, values)
  return values.map(([start]) => zoneAt(zones, start)?.where)
}

const fence = '```json\n{}\n```'

describe('embeddedZones', () => {
  it.each([
    ['{}', [undefined]],
    ['Look: {} and {}', [undefined, undefined]],
    ['Say `{}` please', ['code']],
    ['Say ``a ` {}`` please', ['code']],
    ['Say `a` {} `b`', [undefined]],
    ['Say `{}', ['code']],
    ['Say `\n{} now', ['code']],
    ['Say `this\n{} now', [undefined]],
    ['Say `{}\n`', ['code']],
    ['He said "{}".', ['quotes']],
    ["He said '{}'.", ['quotes']],
    ['He said “look: {}” to me', ['quotes']],
    ['Er sagte „{}“ und ging', ['quotes']],
    ['Il dit «{}»', ['quotes']],
    ['He said "\n{}\nand left', ['quotes']],
    ['He said "\n\n{}', [undefined]],
    ['It is 5" x 6": {}', [undefined]],
    ["I don't, and it isn't: {}. Won't do.", [undefined]],
    ['Use "a" and "b": {}', [undefined]],
    ['{"a": "`"} and {"b": "`"}', [undefined, undefined]],
    ['> {}\n{}', ['quotes', undefined]],
    ['<!-- {} --> {}', ['comment', undefined]],
    ['<!-- {}', ['comment']],
    ['// {}\n{}', ['comment', undefined]],
    ['# {}\n# Now\n{}', ['comment', undefined]],
    ['```jsonc\n// the time\n{}\n```', [undefined]],
    ['See https://example.org: {}', [undefined]],
    ['<!-- ` --> {} `', [undefined]],
    [fence, [undefined]],
    [`\n ${fence} \n`, [undefined]],
    [`${fence}\n\n${fence}`, [undefined, undefined]],
    ['```json\n{}', [undefined]],
    ['```json\n{}```', [undefined]],
    ['```json {}```', [undefined]],
    ['```json {}\n```', [undefined]],
    ['~~~\n{}\n~~~', [undefined]],
    ['````md\n```\n{}\n```\n````', [undefined]],
    ['```md\nSee:\n```json\n{}\n```\n```', ['fence']],
    [`See:\n${fence}`, ['fence']],
    [`${fence}\nSee?`, ['fence']],
    ['```json\n{}```\nSee?', ['fence']],
    [`See:\n${fence}\n{}`, ['fence', undefined]],
    [`{}\n${fence}`, [undefined, undefined]],
    [`<!-- a -->\n${fence}`, [undefined]],
    ['```md\nSay `{}`, or {}\n```', ['code', undefined]],
    [`See:\n~~~\n<!-- ${fence} -->\n~~~\n{}`, ['fence', undefined]],
  ])('%j', (text, expected) => {
    expect(placesOf(text)).toEqual(expected)
  })

  it.each([
    '`',
    '``\n',
    '"',
    "'",
    '> ',
    '//\n',
    '#',
    '```\n',
    '~~~',
    '<!--',
    '-->',
    '“',
    '` ``\n',
    '\n\n',
    '"\n',
    '{}`',
    '`a`\n\n',
    '"a"\n\n',
    '`\n\n',
  ])('takes time that grows no faster than the text: %j', (part) => {
    const timeOf = (size: number) => {
      const text = part.repeat(size / part.length)
      const start = performance.now()
      placesOf(text)
      return performance.now() - start
    }
    // Generous, as clocks are: what grows with the square would take minutes.
    expect(timeOf(300_000)).toBeLessThan(3000)
  })
})
