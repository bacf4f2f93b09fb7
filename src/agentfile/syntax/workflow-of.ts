import type {
  Agentfile,
  AgentStatement,
  ConvergeStatement,
  GoalStatement,
  InputStatement,
  Name,
  RunStatement,
  SecurityStatement,
  Statement,
  Supervision,
} from './agentfile.ts'

export type Goal = GoalStatement | ConvergeStatement

/** What a file declares, by kind, in its order. Of two with the same name the first counts. */
export interface Workflow {
  readonly name: string | undefined
  readonly inputs: ReadonlyMap<string, InputStatement>
  readonly agents: ReadonlyMap<string, AgentStatement>
  readonly goals: ReadonlyMap<string, Goal>
  /** What runs, one after the other. A file without RUN runs all its goals, as `main`. */
  readonly runs: readonly Pick<RunStatement, 'name' | 'using' | 'within' | 'supervision'>[]
  /** All names that `$` may stand before: inputs, and outputs of goals. */
  readonly variables: ReadonlySet<string>
  /** For goals that say nothing else. */
  readonly supervision: Supervision | undefined
  readonly security: SecurityStatement | undefined
}

/** The file as one who runs it sees it. */
export function workflowOf({ statements, span }: Agentfile): Workflow {
  const ofKind = <K extends Statement['kind']>(...kinds: K[]) =>
    statements.filter((one): one is Extract<Statement, { kind: K }> => (kinds as string[]).includes(one.kind))
  const inputs = byName(ofKind('input'))
  const goals = byName(ofKind('goal', 'converge'))
  const runs = ofKind('run')
  const all = { name: { text: 'main', span }, using: [...goals.values()].map(({ name }) => name) }
  const outputs = [...goals.values()].flatMap((goal) => goal.outputs.map(({ name }) => name.text))
  return {
    name: ofKind('name')[0]?.name.text,
    inputs,
    agents: byName(ofKind('agent')),
    goals,
    runs: runs.length > 0 || goals.size === 0 ? runs : [all],
    variables: new Set([...inputs.keys(), ...outputs]),
    supervision: ofKind('supervision')[0]?.supervision,
    security: ofKind('security')[0],
  }
}

/** How closely a goal is watched, as it says itself, or as the most closely watched of its agents; undefined: as its RUN says, or the file. */
export function ownOversight(
  { agents }: Pick<Workflow, 'agents'>,
  goal: Goal,
): Supervision['mode'] | undefined {
  const modes = goal.using.map(({ text }) => agents.get(text)?.supervision?.mode)
  return goal.supervision?.mode ?? (['human', 'supervised'] as const).find((mode) => modes.includes(mode))
}

function byName<S extends { readonly name: Name }>(statements: readonly S[]): Map<string, S> {
  const map = new Map<string, S>()
  for (const statement of statements)
    if (!map.has(statement.name.text)) map.set(statement.name.text, statement)
  return map
}
