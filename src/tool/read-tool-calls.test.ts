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
