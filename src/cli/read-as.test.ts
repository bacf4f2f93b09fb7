import { expect, it } from 'vitest'
import { createToolRegistry } from '../tool/create-tool-registry.ts'
import { defineTool } from '../tool/define-tool.ts'
import { readAs } from './read-as.ts'

const limits = { maxLength: 1000, maxDepth: 10 }
const action = '{"type": "action", "tool": "now"}'

it('says why every action of a reply is refused when no tools are given', () => {
  const { read, warnings } = readAs('reply', action, { sections: [], limits })
  expect(read.issues.map(({ code }) => code)).toEqual(['tool.unknown'])
  expect(warnings).toEqual(['without --tools <file> no tool is known: every action is refused'])
})

it('has nothing to say about a reply that is read with its tools', () => {
  const tools = createToolRegistry([defineTool({ name: 'now', description: 'The time.', run: () => '' })])
  const { read, warnings } = readAs('reply', action, { sections: [], limits, tools })
  expect(read.issues).toEqual([])
  expect(warnings).toEqual([])
})
