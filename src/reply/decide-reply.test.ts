import { describe, expect, it } from 'vitest'
import { tools } from '../../fixtures/reply/tools.ts'
import { defaultLimits } from '../core/limits.ts'
import { decideReply } from './decide-reply.ts'
import { ReplyScanner } from './reply-scanner.ts'
import { ShownText } from './shown-text.ts'

const action = '{"type": "action", "tool": "fs.read", "args": {"path": "README.md"}}'
const options = { tools, limits: defaultLimits, callsBefore: 0, cut: false }

function factsOf(text: string) {
  const isTool = (name: string) => tools.has(name)
  const scanner = new ReplyScanner(new ShownText(undefined), {
    limits: defaultLimits,
    reasoning: 'auto',
    inner: false,
    isTool,
  })
  scanner.push(text)
  return scanner.end()
}

describe('decideReply', () => {
  it.each([
    ['text', 'Hello.'],
    ['an action after text', `Let me look.\n${action}`],
    ['an action in a fence', `\`\`\`json\n${action}\n\`\`\``],
    ['a text object in a fence', '```json\n{"type": "text", "text": "Hello."}\n```'],
    ['an action with the end of a fence', `${action}\n\`\`\``],
    ['two actions', `${action}\n${action}`],
    ['actions in a list', `[${action}]`],
    ['an action that is no JSON', '> {\n>   "type": "action"'],
    ['an error before text', '{"type": "error", "code": "a", "message": "b"}\nSorry.'],
  ])('only reads the facts: %s', (_, text) => {
    const facts = factsOf(text)
    const first = decideReply(facts, options)
    expect(decideReply(facts, options)).toEqual(first)
  })

  it('says what is text after all, of what was held back', () => {
    const restOf = (text: string) => decideReply(factsOf(text), options).rest
    expect(restOf(`Let me look.\n${action}`)).toBe('')
    expect(restOf(`${action}\n${action}`)).toBe(action)
    expect(restOf(`[${action}]`)).toBe(`[${action}]`)
    expect(restOf('```json\n{"type": "text", "text": "Hello."}\n```')).toBe('Hello.')
  })

  it('tells of all places that are in question with one issue, however many there are', () => {
    const { issues } = decideReply(factsOf(`${action}\n`.repeat(500)), options)
    expect(issues).toMatchObject([{ code: 'reply.ambiguous', params: { count: 500 } }])
    expect(issues[0]?.params.spans).toHaveLength(defaultLimits.maxIssues)
  })
})
