// Runs of workflows as they happen, recorded: what a view is shown.

import { createWorkflow } from '../../src/agentfile/run/create-workflow.ts'
import type { Program } from '../../src/agentfile/run/program.ts'
import { programOf } from '../../src/agentfile/run/program.ts'
import type { WorkflowEvent } from '../../src/agentfile/run/workflow-event.ts'
import type { WorkflowOptions } from '../../src/agentfile/run/workflow-options.ts'
import type { WorkflowOutcome } from '../../src/agentfile/run/workflow-outcome.ts'
import { readAgentfile } from '../../src/agentfile/syntax/read-agentfile.ts'
import { scriptedModel } from '../../src/model/rehearsal/scripted-model.ts'
import { defineTool } from '../../src/tool/define-tool.ts'
import type { Tool } from '../../src/tool/tool.ts'

export interface RecordedRun {
  readonly program: Program
  readonly inputs: Record<string, string>
  readonly events: readonly WorkflowEvent[]
  readonly outcome: WorkflowOutcome
}

/** `reply`: what the model says, given all that it was asked. */
export async function recordRun(
  source: string,
  reply: (asked: string) => string,
  inputs: Record<string, string> = {},
  options: WorkflowOptions = {},
): Promise<RecordedRun> {
  const read = readAgentfile(source)
  if (!read.ok) throw new Error(JSON.stringify(read.issues))
  const program = programOf(read.value)
  const model = scriptedModel(
    ({ prompt }) => ({ text: reply(JSON.stringify(prompt)), usage: { input: 100, output: 10 } }),
    { chunk: 12 },
  )
  const run = createWorkflow(program, { model, ...options }).start(inputs)
  const events: WorkflowEvent[] = []
  for await (const event of run) events.push(event)
  return { program, inputs, events, outcome: await run.outcome }
}

const research = `NAME research
INPUT topic
AGENT optimist "You see chances." -> points: list<string>
AGENT critic "You see risks." -> issues: list<string>
GOAL scout "Scout $topic." -> summary: string USING optimist, critic
GOAL weigh "Weigh $summary." -> confidence: number SUPERVISED
CONVERGE report "Report on $summary." -> final_report: string WITHIN 3
RUN main USING scout, weigh, report
`

const lookup = defineTool({
  name: 'lookup',
  description: 'Looks something up.',
  input: { type: 'object', properties: { term: { type: 'string' } }, required: ['term'] },
  run: () => 'nothing new',
}) as Tool

const action = (name: string, given: object) =>
  JSON.stringify({ type: 'action', tool: name, arguments: given })

/** Two agents of which one calls a tool, a goal that is done again and spawns an agent, and versions that converge. */
export function recordResearch(): Promise<RecordedRun> {
  const seen = new Set<string>()
  const first = (what: string) => !seen.has(what) && seen.add(what)
  const reply = (asked: string) => {
    if (asked.includes('You supervise'))
      return first('watched')
        ? '{"verdict":"reorient","reason":"Have the numbers checked."}'
        : '{"verdict":"continue","reason":"fine"}'
    if (asked.includes('You are checker')) return 'The numbers are right.'
    if (asked.includes('You see chances')) return '{"points":["cheap","safe","light","fast"]}'
    if (asked.includes('You see risks'))
      return first('looked up')
        ? action('lookup', { term: 'dendrites' })
        : '{"issues":["cost","scale","time"]}'
    if (asked.includes('Weigh')) {
      if (asked.includes('Have the numbers checked') && first('spawned'))
        return action('spawn_agent', { role: 'checker', task: 'Check the numbers.' })
      return '{"confidence":0.8}'
    }
    if (asked.includes('Report on'))
      return first('version') ? '{"final_report":"A first draft."}' : 'CONVERGED'
    return '{"summary":"Solid-state batteries come, but later than it was said, and not for everything."}'
  }
  const options = { tools: [lookup], spawn: true }
  return recordRun(research, reply, { topic: 'solid-state batteries' }, options)
}

/** So many goals, one after the other, each with an agent. */
export function recordGoals(goals: number): Promise<RecordedRun> {
  const names = Array.from({ length: goals }, (_, i) => `goal_${i + 1}`)
  const source = [
    'NAME many',
    'AGENT worker "Work." -> found: list<string>',
    ...names.map((name) => `GOAL ${name} "Find it." -> ${name}_result: number USING worker`),
    `RUN main USING ${names.join(', ')}`,
  ].join('\n')
  return recordRun(source, (asked) => {
    const [, name] = /(goal_\d+_result)/.exec(asked) ?? []
    return asked.includes('Work.') || name === undefined ? '{"found":["a","b"]}' : `{"${name}":7}`
  })
}
