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
  const goals = new Map(program.goals.map((goal) => [goal.name, goal]))
  const declared = [...program.inputs, ...program.goals.flatMap(({ outputs }) => outputs)]
  const durations = declared.filter(({ schema }) => isDuration(schema)).map(({ name }) => name)
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
      const before = new Map<string, number>()
      for (const [at, name] of run.using.entries()) {
        const goal = goals.get(name)
        if (!goal) continue
        // A goal may stand there more than once.
        const time = (before.get(name) ?? 0) + 1
        before.set(name, time)
        const path = `${round}/${name}${time > 1 ? `~${time}` : ''}`
        const isLast = run.within !== undefined && at === run.using.length - 1
        const endsLoop = isLast ? (n === 1 ? 'first' : 'next') : undefined
        crew.emit({ type: 'goal-start', path, goal: name, ...(n > 1 && { iteration: n }) })
        const result = await runGoal({
          goal,
          variables: shownVariables(durations, state.variables),
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

/** Variables as prompts show them: a duration as people write it. Most programs have none, and nothing to copy. */
function shownVariables(
  durations: readonly string[],
  variables: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  if (durations.length === 0) return variables
  const shown = new Map(variables)
  for (const name of durations) {
    const value = shown.get(name)
    if (typeof value === 'number') shown.set(name, formatDuration(value))
  }
  return shown
}
