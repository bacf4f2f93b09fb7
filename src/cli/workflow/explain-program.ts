import type { Durable, Json } from '../../agent/durable.ts'
import { memoryJournal } from '../../agent/memory-journal.ts'
import { createWorkflow } from '../../agentfile/run/create-workflow.ts'
import type { Output, Program } from '../../agentfile/run/program.ts'
import { CONVERGED } from '../../model/loop-words.ts'
import type { Message } from '../../model/message.ts'
import { scriptedModel } from '../../model/rehearsal/scripted-model.ts'
import { exampleOf } from '../../schema/example-of.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Tool } from '../../tool/tool.ts'

/** A question that a run would ask. */
export interface PlannedQuestion {
  readonly path: string
  readonly messages: readonly Message[]
}

/**
 * What would be sent to models for each step, without asking any: values that models would give are shown as ‹name›.
 */
export async function explainProgram(
  program: Program,
  inputs: Readonly<Record<string, unknown>>,
  tools: readonly Tool[],
  spawn: boolean,
): Promise<PlannedQuestion[]> {
  const nobody = scriptedModel([])
  const profiles = new Set(program.agents.flatMap(({ requires }) => requires ?? []))
  const workflow = createWorkflow(program, {
    model: nobody,
    profiles: Object.fromEntries([...profiles].map((name) => [name, nobody])),
    tools,
    spawn,
    judge: () => ({ kind: 'continue' }),
  })
  const questions: PlannedQuestion[] = []
  const run = workflow.start(inputs, {
    journal: (runBranch) => answered(memoryJournal({ runBranch }), program),
  })
  for await (const event of run)
    if (event.type === 'worker-event' && event.event.type === 'turn-start')
      questions.push({ path: event.path, messages: event.event.asked })
  return questions
}

/** A journal that has the answers of models beforehand. */
function answered(journal: Durable, program: Program): Durable {
  const { step } = journal
  return Object.assign(journal, {
    step: <T extends Json>(key: string, run: Parameters<Durable['step']>[1]) => {
      const [, path] = /^(.*)\/turn:\d+$/.exec(key) ?? []
      if (path === undefined) return step(key, run as never) as Promise<T>
      const reply = {
        text: answerFor(path, program),
        reasoning: '',
        finish: 'stop',
        usage: { input: 0, output: 0 },
        calls: [],
        asked: '',
      }
      return Promise.resolve(reply as unknown as T)
    },
  })
}

function answerFor(path: string, program: Program): string {
  const names = path.split('/')
  const last = names.at(-1) as string
  if (last === 'supervisor') return JSON.stringify({ verdict: 'continue', reason: 'as it should be' })
  if (names.some((name) => /^version-([2-9]|\d\d+)$/.test(name))) return CONVERGED
  const goal = program.goals.find(({ name }) => name === names[1])
  const agent = goal?.using.includes(last) ? program.agents.find(({ name }) => name === last) : undefined
  const outputs = (agent ?? goal)?.outputs ?? []
  const ends = program.runs.some(({ within, using }) => within !== undefined && using.at(-1) === goal?.name)
  const text =
    outputs.length === 0
      ? `‹${(agent ?? goal)?.name ?? last}›`
      : JSON.stringify(Object.fromEntries(outputs.map(placeholder)))
  return ends && !agent ? `${text}\n\n${CONVERGED}` : text
}

function placeholder({ name, schema }: Output): [string, unknown] {
  if (schema === true) return [name, `‹${name}›`]
  const example = exampleOf(schema as Schema)
  return [name, example === 'text' ? `‹${name}›` : example]
}
