import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ReasoningFold } from './reasoning-fold.ts'

function openFold({ folded = false, isTTY = true, columns = 80, color = false } = {}) {
  const output = Object.assign(new PassThrough(), { isTTY, columns }) as unknown as NodeJS.WriteStream &
    PassThrough
  const fold = new ReasoningFold({ output, color, folded })
  const written = () => String(output.read() ?? '')
  return { fold, output, written }
}

describe('unfolded', () => {
  test('streams with a bar before each line, and says at the end how long it took', () => {
    const { fold, written } = openFold()
    fold.push('\n\nFirst I')
    expect(written()).toBe('│ First I')
    fold.push(' look.\n\nThen')
    expect(written()).toBe(' look.\n│ \n│ Then')
    fold.push(' more.\n\n')
    fold.end()
    expect(written()).toBe(' more.\n▸ thought for 1 s, 5 words\n')
  })

  test('is dimmed, and obeys nothing', () => {
    const { fold, written } = openFold({ color: true })
    fold.push('a\x1b[2J')
    expect(written()).toBe('\x1b[2m│ a\\u001b[2J\x1b[22m')
  })
})

describe('folded', () => {
  test('counts in one line, which is never too wide', () => {
    const { fold, output, written } = openFold({ folded: true, columns: 30 })
    fold.push('one two thr')
    expect(written()).toBe('\x1b[?7l▸ thinking… 3 words  (Ctrl-T…\x1b[?7h\r')
    fold.push('ee four\n')
    output.columns = 20
    output.emit('resize')
    expect(written()).toBe('\r\x1b[J\x1b[?7l▸ thinking… 4 word…\x1b[?7h\r')
    output.columns = 80
    fold.end()
    expect(written()).toBe('\r\x1b[J▸ thought for 1 s, 4 words\n')
    expect(output.listenerCount('resize')).toBe(0)
  })

  test('shows what was said so far when it is unfolded, and only that which was not shown', () => {
    const { fold, written } = openFold({ folded: true })
    fold.push('one\ntwo')
    written()
    fold.toggle()
    expect(written()).toBe('\r\x1b[J│ one\n│ two')
    expect(fold.folded).toBe(false)
    fold.push(' three')
    fold.toggle()
    expect(written()).toContain(' three\n\x1b[?7l▸ thinking… 3 words')
    fold.push(' four')
    fold.toggle()
    expect(written()).toBe('\r\x1b[J│  four')
    fold.end()
    expect(written()).toBe('\n▸ thought for 1 s, 4 words\n')
  })

  test('keeps no more than anybody reads', () => {
    const { fold, written } = openFold({ folded: true })
    for (let i = 0; i < 20; i++) fold.push('x'.repeat(100_000))
    written()
    fold.toggle()
    const shown = written()
    expect(shown).toContain('│ … xxx')
    expect(shown.length).toBeLessThan(410_000)
  })
})

test('counts the words of scripts without spaces by their characters', () => {
  const { fold, written } = openFold()
  fold.push('我需要')
  fold.push('想 a b')
  fold.end()
  expect(written()).toContain('6 words')
})

test('one word is no words', () => {
  const { fold, written } = openFold()
  fold.push('hm')
  fold.end()
  expect(written()).toContain(', 1 word\n')
})

test('nothing was thought: nothing is said; a toggle is for the next time', () => {
  const { fold, written } = openFold({ folded: true })
  fold.end()
  fold.toggle()
  expect(written()).toBe('')
  fold.push('a')
  expect(written()).toBe('│ a')
})

test('no terminal: nothing of it is written', () => {
  const { fold, written } = openFold({ isTTY: false })
  fold.push('a')
  fold.toggle()
  fold.end()
  expect(written()).toBe('')
})
