import { expect, it } from 'vitest'
import { splits } from '../testing/splits.ts'
import { FenceTracker } from './fence-tracker.ts'

function openAfter(chunks: readonly string[]): number | undefined {
  const fence = new FenceTracker()
  let at = 0
  for (const chunk of chunks) {
    fence.feed(chunk, at)
    at += chunk.length
  }
  fence.endLine()
  return fence.open?.start
}

it.each<[string, number | undefined]>([
  ['a\n```js\nx', 2],
  ['```\nx\n```', undefined],
  ['```\nx\n``` js', 0],
  ['````\n```\n', 0],
  ['````\n`````  ', undefined],
  ['~~~\n```\n~~~', undefined],
  ['   ```\n', 3],
  ['    ```\n', undefined],
  ['```a`b\n', undefined],
  ['~~~a`b\n', 0],
  ['``\n', undefined],
  ['x ```\n', undefined],
  ['```\r\n```\r\n', undefined],
])('%j', (text, open) => {
  expect(openAfter([text])).toBe(open)
  for (const chunks of splits(text)) expect(openAfter(chunks)).toBe(open)
})

it('tells a fence that may be the end of one', () => {
  const strayAfter = (text: string) => {
    const fence = new FenceTracker()
    fence.feed(text)
    fence.endLine()
    return fence.stray
  }
  expect(strayAfter('x\n```\n \n')).toBe(true)
  expect(strayAfter('x\n```js\n')).toBe(false)
  expect(strayAfter('x\n```\ny')).toBe(false)
})
