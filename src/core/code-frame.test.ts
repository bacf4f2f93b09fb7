import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CodeFrameOptions, formatCodeFrame } from './code-frame.ts'
import type { Severity } from './issue.ts'

interface Marked extends CodeFrameOptions {
  readonly severity?: Severity
  readonly message?: string
}

/** The frame of a text whose span is written between « and »; one per line, so that the caret can be seen. */
function frame(marked: string, { severity = 'error', message = 'wrong', ...options }: Marked = {}): string[] {
  const start = marked.indexOf('«')
  const text = marked.replace(/[«»]/g, '')
  const place = start < 0 ? {} : { span: [start, marked.indexOf('»') - 1] as const }
  return formatCodeFrame(text, { code: 'json.test', severity, message, ...place }, options).split('\n')
}

describe('formatCodeFrame', () => {
  it('shows the line before, the line, and a caret with the message', () => {
    expect(frame('{\n  "total": «"a lot"»,\n  "paid": 1\n}', { file: 'reply.txt' })).toEqual([
      'reply.txt:2:12 error json.test',
      '  1 │ {',
      '  2 │   "total": "a lot",',
      '    │            ^^^^^^^ wrong',
    ])
  })

  it('shows as much context as is asked for, and as there is', () => {
    const text = 'a\nb\n\nd\n«e»'
    expect(frame(text, { context: 0 })).toEqual(['5:1 error json.test', '  5 │ e', '    │ ^ wrong'])
    expect(frame(text, { context: 2 })[1]).toBe('  3 │')
    expect(frame(text, { context: 9 }).slice(1, 6)).toEqual([
      '  1 │ a',
      '  2 │ b',
      '  3 │',
      '  4 │ d',
      '  5 │ e',
    ])
    expect(frame('\n«b»')).toEqual(['2:1 error json.test', '  1 │', '  2 │ b', '    │ ^ wrong'])
  })

  it('marks the ends of a span over several lines', () => {
    expect(frame('see:\n«{\n  "a": 1,\n  "b": 2\n  }» ok')).toEqual([
      '2:1 error json.test',
      '  1 │ see:',
      '  2 │ {',
      '    │ ^',
      '  ⋮ │',
      '  5 │   } ok',
      '    │   ^ wrong',
    ])
    expect(frame('x: «"a\r\nb"»\r\n')).toEqual([
      '1:4 error json.test',
      '  1 │ x: "a',
      '    │    ^^',
      '  2 │ b"',
      '    │ ^^ wrong',
    ])
  })

  it('aligns line numbers of different length', () => {
    const lines = frame(`${'\n'.repeat(8)}«a\nb»`)
    expect(lines.slice(1)).toEqual(['   8 │', '   9 │ a', '     │ ^', '  10 │ b', '     │ ^ wrong'])
  })

  it('draws one caret where there is nothing', () => {
    expect(frame('{"a" «»1}')).toEqual(['1:6 error json.test', '  1 │ {"a" 1}', '    │      ^ wrong'])
    expect(frame('«»')).toEqual(['1:1 error json.test', '  1 │', '    │ ^ wrong'])
    expect(frame('[1«»')[2]).toBe('    │   ^ wrong')
  })

  it('shows the end of the text where its last character is', () => {
    expect(frame('[1\n\n«»')).toEqual(['1:3 error json.test', '  1 │ [1', '    │   ^ wrong'])
  })

  it('marks a line break at the end of its line', () => {
    expect(frame('"a«\n»b"')[0]).toBe('1:3 error json.test')
    expect(frame('"a\r«\n»b"').slice(1)).toEqual(['  1 │ "a', '    │   ^ wrong'])
  })

  it('keeps a span that lies outside within the text', () => {
    const issue = { code: 'json.test', severity: 'error', message: 'wrong' } as const
    expect(formatCodeFrame('ab', { ...issue, span: [-3, 99] })).toBe(
      '1:1 error json.test\n  1 │ ab\n    │ ^^ wrong',
    )
    expect(formatCodeFrame('ab', { ...issue, span: [50, 40] })).toContain('1:3 ')
  })

  it('says what has no span', () => {
    expect(frame('text', { file: 'reply.txt' })).toEqual(['reply.txt error json.test', '  wrong'])
    expect(frame('text')).toEqual(['error json.test', '  wrong'])
  })

  it('takes tabs and wide characters for what they are on screen', () => {
    expect(frame('\t«x»').slice(1)).toEqual(['  1 │     x', '    │     ^ wrong'])
    expect(frame('"東京": «x»').slice(1)).toEqual(['  1 │ "東京": x', '    │         ^ wrong'])
    expect(frame('«東京»')[2]).toBe('    │ ^^^^ wrong')
    expect(frame('👍 «x»')[2]).toBe('    │    ^ wrong')
    // one picture each: joined, coloured, toned, and a flag
    for (const one of ['👩‍👩‍👧', '❤️', '👍🏽', '🇫🇷']) expect(frame(`${one}«x»`)[2]).toBe('    │   ^ wrong')
    expect(frame('e\u0301«x»')[2]).toBe('    │  ^ wrong')
  })

  it('shows escapes of what a terminal would obey, or nobody would see', () => {
    expect(frame('«\u001b[2J»\u0007').slice(1)).toEqual(['  1 │ \\u001b[2J\\u0007', '    │ ^^^^^^^^^ wrong'])
    expect(frame('a\rb\u009b«\u202e\u200b»\u{e0041}\ud800')[1]).toBe(
      '  1 │ a\\rb\\u009b\\u202e\\u200b\\u{e0041}\\ud800',
    )
    expect(frame('«a»', { message: 'got "\u001b[31m\n"', file: 'a\u001b]0;b' })).toEqual([
      'a\\u001b]0;b:1:1 error json.test',
      '  1 │ a',
      '    │ ^ got "\\u001b[31m\\n"',
    ])
  })

  it('cuts a long line around the span', () => {
    const filler = 'abcdefghij'.repeat(50)
    const [head, line, marks] = frame(`${filler}«HERE»${filler}`)
    expect(head).toBe('1:501 error json.test')
    expect(line).toBe(`  1 │ …${filler.slice(-30)}HERE${filler.slice(0, 66)}…`)
    expect(marks).toBe(`    │ ${' '.repeat(31)}^^^^ wrong`)

    expect(frame(`«AB»${filler}`)[1]).toBe(`  1 │ AB${filler.slice(0, 98)}…`)
    expect(frame(`${filler}«AB»`)[1]).toBe(`  1 │ …${filler.slice(-98)}AB`)
    // a span that does not fit is marked up to the cut
    expect(frame(`${filler}«${filler}»${filler}`)[2]).toBe(`    │ ${' '.repeat(31)}${'^'.repeat(71)} wrong`)
    expect(frame(`${filler}\n«a»`)[1]).toBe(`  1 │ ${filler.slice(0, 100)}…`)
  })

  it('cuts no character in two', () => {
    for (let shift = 0; shift < 2; shift++) {
      const [, line] = frame(`${'x'.repeat(shift)}${'😀'.repeat(200)}«y»${'😀'.repeat(200)}`)
      expect(line).not.toContain('\\u')
    }
  })

  it('colours only when asked to', () => {
    const text = '«a»'
    expect(frame(text).join('')).not.toContain('\u001b')
    expect(frame(text, { color: true, severity: 'warning' })).toEqual([
      '\u001b[1m1:1\u001b[0m \u001b[33mwarning\u001b[0m json.test',
      '\u001b[2m  1 │\u001b[0m a',
      '\u001b[2m    │\u001b[0m \u001b[33m^ wrong\u001b[0m',
    ])
  })

  it('is quick for a line without end', () => {
    const text = 'x'.repeat(4_000_000)
    const start = performance.now()
    formatCodeFrame(text, { code: 'json.test', severity: 'error', message: '', span: [2_000_000, 2_000_001] })
    expect(performance.now() - start).toBeLessThan(200)
  })

  it('puts the caret under the span of any text, and lets no control character through', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 300 })
    fc.assert(
      fc.property(anything, fc.nat(), fc.nat(), (text, a, b) => {
        const span = [Math.min(a % (text.length + 1), b), b % (text.length + 1)] as const
        const issue = { code: 'json.test', severity: 'error', message: text, span } as const
        const lines = formatCodeFrame(text, issue, { file: text }).split('\n')
        expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        expect(lines.at(-1)).toMatch(/^ +│ +\^/)
      }),
    )
  })
})
