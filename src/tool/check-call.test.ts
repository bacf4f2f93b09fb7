import { describe, expect, it } from 'vitest'
import { checkCall } from './check-call.ts'
import { type DeclaredTool, declaredTools } from './declared-tools.ts'

const tools = declaredTools([
  {
    name: 'forecast',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        units: { enum: ['metric', 'imperial'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
    },
  },
] as DeclaredTool[])

function check(name: string, given: unknown, known = tools) {
  const call = { id: 'a', name, arguments: given, span: [3, 9] as const, complete: true, issues: [] }
  const checked = checkCall(call, 0, known)
  return {
    arguments: checked.call.arguments,
    issues: checked.issues.map(({ code, path, span }) => ({ code, path, span })),
  }
}

describe('checkCall', () => {
  it('leaves arguments that fit as they are', () => {
    expect(check('forecast', { city: 'Lisbon', days: 2 })).toEqual({
      arguments: { city: 'Lisbon', days: 2 },
      issues: [],
    })
  })

  it('fits arguments to the schema, and says so', () => {
    const { arguments: args, issues } = check('forecast', { city: 'Lisbon', days: '2', tags: 'a' })
    expect(args).toEqual({ city: 'Lisbon', days: 2, tags: ['a'] })
    expect(issues.map(({ path }) => path)).toEqual([
      ['calls', 0, 'arguments', 'days'],
      ['calls', 0, 'arguments', 'tags'],
    ])
  })

  it('never loses a part of a number', () => {
    const { arguments: args, issues } = check('forecast', { city: 'Lisbon', days: 2.5 })
    expect(args).toEqual({ city: 'Lisbon', days: 2.5 })
    expect(issues.map(({ code }) => code)).toContain('tool.invalid_arguments')
  })

  it('gives a call back whose arguments do not fit', () => {
    expect(check('forecast', { days: 'soon' })).toEqual({
      arguments: { days: 'soon' },
      issues: [{ code: 'tool.invalid_arguments', path: ['calls', 0], span: [3, 9] }],
    })
    expect(check('forecast', 'Lisbon').issues.map(({ code }) => code)).toEqual(['tool.invalid_arguments'])
  })

  it('says that a tool is not there, where tools are known', () => {
    expect(check('weather', { city: 'Lisbon' })).toEqual({
      arguments: { city: 'Lisbon' },
      issues: [{ code: 'tool.unknown', path: ['calls', 0], span: [3, 9] }],
    })
    expect(check('weather', { city: 'Lisbon' }, declaredTools(undefined)).issues).toEqual([])
  })

  it('reads arguments that are JSON text', () => {
    expect(check('forecast', '{"city": "Lisbon"}').arguments).toEqual({ city: 'Lisbon' })
  })
})
