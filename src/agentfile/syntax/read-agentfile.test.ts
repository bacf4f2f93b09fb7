import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCodeFrame } from '../../core/code-frame.ts'
import type { Agentfile, GoalStatement, Prompt } from './agentfile.ts'
import { readAgentfile } from './read-agentfile.ts'
import { spanInSource } from './span-in-source.ts'

const pieces = [
  ...[
    'NAME',
    'INPUT',
    'AGENT',
    'GOAL',
    'CONVERGE',
    'RUN',
    'SUPERVISED',
    'HUMAN',
    'UNSUPERVISED',
    'SECURITY',
    'LOOP',
  ],
  ...[
    'WORKFLOW',
    'VERSION',
    'THEN',
    'FROM',
    'USING',
    'REQUIRES',
    'WITHIN',
    'DEFAULT',
    '->',
    ',',
    ':',
    '=',
    '<',
    '>',
  ],
  ...[
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '"',
    '"""',
    "'",
    '“',
    '”',
    '\\',
    '$',
    '$a',
    '{{a}}',
    '#',
    '\n',
    '\n  ',
    '\r\n',
    ' ',
    '\t',
  ],
  ...[
    'a',
    'b',
    'c-d',
    'list<string>',
    'enum("x")',
    '1',
    '2.5',
    '-3',
    '1e999',
    'true',
    'a.md',
    '../x',
    'größe',
    '😀',
    '\u2028',
  ],
]
const soup = fc.array(fc.oneof(fc.constantFrom(...pieces, ' ', '\n'), fc.string({ maxLength: 3 })), {
  maxLength: 60,
})

describe('readAgentfile', () => {
  it('never throws, and points into the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          soup.map((parts) => parts.join('')),
          soup.map((parts) => parts.join(' ')),
          fc.string(),
        ),
        (text) => {
          const read = readAgentfile(text, { files: (path) => (path.length % 2 ? text : undefined) })
          expect(read.ok).toBe(read.issues.every(({ severity }) => severity !== 'error'))
          for (const { span } of read.issues) if (span) expectWithin(span, text)
          if ('value' in read) expectSpans(read.value, text)
          expect(JSON.parse(JSON.stringify(read))).toEqual(read)
        },
      ),
      { numRuns: 5000 },
    )
  })

  it('reads everything that is clean without an issue', () => {
    const read = readAgentfile('NAME a\nGOAL b "x"\nRUN c USING b')
    expect(read).toMatchObject({ ok: true, complete: true, issues: [] })
  })

  it('refuses what is no text', () => {
    expect(() => readAgentfile(undefined as unknown as string)).toThrow('readAgentfile reads text')
  })

  it('asks for each file once, and for none that is outside', () => {
    const asked: string[] = []
    const files = (path: string) => {
      asked.push(path)
      return path === 'a.md' ? 'x' : undefined
    }
    readAgentfile(
      'NAME n\nAGENT a FROM a.md\nAGENT b FROM a.md\nAGENT c FROM ../a.md\nGOAL d FROM d USING a, b, c',
      { files },
    )
    expect(asked).toEqual(['a.md', 'd', 'd/SKILL.md'])
  })

  it('shows a person where it is', () => {
    const text =
      'NAME slip\nINPUT topic\nGOAL report "Say \\"hi\\"\\n on $topc" -> r\nRUN main USING report\n'
    const [issue] = readAgentfile(text).issues
    expect(formatCodeFrame(text, issue!, { file: 'broken.agent' }).split('\n')).toEqual([
      'broken.agent:3:30 error agentfile.undefined_variable',
      '  2 │ INPUT topic',
      '  3 │ GOAL report "Say \\"hi\\"\\n on $topc" -> r',
      '    │                              ^^^^^ no input or output is named topc; did you mean $topic?',
    ])
  })

  it('is cut off where a string runs into the end', () => {
    expect(readAgentfile('NAME a\nGOAL b "x').complete).toBe(false)
    expect(readAgentfile('NAME a\nGOAL b """x').complete).toBe(false)
    expect(readAgentfile('NAME a\nGOAL b "x\nRUN c USING b').complete).toBe(true)
  })

  it('knows where each character of a string stands', () => {
    const part = fc.constantFrom('\\n', '\\"', '\\\\', '\\t', '\\q', 'a', '$', ' ', '😀', '\r\n', '\n', '{')
    fc.assert(
      fc.property(fc.array(part), fc.boolean(), (parts, raw) => {
        const quotes = raw ? '"""' : '"'
        const text = `NAME n\nGOAL g ${quotes}${parts.join('')}${quotes}`
        const { prompt } = (readAgentfile(text).value as Agentfile).statements[1] as GoalStatement
        const { text: value, ...rest } = prompt as Extract<Prompt, { kind: 'text' }>
        for (let at = 0; at < value.length; at++) {
          const [start] = spanInSource({ text: value, ...rest }, [at, at + 1])
          const written =
            text[start] === '\\' && !raw ? (escapes[text.slice(start, start + 2)] ?? '\\') : text[start]
          expect(written).toBe(value[at])
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each(Object.entries(hostile()))('takes time that grows no faster than the text: %s', (_, make) => {
    const time = (size: number): number => {
      const text = make(size)
      // Time of this program alone, in milliseconds: the machine may be busy.
      const start = process.cpuUsage()
      readAgentfile(text, { files: () => text })
      return process.cpuUsage(start).user / 1000
    }
    const small = Math.min(...[1, 2, 3].map(() => time(10_000)))
    // Sixteen times as much text: quadratic would be 256. A busy machine gets a second try.
    const bound = 80 * Math.max(small, 4)
    const large = time(160_000)
    expect(large < bound ? large : time(160_000)).toBeLessThan(bound)
  })
})

const escapes: Record<string, string> = { '\\n': '\n', '\\"': '"', '\\\\': '\\', '\\t': '\t' }

/** Texts that are meant to take long. */
function hostile(): Record<string, (size: number) => string> {
  const over =
    (part: string, before = '', after = '') =>
    (size: number) =>
      before + part.repeat(Math.ceil(size / part.length)) + after
  const numbered =
    (line: (i: number) => string, before = '') =>
    (size: number) => {
      let text = before
      for (let i = 0; text.length < size; i++) text += line(i)
      return text
    }
  return {
    quotes: over('"'),
    'odd quotes': over('" '),
    'open strings': over('GOAL a "x\n'),
    'open raw strings': over('""" GOAL a "x\n'),
    backslashes: over('\\', 'GOAL a "'),
    dollars: over('$', 'GOAL a "', '"'),
    'dashes in a variable': over('-a', 'NAME x\nGOAL a "$a', '"'),
    braces: over('{{ a ', 'NAME x\nGOAL a "', '"'),
    'open braces': over('{', 'INPUT a DEFAULT '),
    'open types': over('list<', 'INPUT a '),
    comments: over('# a\n'),
    'comments in a statement': over('# a\n', 'NAME x\nGOAL a\n', '"x"'),
    blanks: over(' \n'),
    words: over('a b\n'),
    'unnamed goals': over('GOAL "x"\n'),
    'the same goal': over('GOAL a "$b" -> c USING d\n'),
    'wrong variables': numbered((i) => `GOAL a${i} "$b${i}" -> c${i}\n`, 'NAME x\n'),
    'wrong names': numbered((i) => `GOAL a${i} "x" USING b${i}\nRUN r${i} USING c${i}\n`, 'NAME x\n'),
    'many outputs': numbered((i) => `a${i}, `, 'NAME x\nGOAL a "x" -> '),
    'many fields': numbered((i) => `a${i}: string, `, 'NAME x\nINPUT a {'),
    'one file': numbered((i) => `GOAL a${i} FROM a.md\n`, 'NAME x\n# $x\n'),
    apostrophes: over("'a "),
    'curly quotes': over('“ '),
  }
}

function expectWithin([start, end]: readonly [number, number], text: string): void {
  if (!(0 <= start && start <= end && end <= text.length))
    throw new Error(`${start}–${end} is not in the text`)
}

/** All places of a file lie in the text. */
function expectSpans(node: unknown, text: string): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'span' && Array.isArray(value)) expectWithin(value as [number, number], text)
    else if (key !== 'default') expectSpans(value, text)
  }
}
