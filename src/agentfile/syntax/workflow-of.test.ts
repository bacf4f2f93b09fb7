import { describe, expect, it } from 'vitest'
import type { Agentfile } from './agentfile.ts'
import { readAgentfile } from './read-agentfile.ts'
import { workflowOf } from './workflow-of.ts'

const workflow = (text: string) => workflowOf(readAgentfile(text).value as Agentfile)

describe('workflowOf', () => {
  it('has all that is declared, by kind', () => {
    const found = workflow(`SECURITY paranoid
NAME demo
SUPERVISED HUMAN
INPUT topic
AGENT critic "x" -> notes
GOAL a "x" -> text USING critic
CONVERGE b "x" -> final WITHIN 3
RUN one USING a, b
RUN two USING a`)
    expect(found.name).toBe('demo')
    expect([...found.inputs.keys()]).toEqual(['topic'])
    expect([...found.agents.keys()]).toEqual(['critic'])
    expect([...found.goals.keys()]).toEqual(['a', 'b'])
    expect(found.runs.map(({ name, using }) => [name.text, ...using.map(({ text }) => text)])).toEqual([
      ['one', 'a', 'b'],
      ['two', 'a'],
    ])
    expect([...found.variables]).toEqual(['topic', 'text', 'final'])
    expect(found.supervision?.mode).toBe('human')
    expect(found.security?.mode.text).toBe('paranoid')
  })

  it('runs all goals in their order where no RUN says otherwise', () => {
    const { runs } = workflow('NAME x\nGOAL a "x"\nGOAL b "x"')
    expect(runs.map(({ name, using }) => [name.text, ...using.map(({ text }) => text)])).toEqual([
      ['main', 'a', 'b'],
    ])
    expect(workflow('NAME x').runs).toEqual([])
  })

  it('takes the first of two with the same name', () => {
    const { goals } = workflow('NAME x\nGOAL a "first"\nGOAL a "second"\nRUN r USING a')
    expect(goals.get('a')?.prompt).toMatchObject({ text: 'first' })
  })
})
