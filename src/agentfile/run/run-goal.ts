import { BranchesFailed, type Durable, type Json } from '../../agent/durable.ts'
import { scopeJournal } from '../../agent/memory-journal.ts'
import { describeLoopEnd, describeVersions, type VersionPrompt } from './converged.ts'
import type { Crew } from './crew.ts'
import { Halt, joinHalts } from './halt.ts'
import { interpolate, type Variables } from './interpolate.ts'
import { judgeGoal } from './judge-goal.ts'
import type { AgentNode, GoalNode, Output, Oversight, Program, Value } from './program.ts'
import { describeSynthesis } from './prompts.ts'
import { markUntrusted, securityNote } from './security.ts'
import type { Task, Work } from './task.ts'
import { workOn } from './work-on.ts'
import type { Path } from './workflow-event.ts'

export interface GoalRun {
  readonly goal: GoalNode
  readonly variables: Variables
  readonly path: Path
  readonly journal: Durable
  readonly program: Program
  readonly crew: Crew
  readonly oversight: Oversight
  /** It is the last of goals that are repeated: it may say that there is nothing left to do; `first`: in the first round. */
  readonly endsLoop: Task['converge']
}

export interface GoalResult {
  readonly text: string
  readonly values: Readonly<Record<string, Value>>
  /** False: a limit came first. */
  readonly converged: boolean
  /** It was asked whether there is anything left to do, and says that there is not. */
  readonly done: boolean
}

/** How often a goal that is watched is done again. */
const MOST_CORRECTIONS = 3

/** Carries out a goal: by itself or with its agents, until it converges, and until those who watch it are content. */
export async function runGoal(run: GoalRun): Promise<GoalResult> {
  const { goal, variables, path, journal, program, crew } = run
  const asked = interpolate(goal.prompt, variables)
  let correction = ''
  for (let tries = 0; tries <= MOST_CORRECTIONS; tries++) {
    const prompt =
      correction === ''
        ? asked
        : `${asked}\n\nIt was done before, and has to be done differently:\n${correction}`
    const here = tries === 0 ? journal : scopeJournal(journal, `again-${tries}`)
    const attempt = { ...run, journal: here, path: tries === 0 ? path : `${path}/again-${tries}` }
    const result =
      goal.within === undefined ? await doOnce(attempt, prompt) : await doUntilConverged(attempt, prompt)
    if (run.oversight === 'unsupervised') return result
    const judgement = await judgeGoal({
      goal,
      oversight: run.oversight,
      asked: prompt,
      work: result,
      path: attempt.path,
      journal: here,
      crew,
    })
    if (judgement.kind === 'continue') return result
    if (judgement.kind === 'pause')
      throw failed(path, `a person stopped it${judgement.reason && `: ${judgement.reason}`}`)
    correction = judgement.correction
  }
  throw failed(
    path,
    `it was corrected ${MOST_CORRECTIONS} times, and is still not as it should be (${program.name})`,
  )
}

const failed = (path: Path, reason: string) =>
  new Halt({ kind: 'failed', path, paths: [path], reason, issues: [], provider: false })

async function doOnce(run: GoalRun, prompt: string): Promise<GoalResult> {
  const asked = run.endsLoop ? describeLoopEnd(prompt) : { prompt, ending: '' }
  const { text, values = {}, converged = false } = await work(run, asked, run.endsLoop)
  return { text, values, converged: true, done: converged }
}

async function doUntilConverged(run: GoalRun, prompt: string): Promise<GoalResult> {
  const { goal, variables, path, journal, crew } = run
  const most = limitOf(goal.within as number | string, variables, path)
  const versions: string[] = []
  let last: Work = { text: '' }
  for (let i = 1; i <= most; i++) {
    const version = { ...run, journal: scopeJournal(journal, `version-${i}`), path: `${path}/version-${i}` }
    const made = await work(version, describeVersions(prompt, versions), i === 1 ? 'first' : 'next')
    if (made.text !== '') last = made
    if (made.converged) return { text: last.text, values: last.values ?? {}, converged: true, done: true }
    // As it was read: what was wrong with it is not shown again.
    versions.push(made.values ? JSON.stringify(made.values) : made.text)
  }
  crew.emit({ type: 'not-converged', path, goal: goal.name, iterations: most })
  return { text: last.text, values: last.values ?? {}, converged: false, done: false }
}

/** A number of repetitions: as it stands in the file, or as a variable says. */
export function limitOf(within: number | string, variables: Variables, path: Path): number {
  if (typeof within === 'number') return within
  const value = Number(variables.get(within))
  if (Number.isInteger(value) && value >= 1) return value
  throw failed(
    path,
    `WITHIN $${within}: ${JSON.stringify(variables.get(within))} is not a whole number from 1 on`,
  )
}

/** What the goal comes to, this once. */
async function work(
  run: GoalRun,
  { prompt, ending: last }: VersionPrompt,
  converge: Task['converge'],
): Promise<Work> {
  const { goal, program, path, journal, crew } = run
  const note = securityNote(program.security)
  const ending = converge ? { converge } : {}
  /** Only who writes what the goal comes to can say that there is nothing left to do. */
  const whole = last === '' ? prompt : `${prompt}\n\n${last}`
  if (goal.using.length === 0) {
    const task: Task = {
      role: 'goal',
      name: goal.name,
      system: note,
      prompt: whole,
      outputs: goal.outputs,
      described: false,
      tools: true,
      depth: 0,
      ...ending,
    }
    return workOn(task, path, journal, crew)
  }
  const agents = goal.using.map((name) => program.agents.find((one) => one.name === name) as AgentNode)
  const [only] = agents
  // What the one agent gives is what the goal asks for: there is nothing to join.
  const isWhole = agents.length === 1 && sameOutputs((only as AgentNode).outputs, goal.outputs)
  const tasks = agents.map(
    (agent): Task => ({
      role: 'agent',
      name: agent.name,
      system: [interpolate(agent.prompt, run.variables), note].filter(Boolean).join('\n\n'),
      prompt: isWhole ? whole : prompt,
      outputs: agent.outputs,
      described: false,
      ...(agent.requires !== undefined && { requires: agent.requires }),
      tools: true,
      depth: 0,
      ...(isWhole && ending),
    }),
  )
  const results = await runBranches(tasks, journal)
  if (isWhole) return results[0] as Work
  const contributions = agents.map(({ name }, i) => {
    const { text, values } = results[i] as Work
    return markUntrusted({ agent: name, text, values }, program.security)
  })
  const task: Task = {
    role: 'synthesis',
    name: goal.name,
    system: [prompt, note].filter(Boolean).join('\n\n'),
    prompt: [describeSynthesis(contributions, goal.outputs), last].filter(Boolean).join('\n\n'),
    outputs: goal.outputs,
    described: true,
    tools: false,
    depth: 0,
    ...ending,
  }
  return workOn(task, `${path}/synthesis`, scopeJournal(journal, 'synthesis'), crew)
}

const sameOutputs = (one: readonly Output[], other: readonly Output[]) =>
  one.length === other.length &&
  one.every(({ name, type }) => other.some((field) => field.name === name && field.type === type))

/** What a goal does beside its agents has names of its own, which an agent may have too. */
const own = /^(?:synthesis|supervisor|judgement|(?:again|version|spawn)-\d+)$/
const keyOf = (agent: string) => (own.test(agent) ? `${agent}.` : agent)

/** Each agent is a branch of the run, given data. All come to an end before one that failed fails the goal. */
async function runBranches(tasks: readonly Task[], journal: Durable): Promise<Work[]> {
  const branches = tasks.map((task) => ({
    key: keyOf(task.name),
    node: { kind: 'work' },
    input: task as unknown as Json,
  }))
  try {
    return (await journal.parallel<Json>(branches)) as unknown as Work[]
  } catch (error) {
    throw error instanceof BranchesFailed ? joinHalts(error) : error
  }
}
