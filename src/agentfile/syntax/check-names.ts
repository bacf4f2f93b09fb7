import type { Agentfile, Name, Statement } from './agentfile.ts'
import type { Report } from './report.ts'
import type { Workflow } from './workflow-of.ts'

/** Names that stand twice, and names of what does not exist or is not used. */
export function checkNames(file: Agentfile, workflow: Workflow, source: string, report: Report): void {
  const lineOf = createLines(source)
  checkDuplicates(file.statements, lineOf, report)
  checkReferences(file.statements, workflow, report)
  checkOutputs(workflow, report)
}

/** Goals and CONVERGEs share their names; so do agents among themselves, and so on. */
const spaces: Partial<Record<Statement['kind'], string>> = {
  input: 'the input',
  agent: 'the agent',
  goal: 'the goal',
  converge: 'the goal',
  run: 'RUN',
}
/** What a file says once. */
const once: Partial<Record<Statement['kind'], string>> = {
  name: 'NAME',
  security: 'SECURITY',
  supervision: 'the supervision of the file',
}

function checkDuplicates(
  statements: readonly Statement[],
  lineOf: (at: number) => number,
  report: Report,
): void {
  const seen = new Map<string, number>()
  /** Where it stood first, if it did. */
  const firstOf = (key: string, at: number): number | undefined => {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, at)
    return first
  }
  const checkList = (what: string, names: readonly Name[], key: string): void => {
    for (const { text, span } of names) {
      const first = firstOf(`${key} ${text}`, span[0])
      if (first !== undefined) report.add('duplicate_name', { what, name: text, line: lineOf(first) }, span)
    }
  }
  for (const [i, statement] of statements.entries()) {
    const { kind, span } = statement
    const title = once[kind]
    const first = title ? firstOf(title, span[0]) : undefined
    if (title && first !== undefined)
      report.add('duplicate_statement', { statement: title, line: lineOf(first) }, span)
    const space = spaces[kind]
    if (space && 'name' in statement) checkList(space, [statement.name], space)
    if ('outputs' in statement) {
      const names = statement.outputs.map(({ name }) => name)
      checkList('the output', names, `output ${i}`)
    }
    // A RUN may name a goal twice: it runs twice. An agent answers a goal once.
    if (kind === 'goal' || kind === 'converge') checkList('the agent', statement.using, `using ${i}`)
  }
}

function checkReferences(
  statements: readonly Statement[],
  { agents, goals }: Workflow,
  report: Report,
): void {
  const usedAgents = new Set<string>()
  const usedGoals = new Set<string>()
  let hasRun = false
  for (const statement of statements) {
    if (statement.kind === 'run') {
      hasRun = true
      for (const { text: name, span } of statement.using) {
        usedGoals.add(name)
        if (goals.has(name)) continue
        const found = agents.has(name) ? 'agent' : 'nothing'
        const suggestion = found === 'agent' ? undefined : report.suggest(name, goals.keys())
        report.add('undefined_goal', { name, found, suggestion }, span)
      }
    } else if ('using' in statement) {
      for (const { text: name, span } of statement.using) {
        usedAgents.add(name)
        if (agents.has(name)) continue
        const found = goals.has(name) ? 'goal' : 'nothing'
        const suggestion = found === 'goal' ? undefined : report.suggest(name, agents.keys())
        report.add('undefined_agent', { name, found, suggestion }, span)
      }
    }
  }
  for (const { name } of agents.values())
    if (!usedAgents.has(name.text)) report.add('unused_agent', { name: name.text }, name.span)
  if (!hasRun) return
  for (const { name } of goals.values())
    if (!usedGoals.has(name.text)) report.add('unused_goal', { name: name.text }, name.span)
}

/** Outputs may not be named like inputs. */
function checkOutputs({ inputs, agents, goals }: Workflow, report: Report): void {
  for (const { outputs } of [...agents.values(), ...goals.values()])
    for (const { name } of outputs)
      if (inputs.has(name.text)) report.add('output_is_input', { name: name.text }, name.span)
}

/** The line of a place. Lines are counted once, when the first is asked for. */
function createLines(source: string): (at: number) => number {
  let starts: number[] | undefined
  return (at) => {
    if (!starts) {
      starts = [0]
      for (let end = source.indexOf('\n'); end >= 0; end = source.indexOf('\n', end + 1)) starts.push(end + 1)
    }
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= at) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}
