import { expect, it } from 'vitest'
import { type Block, splitLines } from './calls-lines.ts'

const never = new AbortController().signal

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The lines of all blocks, by their numbers. */
async function numbered(text: string, size: number, maxLine: number, signal = never): Promise<string[]> {
  const found: string[] = []
  let line = 1
  let total = 0
  for await (const { first, lines, bytes, size: length } of splitLines(
    chunksOf(text, size),
    maxLine,
    signal,
  )) {
    expect(first).toBe(line)
    line += lines
    total += length
    if (bytes === undefined) found.push(`${first} too long`)
    else {
      expect(bytes.buffer.byteLength).toBe(bytes.length)
      const each = Buffer.from(bytes).toString().replace(/\n$/, '').split('\n')
      expect(each).toHaveLength(lines)
      found.push(...each.map((content, i) => `${first + i} ${content}`))
    }
  }
  if (!signal.aborted) expect(total).toBe(Buffer.byteLength(text))
  return found
}

it.each([
  ['', []],
  ['\n', ['1 ']],
  ['a\nb', ['1 a', '2 b']],
  ['a\n\n東\n', ['1 a', '2 ', '3 東']],
  ['abcd\nabcde\nabcdef\nabc', ['1 abcd', '2 abcde', '3 too long', '4 abc']],
  ['abcdefghi\nabcdef\na\nb\nabcdefgh', ['1 too long', '2 too long', '3 a', '4 b', '5 too long']],
])('%j, however it arrives', async (text, lines) => {
  for (const size of [1, 2, 3, 4, 5, 7, 100]) expect(await numbered(text, size, 5)).toEqual(lines)
})

it('gives all lines of a chunk at once', async () => {
  const blocks: Block[] = []
  for await (const block of splitLines(chunksOf('a\nb\nc\nd\n', 6), 5, never)) blocks.push(block)
  expect(blocks.map(({ lines }) => lines)).toEqual([3, 1])
})

it('gives no part of a line when it was stopped', async () => {
  expect(await numbered('a\nb', 1, 5, AbortSignal.abort())).toEqual(['1 a'])
})
