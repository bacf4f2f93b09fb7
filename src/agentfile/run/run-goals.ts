import type { Durable } from '../../agent/durable.ts'
import { scopeJournal } from '../../agent/memory-journal.ts'
import { formatDuration } from '../../schema/duration.ts'
import type { Crew } from './crew.ts'
import { isDuration, type Program, type Value } from './program.ts'
import { limitOf, runGoal } from './run-goal.ts'

/** What a run has come to so far. */
export interface RunningState {
  variables: Map<string, Value>
  readonly goals: Map<string, string>
  readonly notConverged: string[]
}

/** Goal by goal, in the order of the file. What each gives is there for all that follow. */
export async function runGoals(
  program: Program,
  state: RunningState,
  journal: Durable,
  crew: Crew,
): Promise<void> {
  for (const run of program.runs) {
    const times = run.within === undefined ? 1 : limitOf(run.within, state.variables, run.name)
    let done = run.within === undefined
    // Goals of a round may use what later ones of it give: in the first round there is nothing.
    if (run.within !== undefined)
      for (const name of outputsOf(program, run.using))
        if (!state.variables.has(name)) state.variables.set(name, '')
    for (let n = 1; n <= times; n++) {
      const round = n === 1 ? run.name : `${run.name}~${n}`
      let said = false
      for (const [at, name] of run.using.entries()) {
        const goal = program.goals.find((one) => one.name === name)
        if (!goal) continue
        // A goal may stand there more than once.
        const before = run.using.slice(0, at).filter((one) => one === name).length
        const path = `${round}/${name}${before > 0 ? `~${before + 1}` : ''}`
        const isLast = run.within !== undefined && at === run.using.length - 1
        const endsLoop = isLast ? (n === 1 ? 'first' : 'next') : undefined
        crew.emit({ type: 'goal-start', path, goal: name, ...(n > 1 && { iteration: n }) })
        const result = await runGoal({
          goal,
          variables: shownVariables(program, state.variables),
          path,
          journal: scopeJournal(journal, path),
          program,
          crew,
          endsLoop,
          oversight: goal.oversight ?? run.oversight ?? program.oversight ?? 'unsupervised',
        })
        if (result.text !== '') state.goals.set(name, result.text)
        for (const [key, value] of Object.entries(result.values)) state.variables.set(key, value)
        if (!result.converged) state.notConverged.push(name)
        said = result.done && isLast
        crew.emit({ type: 'goal-end', path, goal: name, text: result.text, values: result.values })
      }
      if (said) {
        done = true
        break
      }
    }
    if (!done) {
      state.notConverged.push(run.name)
      crew.emit({ type: 'not-converged', path: run.name, goal: run.name, iterations: times })
    }
  }
}

const outputsOf = ({ goals }: Program, names: readonly string[]): string[] =>
  goals.flatMap(({ name, outputs }) => (names.includes(name) ? outputs.map((output) => output.name) : []))

/** Variables as prompts show them: a duration as people write it. */
function shownVariables(
  { inputs, goals }: Program,
  variables: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const shown = new Map(variables)
  for (const { name, schema } of [...inputs, ...goals.flatMap(({ outputs }) => outputs)]) {
    const value = shown.get(name)
    if (isDuration(schema) && typeof value === 'number') shown.set(name, formatDuration(value))
  }
  return shown
}
