import type { Prompt, RunStatement, Statement } from './agentfile.ts'
import type { Report } from './report.ts'

/** How many words of a prompt make a name. */
const WORDS = 4

/** Gives names to the goals and RUNs of older files that have none, and says so. No other has the same. */
export function makeNames(statements: readonly Statement[], report: Report): Statement[] {
  const goals = new Set<string>()
  const runs = new Set<string>()
  for (const statement of statements) {
    if (statement.kind === 'goal' || statement.kind === 'converge') goals.add(statement.name.text)
    if (statement.kind === 'run') runs.add(statement.name.text)
  }
  const freeGoal = createNames(goals)
  const freeRun = createNames(runs)
  return statements.map((statement) => {
    if (!('name' in statement) || statement.name.text !== '') return statement
    const {
      kind,
      name: { span },
    } = statement
    if (kind === 'run') {
      const text = freeRun('main')
      report.add('old_then', { name: text, goals: goalsOf(statement) }, span)
      return { ...statement, name: { text, span } }
    }
    if (kind !== 'goal' && kind !== 'converge') return statement
    const text = freeGoal(wordsOf(statement.prompt))
    report.add('old_unnamed_goal', { statement: kind.toUpperCase(), name: text }, span)
    return { ...statement, name: { text, span } }
  })
}

function goalsOf({ using }: RunStatement): string[] {
  return using.map(({ text }) => text)
}

function wordsOf(prompt: Prompt): string {
  const text = prompt.kind === 'text' ? prompt.text.slice(0, 400).toLowerCase() : ''
  const words =
    text
      .match(/[a-z0-9]+/g)
      ?.slice(0, WORDS)
      .join('_')
      .slice(0, 40)
      .replace(/_$/, '') ?? ''
  return /^[a-z]/.test(words) ? words : words ? `goal_${words}` : 'goal'
}

/** Gives out names: with a number behind them if they are taken. */
function createNames(taken: Set<string>): (base: string) => string {
  const numbers = new Map<string, number>()
  return (base) => {
    let number = numbers.get(base) ?? 1
    let name = number === 1 ? base : `${base}_${number}`
    while (taken.has(name)) name = `${base}_${++number}`
    numbers.set(base, number)
    taken.add(name)
    return name
  }
}
