import type { FormattedSection, Part, Parts, TextEvent, TextFormat } from '../text/format.ts'
import { splits } from './splits.ts'

/** One thing that every format must do. `run` throws an error that says what is wrong. */
export interface ConformanceCase {
  readonly name: string
  run(): void
}

export interface ConformanceOptions {
  /** Three names that the format can write; simple words unless said otherwise. */
  readonly names?: readonly [string, string, string]
}

/**
 * What every text format must do, whoever wrote it: a list of cases for any test runner.
 *
 *     for (const { name, run } of formatConformance(myFormat())) it(name, run)
 */
export function formatConformance(format: TextFormat, options: ConformanceOptions = {}): ConformanceCase[] {
  const names = options.names ?? ['thinking', 'search', 'answer']
  const [first, second, third] = names
  const sections = names.map((name) => ({ name, prompt: `What to write into ${name}.` }))
  const hostile = hostileStrings(format, names)
  const written = (contents: readonly string[]) =>
    contents.map((content, i): FormattedSection => ({ name: names[i % 3] as string, content }))

  const cases: [string, () => void][] = [
    [
      'describes each section with its name and its prompt, and always the same',
      () => {
        const text = format.describe(sections)
        for (const { name, prompt } of sections) {
          ensure(text.includes(name), `the description does not name ${name}`)
          ensure(text.includes(prompt), `the description lacks the prompt of ${name}`)
        }
        same(format.describe(sections), text, 'described twice')
      },
    ],
    [
      'reads back what it has written, in order, whatever the content',
      () => {
        for (const content of hostile) {
          readsBack(format, written([content]))
          readsBack(format, written(['before', content, 'after', content]))
        }
      },
    ],
    [
      'reads back sections within a section',
      () => {
        for (const content of hostile) {
          const children = written([content, 'plain', content])
          const tree = [
            { name: first, children },
            { name: second, content },
          ]
          const parts = partsOf(format, format.formatSections(tree), [first, second])
          same(
            parts.sections().map(({ name }) => name),
            [first, second],
            'sections around children',
          )
          const inner = partsOf(format.inner, parts.sections()[0]?.content ?? '', names)
          same(
            contentsOf(inner),
            children.map(({ name, content: text }) => [name, text]),
            'children',
          )
        }
      },
    ],
    [
      'keeps the text of a section that has children',
      () => {
        const text = format.formatSection({ name: first, content: 'All of it:', children: written(['one']) })
        const inner = partsOf(format.inner, partsOf(format, text, names).sections()[0]?.content ?? '', names)
        same(inner.text, 'All of it:', 'text before children')
      },
    ],
    [
      'writes one section as it writes several',
      () =>
        same(
          format.formatSection({ name: first, content: 'x' }),
          format.formatSections(written(['x'])),
          'one section',
        ),
    ],
    [
      'ignores the case of names, and gives them back as they were registered',
      () => {
        const text = format.formatSection({ name: first.toUpperCase(), content: 'x' })
        const parts = partsOf(format, text, names)
        same(
          parts.sections().map(({ name }) => name),
          [first],
          'the name',
        )
        same(parts.get(first.toUpperCase()), ['x'], 'get in another case')
      },
    ],
    [
      'gives all sections of a name, trimmed, and a map of them',
      () => {
        const parts = partsOf(format, format.formatSections(written([' a ', 'b', '\nc\n', ' d'])), names)
        same(parts.get(first), ['a', 'd'], 'get')
        same(
          [...parts.toMap()],
          [
            [first, ['a', 'd']],
            [second, ['b']],
            [third, ['c']],
          ],
          'toMap',
        )
        same(
          partsOf(format, format.formatSections(written(['a'])), names).get(third),
          [],
          'a section that is not there',
        )
      },
    ],
    [
      'keeps text before the first section',
      () => {
        const text = `Here it is.\n\n${format.formatSections(written(['x']))}`
        const parts = partsOf(format, text, names)
        same(parts.text, 'Here it is.', 'text')
        same(
          parts.all.map(({ kind }) => kind),
          ['text', 'section'],
          'parts',
        )
      },
    ],
    [
      'says so when there is no section, and keeps the text',
      () => {
        const read = format.read('Nothing of the kind.', sections)
        ensure(!read.ok, 'a text without sections must not be ok')
        same((read.value as Parts).text, 'Nothing of the kind.', 'text')
      },
    ],
    [
      'refuses to read without sections, and two of one name',
      () => {
        throws(() => format.createReader([]), 'no sections')
        throws(
          () => format.createReader([{ name: first }, { name: first.toUpperCase() }]),
          'the same name twice',
        )
        throws(() => format.createReader([{ name: '' }]), 'a section without a name')
        throws(() => format.formatSection({ name: '', content: 'x' }), 'writing a section without a name')
      },
    ],
    [
      'reads the same however the text is cut',
      () => {
        for (const text of texts(format, hostile, written)) {
          const whole = readText(format, [text], names)
          for (const chunks of splits(text))
            same(readText(format, chunks, names), whole, `cut into ${JSON.stringify(chunks)}`)
        }
      },
    ],
    [
      'tells in events what it gives as parts',
      () => {
        for (const text of texts(format, hostile, written)) {
          const events: TextEvent[] = []
          const reader = format.createReader(sections, { onEvent: (event) => events.push(event) })
          for (const character of text) reader.push(character)
          const parts = reader.end().value as Parts
          const told = events
            .filter(({ type }) => type === 'section-delta')
            .map((event) => (event as { text: string }).text)
          if (events.some(({ type }) => type === 'reasoning-implied')) continue
          same(
            told.join(''),
            parts
              .sections()
              .map(({ content }) => content)
              .join(''),
            `deltas of ${JSON.stringify(text)}`,
          )
        }
      },
    ],
    [
      'loses nothing: between parts is only space',
      () => {
        for (const content of hostile) {
          const text = `${content}\n${format.formatSections(written(['x', content]))}`
          const read = format.read(text, sections)
          if (read.issues.some(({ code }) => code.endsWith('unwrapped_fence'))) continue
          covers(text, (read.value as Parts).all)
        }
      },
    ],
  ]
  return cases.map(([name, run]) => ({ name: `${format.name}: ${name}`, run }))
}

/** Contents that try to break out: delimiters of every format, fences, entities, odd characters. */
function hostileStrings(format: TextFormat, names: readonly string[]): string[] {
  const name = names[0] as string
  const own = format.formatSections([
    { name, content: 'inner' },
    { name: names[1] as string, content: '' },
  ])
  const delimiters = [
    `<${name}>`,
    `</${name}>`,
    `<${name}/>`,
    `# ${name}`,
    `## ${name}`,
    `${name}:`,
    `${name}\n=====`,
  ]
  return [
    '',
    ' ',
    '\n',
    '\n\n\n',
    '  padded  ',
    '\r\nwindows\r\n',
    'old\rmac\r',
    own,
    `${own}\n\n${own}`,
    ...delimiters.flatMap((text) => [text, `x\n${text}`, `\n\n${text}\ny`, `\\${text}`, text.toUpperCase()]),
    ...delimiters.map((text) => `\`\`\`\n${text}\n\`\`\``),
    `<\\/${name}>`,
    `<\\\\${name}>`,
    '</think>',
    '<think>x',
    '◁think▷',
    '```',
    '```js\nx()',
    '~~~\n```\n~~~',
    '\\```',
    '&lt;answer&gt; &amp; <!-- --> ]]>',
    '\u200b\ufeff\u2028\u0000',
    '\ud800 \udc00',
    '\\',
    '\\\\n',
    '<',
    '</',
    '#',
    '- - -\n***\n1. x:',
    '👩‍👩‍👧 東京',
  ]
}

function texts(
  format: TextFormat,
  hostile: readonly string[],
  written: (contents: readonly string[]) => FormattedSection[],
): string[] {
  return [
    ...hostile,
    ...hostile.map((content) => `Hm. ${format.formatSections(written(['a', content]))} ${content}`),
  ]
}

function readText(format: TextFormat, chunks: readonly string[], names: readonly string[]): string {
  // With a listener a reader may not wait for more.
  const reader = format.createReader(
    names.map((name) => ({ name })),
    { onEvent: () => {} },
  )
  for (const chunk of chunks) reader.push(chunk)
  const { ok, complete, issues, value } = reader.end()
  return JSON.stringify([ok, complete, issues, (value as Parts).all])
}

function readsBack(format: TextFormat, sections: readonly FormattedSection[]): void {
  const text = format.formatSections(sections)
  const names = [...new Set(sections.map(({ name }) => name))]
  const { all } = partsOf(format, text, names)
  same(
    all.map(({ kind }) => kind),
    sections.map(() => 'section'),
    `the parts of ${JSON.stringify(text)}`,
  )
  same(
    contentsOf({ all }),
    sections.map(({ name, content }) => [name, content]),
    `the contents of ${JSON.stringify(text)}`,
  )
}

function partsOf(format: TextFormat, text: string, names: readonly string[]): Parts {
  return format.read(
    text,
    names.map((name) => ({ name })),
  ).value as Parts
}

function contentsOf({ all }: { readonly all: readonly Part[] }): [string, string][] {
  return all.flatMap((part) => (part.kind === 'section' ? [[part.name, part.content]] : []))
}

function covers(text: string, parts: readonly Part[]): void {
  let at = 0
  for (const { span } of parts) {
    ensure(
      text.slice(at, span[0]).trim() === '',
      `${JSON.stringify(text.slice(at, span[0]))} is in no part of ${JSON.stringify(text)}`,
    )
    at = Math.max(at, span[1])
  }
  ensure(
    text.slice(at).trim() === '',
    `${JSON.stringify(text.slice(at))} is in no part of ${JSON.stringify(text)}`,
  )
}

function ensure(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  ensure(got === wanted, `${what}: expected ${wanted}, got ${got}`)
}

function throws(run: () => void, what: string): void {
  let thrown = false
  try {
    run()
  } catch {
    thrown = true
  }
  ensure(thrown, `${what}: nothing was thrown`)
}
