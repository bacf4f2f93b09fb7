import { describe, expect, it } from 'vitest'
import { dialects } from '../dialects/dialects.ts'
import { formatToolCalls } from './format-tool-calls.ts'
import { readToolCalls } from './read-tool-calls.ts'

describe('a draft within <think>', () => {
  // In these, a mark of calls ends reasoning: what follows it is meant.
  const meant = ['kimi-k2', 'inkling']
  const tools = [{ name: 'search', parameters: { type: 'object', properties: { q: { type: 'string' } } } }]
  it.each(dialects.filter(({ name }) => !meant.includes(name)).map(({ name }) => name))(
    'is no call in %s, whatever its own marks of reasoning are',
    (dialect) => {
      let call: string
      try {
        call = formatToolCalls([{ name: 'search', arguments: { q: 'a draft' } }], { dialect, tools })
      } catch (error) {
        // It has no calls to write.
        expect(error).toMatchObject({ name: 'LegibleError' })
        return
      }
      const text = `<think>maybe ${call} or so\n${call}\n</think>\nNo call is needed.`
      expect(readToolCalls(text, { dialect, tools }).value.calls).toEqual([])
    },
  )
})

describe('a call that broke off within a tag', () => {
  const tools = [
    { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  ]
  it.each([
    ['qwen3-coder', '<tool_call>\n<function=weather>\n<parameter=city>\nOslo\n</parameter>\n<para'],
    ['glm-4.5', '<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>da'],
  ])('%s: is not whole', (dialect, text) => {
    const read = readToolCalls(text, { dialect, tools })
    expect(read.complete).toBe(false)
    expect(read.value.calls).toMatchObject([{ complete: false, arguments: { city: 'Oslo' } }])
    expect(read.issues.map(({ code }) => code)).toContain('call.cut_off')
  })
})
