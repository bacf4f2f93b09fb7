import { describe, expect, it } from 'vitest'
import { readJson } from '../../json/read-json.ts'
import { type Damage, damage, damages } from './damage.ts'

const order = {
  id: 7,
  customer: "Ana O'Neil",
  note: 'the "new" flat\nsecond door',
  paid: true,
  coupon: null,
  lines: [
    { sku: 'A-1', count: 2 },
    { sku: 'B-2', count: 1 },
  ],
}

describe('damage', () => {
  it.each(damages)('leaves its mark: %s', (way) => {
    const { text, damages: done } = damage(order, { damages: [way], pretty: true, everywhere: true })
    expect(done).toEqual([way])
    expect(text).not.toBe(JSON.stringify(order, null, 2))
  })

  it('gives the same text for the same seed, and others for others', () => {
    const texts = Array.from({ length: 20 }, (_, seed) => damage(order, { seed }).text)
    expect(Array.from({ length: 20 }, (_, seed) => damage(order, { seed }).text)).toEqual(texts)
    expect(new Set(texts).size).toBeGreaterThan(10)
  })

  it.each<[Damage[], string]>([
    [['single-quotes', 'trailing-commas'], `{'a':['it\\'s',],'b':{},}`],
    [['curly-quotes'], `{“a”:[“it's”],“b”:{}}`],
    [['unquoted-keys'], `{a:["it's"],b:{}}`],
  ])('writes %j', (ways, text) => {
    expect(damage({ a: ["it's"], b: {} }, { damages: ways, pretty: false, everywhere: true }).text).toBe(text)
  })

  it('names only what was done', () => {
    expect(damage([1, 2], { damages: ['unquoted-keys', 'python-words'] })).toMatchObject({
      damages: [],
      exact: true,
    })
  })

  it('cuts where it is told, and is not exact if the value lost something', () => {
    const cut = (cutAt: number) =>
      damage([1, 2], { damages: ['fence', 'truncation'], pretty: false, cutAt, seed: 1 })
    expect(cut(12)).toEqual({ text: '```json\n[1,2', damages: ['fence', 'truncation'], exact: false })
    expect(cut(13)).toEqual({ text: '```json\n[1,2]', damages: ['fence', 'truncation'], exact: true })
  })

  it('does not call exact what has two meanings', () => {
    expect(damage([1, 2], { damages: ['footnotes'] }).exact).toBe(false)
    expect(damage('Oslo', { damages: ['prose-before'] }).exact).toBe(false)
    expect(damage({ n: 1 }, { damages: ['footnotes'] }).exact).toBe(true)
  })

  it('can do everything at once to a value that is still readable', () => {
    const all = damages.filter((way) => way !== 'truncation')
    const { text, exact } = damage(order, { damages: all, pretty: true, seed: 5 })
    expect(exact).toBe(true)
    expect(readJson(text).value).toEqual(order)
  })
})
