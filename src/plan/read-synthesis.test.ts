import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSynthesis, type SynthesisOptions } from './read-synthesis.ts'

const synthesis = (text: string, options?: SynthesisOptions) => readSynthesis(text, options).value

describe('readSynthesis', () => {
  it('trims, and leaves all else as it is', () => {
    expect(synthesis('\n  The harbour froze twice.\n')).toBe('The harbour froze twice.')
    for (const text of ['Final answer: 42', '```\n42\n```', 'Use `<think>`.', ''])
      expect(synthesis(text)).toBe(text)
    fc.assert(fc.property(fc.string(), (text) => void expect(synthesis(text)).toBe(text.trim())))
  })

  it.each([
    ['<think>secret</think>Hello', 'Hello'],
    ['secret</think>\nHello', 'Hello'],
    ['Hello, <think>who?</think>Ada', 'Hello, Ada'],
    ['<think>a</think>Hello<reflection>b</reflection>', 'Hello'],
    ['<think>secret</think>\n**Final answer:** 42', '42'],
    ['<think>secret</think>```md\n42\n```', '42'],
    ['**Final answer:** <think>secret</think>42', '42'],
    ['<think>secret', ''],
  ])('leaves reasoning out: %j', (text, expected) => {
    expect(synthesis(text, { dropLabel: true, unwrapFence: true })).toBe(expected)
    expect(synthesis(text, { reasoning: 'none' })).toBe(text.trim())
  })

  it('is not complete when it ends in reasoning', () => {
    expect(readSynthesis('<think>secret').complete).toBe(false)
    expect(readSynthesis('secret, still', { reasoning: 'open' })).toMatchObject({
      value: '',
      complete: false,
    })
    expect(readSynthesis('secret</think>Hello', { reasoning: 'open' }).value).toBe('Hello')
  })

  it('says where labels and fences stand, also behind reasoning', () => {
    const text = 'Final <think>a</think>answer:<think>b</think>\n```\n42\n```'
    const { issues } = readSynthesis(text, { dropLabel: true, unwrapFence: true })
    expect(issues.map(({ code, span }) => [code, text.slice(...(span ?? [0, 0]))])).toEqual([
      ['plan.dropped_reasoning', '<think>a</think>'],
      ['plan.dropped_label', 'Final <think>a</think>answer:'],
      ['plan.unwrapped_fence', '```\n42\n```'],
    ])
  })

  it.each([
    ['```\n42\n```', '42'],
    ['```md\n# Title\n\ntext\n```', '# Title\n\ntext'],
    ['~~~\n42\n~~~', '42'],
    ['````md\n```js\nf()\n```\n````', '```js\nf()\n```'],
    ['```js\nf()\n```\nand\n```js\ng()\n```', '```js\nf()\n```\nand\n```js\ng()\n```'],
    ['Here: ```x```', 'Here: ```x```'],
    ['```\nno end', '```\nno end'],
    ['```', '```'],
  ])('unwraps a fence around all of it: %j', (text, expected) => {
    expect(synthesis(text, { unwrapFence: true })).toBe(expected)
  })

  it.each([
    ['Final answer: 42', '42'],
    ['final Answer:\n\n42', '42'],
    ['**Final answer:** 42', '42'],
    ['**Answer**: 42', '42'],
    ['## Final Answer\n42', '42'],
    ['Answer: it is 42. Answer: yes.', 'it is 42. Answer: yes.'],
    ['Final answers differ.', 'Final answers differ.'],
    ['The final answer: 42', 'The final answer: 42'],
    ['Answering: 42', 'Answering: 42'],
    ['Answer *this*: 42', 'Answer *this*: 42'],
  ])('drops a leading label: %j', (text, expected) => {
    expect(synthesis(text, { dropLabel: true })).toBe(expected)
  })

  it('drops a label of your own, and both together', () => {
    expect(synthesis('Conclusion: 42', { dropLabel: 'Conclusion:' })).toBe('42')
    expect(synthesis('Answer: 42', { dropLabel: 'Conclusion' })).toBe('Answer: 42')
    const both = { unwrapFence: true, dropLabel: true }
    expect(synthesis('```\nFinal answer: 42\n```', both)).toBe('42')
    expect(synthesis('Final answer:\n```\n42\n```', both)).toBe('42')
  })

  it('says what it took away, and where', () => {
    const text = ' Answer:\n```\n42\n```\n'
    const read = readSynthesis(text, { unwrapFence: true, dropLabel: true })
    expect(read).toMatchObject({ ok: true, complete: true, value: '42' })
    expect(read.issues.map(({ code, span = [0, 0] }) => [code, text.slice(...span)])).toEqual([
      ['plan.dropped_label', 'Answer:'],
      ['plan.unwrapped_fence', '```\n42\n```'],
    ])
    expect(readSynthesis('42', { unwrapFence: true, dropLabel: true }).issues).toEqual([])
    expect(readSynthesis(' ').issues).toMatchObject([{ code: 'plan.empty_synthesis', severity: 'warning' }])
  })

  it('never throws, and only takes away', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const read = synthesis(text, { unwrapFence: true, dropLabel: true })
        expect(text).toContain(read)
      }),
    )
  })
})
