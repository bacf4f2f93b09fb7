import { describe, expect, it } from 'vitest'
import type { InputStatement } from './agentfile.ts'
import { readAgentfile } from './read-agentfile.ts'

/** Whether a default is accepted, and the input as it was read. */
function read(input: string): { fits: boolean; input: InputStatement | undefined } {
  const { value, issues } = readAgentfile(`NAME x\nINPUT a ${input}\nGOAL b "$a"\nRUN c USING b`)
  const { statements } = value as { statements: InputStatement[] }
  const unexpected = issues.filter(({ code }) => code !== 'agentfile.invalid_default')
  expect(unexpected).toEqual([])
  return { fits: issues.length === 0, input: statements.find(({ kind }) => kind === 'input') }
}

describe('fitsType', () => {
  it.each([
    'string DEFAULT ""',
    'number DEFAULT -1.5e3',
    'integer DEFAULT 3.0',
    'boolean DEFAULT true',
    'date DEFAULT "2024-02-29"',
    'date DEFAULT "2026-01-20T10:30:00Z"',
    'date DEFAULT "2026-01-20T10:30:00+02:00"',
    'duration DEFAULT "1h30m"',
    'duration DEFAULT "90 s"',
    'duration DEFAULT "PT1H30M"',
    'duration DEFAULT "P2D"',
    'duration DEFAULT 1500',
    'list<integer> DEFAULT []',
    'list<list<string>> DEFAULT [["a"], []]',
    '{} DEFAULT {}',
    '{a: string, b} DEFAULT {b: [1], a: "x"}',
    'enum("a") DEFAULT "a"',
  ])('%s', (input) => {
    expect(read(input).fits).toBe(true)
  })

  it.each([
    'string DEFAULT 1',
    'number DEFAULT "1"',
    'integer DEFAULT 1.5',
    'boolean DEFAULT "true"',
    'date DEFAULT "2023-02-29"',
    'date DEFAULT "2026-13-01"',
    'date DEFAULT "tomorrow"',
    'date DEFAULT "2026-01-20T99:00"',
    'duration DEFAULT "soon"',
    'duration DEFAULT "P"',
    'duration DEFAULT -1',
    'list<integer> DEFAULT [1, 1.5]',
    'list<string> DEFAULT "a"',
    '{a: string} DEFAULT {}',
    '{a: string} DEFAULT {a: "x", b: 1}',
    '{a: string} DEFAULT []',
    '{toString: string} DEFAULT {}',
    'enum("a") DEFAULT "A"',
  ])('not %s', (input) => {
    expect(read(input).fits).toBe(false)
  })

  it('reads values as values', () => {
    expect(read('DEFAULT {a: [1, -2, true, "x"], "b c": {}, "__proto__": 1}').input?.default?.value).toEqual(
      JSON.parse('{"a": [1, -2, true, "x"], "b c": {}, "__proto__": 1}'),
    )
    expect(read('DEFAULT -0').input?.default?.value).toBe(0)
  })
})
