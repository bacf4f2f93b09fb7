import { accessSync, constants, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Program, Value } from '../../agentfile/run/program.ts'
import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import { plain } from '../ask-output.ts'
import { callLine, judgedLines } from '../describe-call.ts'
import { formatValue } from '../format-value.ts'
import { wantsColor } from '../print-issues.ts'
import { createRunView } from '../run-view/create-run-view.ts'
import { UsageError } from '../usage-error.ts'
import { type Person, personAtTerminal } from './person.ts'
import type { RunShow } from './run-show.ts'

/** A run that is shown, wherever it is carried out. */
export interface Presented {
  readonly id: string
  /** What is typed behind commands about it. */
  readonly typed: string
  readonly program: Program
  readonly inputs: Readonly<Record<string, unknown>>
  readonly model: string
  readonly json: boolean
  /** A file for the result. */
  readonly out: string | undefined
  /** For those who see a result: what it is not. */
  readonly note?: string
  /** How to have a real model. */
  readonly advice?: string
}

/** Shows a run while `work` has it carried out, then its result. `person`: who can be asked. */
export async function presentRun(
  presented: Presented,
  work: (show: RunShow, person: Person | undefined) => Promise<WorkflowOutcome>,
): Promise<WorkflowOutcome> {
  const { stdin, stderr } = process
  const { id, typed, program, inputs, model, json, out, note, advice } = presented
  const view = json
    ? undefined
    : createRunView({
        output: stderr,
        color: wantsColor(stderr.isTTY, process.env),
        live: stderr.isTTY && process.env.TERM !== 'dumb',
        program,
        inputs: inputs as Record<string, Value>,
        runId: id,
        typed,
        model,
        isRehearsal: isRehearsal(model),
        ...(advice !== undefined && { advice }),
      })
  const shown: RunShow = view ?? eventLines(id)
  const person = view && stdin.isTTY && stderr.isTTY ? personAtTerminal(view) : undefined
  try {
    const outcome = await work(shown, person)
    shown.end(outcome)
    if (out !== undefined) writeResult(out, id, outcome)
    if (!json) printResult(program, outcome)
    if (!json && outcome.kind === 'suspended') printWaiting(outcome)
    if (view && note !== undefined) stderr.write(note)
    return outcome
  } finally {
    shown.close()
  }
}

export const isRehearsal = (model: string): boolean => /^rehearsal\b/.test(model)

/** Before anything is paid for. */
export function checkOut(file: string | undefined): void {
  if (file === undefined) return
  try {
    accessSync(dirname(file), constants.W_OK)
  } catch (error) {
    throw new UsageError('cli.unwritable_file', `${file}: nothing can be written there`, { cause: error })
  }
}

/** For programs. */
function eventLines(id: string): RunShow {
  const write = (event: object) => process.stdout.write(`${JSON.stringify(event, plain)}\n`)
  write({ type: 'run-start', run: id })
  return {
    show: (event) => write(withoutAsked(event)),
    end: ({ saved: _, ...outcome }) => write({ type: 'outcome', run: id, ...outcome }),
    close() {},
  }
}

/** What is asked was told message by message. */
function withoutAsked(event: WorkflowEvent): object {
  if (event.type !== 'worker-event' || event.event.type !== 'turn-start') return event
  const { asked: _, ...told } = event.event
  return { ...event, event: told }
}

function writeResult(file: string, run: string, outcome: WorkflowOutcome): void {
  const { saved: _, ...result } = outcome
  try {
    writeFileSync(file, `${JSON.stringify({ run, outcome: outcome.kind, ...result }, null, 2)}\n`)
  } catch (error) {
    const problem = (error as Error).message
    throw new UsageError('cli.unwritable_file', `${file}: ${problem}; legible show ${run} has the result`)
  }
}

/** What the last goal gave. */
function printResult(program: Program, { kind, variables, goals }: WorkflowOutcome): void {
  if (kind !== 'completed' && kind !== 'not-converged') return
  const last = program.runs.at(-1)?.using.at(-1)
  const goal = program.goals.find(({ name }) => name === last)
  if (!goal) return
  const text =
    goal.outputs.length > 0
      ? formatValue(Object.fromEntries(goal.outputs.map(({ name }) => [name, variables[name]]))).text
      : (goals[goal.name] ?? '')
  process.stdout.write(`${process.stdout.isTTY ? safeLines(text) : text}\n`)
}

const safeLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => columns(line).text)
    .join('\n')

/** What a person is asked to decide on. */
function printWaiting(outcome: Extract<WorkflowOutcome, { kind: 'suspended' }>): void {
  const lines = outcome.judgements.flatMap(({ goal, text, reason }) => [
    columns(`? ${goal}${reason ? ` (${reason})` : ''} came to this:`).text,
    ...judgedLines(text).map((line) => `  ${line}`),
  ])
  for (const { call } of outcome.approvals) lines.push(`? ${callLine(call)}`)
  process.stderr.write(`${lines.join('\n')}\n`)
}
