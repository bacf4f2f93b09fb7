import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MarkdownStream } from './markdown-stream.ts'

function inParts(parts: readonly string[], color = true): string {
  const stream = new MarkdownStream({ color })
  return parts.map((part) => stream.push(part)).join('') + stream.end()
}

/** Styles as tags, so that they can be read. */
const tags: Readonly<Record<string, string>> = {
  '\x1b[1m': '<b>',
  '\x1b[2m': '<dim>',
  '\x1b[22m': '</>',
  '\x1b[3m': '<i>',
  '\x1b[23m': '</i>',
  '\x1b[36m': '<code>',
  '\x1b[39m': '</code>',
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the styles
const styles = /\x1b\[\d+m/g
const shown = (text: string) => inParts([text]).replace(styles, (style) => tags[style] ?? '?')

describe('styles', () => {
  test.each([
    ['# A **b** `c`', '<b>A b <code>c</code></>'],
    ['###### deep', '<b>deep</>'],
    ['a **bold** b', 'a <b>bold</> b'],
    ['**a**, ***b***', '<b>a</>, <b><i>b</i></>'],
    ['**a *b* c**', '<b>a <i>b</i> c</>'],
    ['これは**太字**です', 'これは<b>太字</>です'],
    ['an *italic* word', 'an <i>italic</i> word'],
    ['`a * b * c` and ``x ` y``', '<code>a * b * c</code> and <code>x ` y</code>'],
    ['- one\n  * two\n+ three', '• one\n  • two\n• three'],
    ['1. one **b**', '1. one <b>b</>'],
    ['> said\n> > twice', '<dim>│</> said\n<dim>│</> <dim>│</> twice'],
    ['[text](https://a.example/(b)) .', 'text <dim>(https://a.example/(b))</> .'],
    ['**[b](u)** c', '<b>b <dim>(u)</><b></> c'],
    ['[https://a.example](https://b.example)', 'https://a.example <dim>(https://b.example)</>'],
    ['[https://a.example](https://a.example)', 'https://a.example'],
    ['```ts\n**a** # b\n```\n**c**', '<dim>```ts</>\n**a** # b\n<dim>```</>\n<b>c</>'],
    ['~~~\n```\n- a\n~~~\n- b', '<dim>~~~</>\n```\n- a\n<dim>~~~</>\n• b'],
    ['- ```\n  *a*\n  ```\n- b', '• <dim>```</>\n  *a*\n<dim>  ```</>\n• b'],
    ['> ```\n> - a\n> ```\n- b', '<dim>│</> <dim>```</>\n<dim>│</> - a\n<dim>│</> <dim>```</>\n• b'],
    ['> ```\n> - a\n- b', '<dim>│</> <dim>```</>\n<dim>│</> - a\n• b'],
    ['````\n```\n````\n- a', '<dim>````</>\n```\n<dim>````</>\n• a'],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })
})

describe('what is not clear stays as it is', () => {
  test.each([
    '2 * 3 * 4',
    'snake_case_ and __init__ and _x_',
    'a*b*c',
    'x**2 + y**2',
    '(a)**2 + (b)**2',
    'rm *.log *.tmp',
    'src/**/*.ts and **/*.js',
    'def f(*args, **kwargs):',
    'an **open end',
    'an `open end',
    '[not a link] (x) and [x] y',
    '\\*a\\* \\`b\\`',
    '***',
    '---',
    '#hashtag',
    '-5 degrees',
    '| a | **b** |\n|---|---|',
    '~~struck~~',
    '2026 was',
    `**${'long '.repeat(50)}**`,
  ])('%j', (text) => {
    expect(shown(text)).toBe(text)
  })

  test('code on one line is no fence', () => {
    expect(shown('```a``` b\n- c')).toBe('<code>a</code> b\n• c')
  })
})

describe('while it arrives', () => {
  test('words are shown at once', () => {
    const stream = new MarkdownStream({ color: true })
    expect(stream.push('A long li')).toBe('A long li')
    expect(stream.push('ne.')).toBe('ne.')
    expect(stream.push(' **bo')).toBe(' ')
    expect(stream.push('ld** x')).toBe('\x1b[1mbold\x1b[22m x')
    expect(stream.push('\n# He')).toBe('\n\x1b[1mHe')
    expect(stream.end()).toBe('\x1b[22m')
    // The next text begins anew.
    expect(stream.push('- a')).toBe('• a')
  })

  test('what is held back for a partner is bounded', () => {
    const stream = new MarkdownStream({ color: true })
    stream.push('*a')
    let pushed = 2
    while (stream.push('x') === '') expect(++pushed).toBeLessThan(300)
    stream.push('\n'.concat(' '.repeat(5000), '`'.repeat(5000)))
    expect(stream.end().length).toBeLessThan(300)
  })
})

/** Markdown and what is meant to break it. */
const pieces = fc.constantFrom(
  ...[
    'a',
    'B2',
    ' ',
    '  ',
    '*',
    '**',
    '***',
    '`',
    '``',
    '```',
    '~~~',
    '\n',
    '\n\n',
    '\r\n',
    '# ',
    '## ',
    '- ',
    '* ',
    '1. ',
    '> ',
  ],
  ...[
    '[',
    ']',
    '](',
    '(',
    ')',
    '\\',
    '|',
    '_',
    '.',
    '/',
    '日本',
    '👩\u200d🚀',
    '\t',
    'x'.repeat(199),
    ' '.repeat(198),
  ],
)
const attacks = fc.constantFrom(
  ...[
    '\x1b[2J',
    '\x1b]0;t\x07',
    '\x1b',
    '\x9b31m',
    '\r',
    '\b',
    '\x07',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ud83d',
    '\u2028',
    '\0',
  ],
)
const markdown = fc
  .array(fc.oneof({ weight: 6, arbitrary: pieces }, { weight: 1, arbitrary: attacks }), { maxLength: 40 })
  .map((parts) => parts.join(''))

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be left
const obeyed = /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069]/

/** A line whose styles are not all closed. Bold and dim have the same end, so that one closes both. */
function isOpen(line: string): boolean {
  const open = new Set<string>()
  for (const [style] of line.matchAll(styles)) {
    if (style === '\x1b[22m') open.delete('\x1b[1m')
    else if (style === '\x1b[23m') open.delete('\x1b[3m')
    else if (style === '\x1b[39m') open.delete('\x1b[36m')
    else open.add(style === '\x1b[2m' ? '\x1b[1m' : style)
  }
  return open.size > 0
}

describe('whatever the text', () => {
  test('it is the same at every split', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat(400), { maxLength: 8 }), (text, cuts) => {
        const whole = inParts([text])
        expect(inParts(text.split(''))).toBe(whole)
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        expect(inParts(places.slice(1).map((place, i) => text.slice(places[i], place)))).toBe(whole)
      }),
      { numRuns: 500 },
    )
  })

  test('nothing of it is obeyed, and every line ends as it began', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ unit: 'binary' })), (text) => {
        const written = inParts([text])
        const plain = written.replace(styles, (style) => (style in tags ? '' : style))
        expect(plain).not.toMatch(obeyed)
        expect(written.split('\n').filter(isOpen)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('an address is always seen', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z *`]{1,10}$/),
        fc.stringMatching(/^[a-z/.]{1,10}$/),
        (label, url) => {
          expect(inParts([`[${label}](https://${url})`])).toContain(`https://${url}`)
        },
      ),
    )
  })

  test('without colour nothing is taken away', () => {
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (text) => {
          expect(inParts(text.split(''), false)).toBe(text.replaceAll('\r\n', '\n').replaceAll('\t', '    '))
        },
      ),
    )
    expect(inParts(['# \x1b[1m**a**'], false)).toBe('# \\u001b[1m**a**')
  })

  test('time grows no faster than the text', () => {
    for (const piece of ['*a ', '**a ', '`a``', '[a', '[a](', '> ', '- ', '```\n', ' ', '*', '`']) {
      const start = performance.now()
      inParts([piece.repeat(20_000)])
      expect(performance.now() - start, piece).toBeLessThan(1000)
    }
  })
})
