import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inOrder } from './calls-in-order.ts'

async function* count(to: number): AsyncGenerator<number> {
  for (let i = 0; i < to; i++) yield i
}

it('gives results in the order of the items, whichever is done first', async () => {
  let running = 0
  let most = 0
  const work = async (item: number) => {
    most = Math.max(most, ++running)
    await sleep((item * 7) % 5)
    running--
    return item * 2
  }
  const found: number[] = []
  for await (const { item, result } of inOrder(count(50), work, (_, now) => now.length < 4)) {
    expect(result).toBe(item * 2)
    found.push(item)
  }
  expect(found).toEqual(Array.from({ length: 50 }, (_, i) => i))
  expect(most).toBe(4)
})

it('does not wait for an item to give a result that is there', async () => {
  async function* one(): AsyncGenerator<number> {
    yield 1
    await new Promise(() => undefined)
  }
  for await (const { result } of inOrder(
    one(),
    async (item) => item,
    () => true,
  )) {
    expect(result).toBe(1)
    return
  }
})

it('takes nothing while nobody takes results', async () => {
  let taken = 0
  async function* counted(): AsyncGenerator<number> {
    for (;;) yield taken++
  }
  const results = inOrder(
    counted(),
    async (item) => item,
    (_, now) => now.length < 3,
  )
  await results.next()
  await sleep(20)
  expect(taken).toBeLessThan(6)
})

it('always has room for one', async () => {
  const found: number[] = []
  for await (const { item } of inOrder(
    count(3),
    async () => undefined,
    () => false,
  ))
    found.push(item)
  expect(found).toEqual([0, 1, 2])
})

it.each([1, 4])('throws what the work on an item throws, %i at a time', async (most) => {
  const read = async () => {
    const work = async (item: number) => {
      if (item >= 2) throw new Error(`no ${item}`)
      return item
    }
    for await (const { item } of inOrder(count(9), work, (_, now) => now.length < most))
      expect(item).toBeLessThan(2)
  }
  await expect(read()).rejects.toThrow('no 2')
})
