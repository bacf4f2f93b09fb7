import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readCallFixture } from '../../fixtures/calls/read.ts'
import { dialects } from './dialects.ts'
import { findDialect } from './find-dialect.ts'

interface Fixture {
  readonly name: string
  readonly input: string
  readonly options: Record<string, unknown>
}

const file = new URL('../../fixtures/calls/dialects.yaml', import.meta.url)
const fixtures: Fixture[] = parse(readFileSync(file, 'utf8'))

describe('dialects', () => {
  it('have names of their own, and a fixture each', () => {
    const names = dialects.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(fixtures.map(({ options }) => options.dialect).sort()).toEqual([...names].sort())
  })

  it.each(fixtures)('$name is told from the others by its marks', ({ input, options }) => {
    const named = readCallFixture({ input, options }, [input])
    const { dialect: _, ...rest } = options
    expect(readCallFixture({ input, options: rest }, [input])).toEqual(named)
  })

  it('are found by their names', () => {
    expect(findDialect('hermes').map(({ name }) => name)).toEqual(['hermes'])
    expect(findDialect('hermes')).toBe(findDialect('hermes'))
    expect(findDialect('auto')).toBe(dialects)
    expect(() => findDialect('esperanto')).toThrow(/There is no dialect "esperanto"\. There are auto, hermes/)
  })

  it('may be rows of one’s own', () => {
    const dialect = { name: 'own', open: ['<<'], close: ['>>'], form: { kind: 'json' as const } }
    const input = 'See << {"name": "ping", "arguments": {}} >>.'
    const { value } = readCallFixture({ input, options: { dialect } }, [input])
    expect(value).toEqual({ content: 'See .', calls: [{ name: 'ping', arguments: {} }] })
  })
})
