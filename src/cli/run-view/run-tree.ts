import type { AgentEvent } from '../../agent/event.ts'
import type { Program } from '../../agentfile/run/program.ts'
import type { Path, WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { createNode, endNode, isOver, type NodeKind, type NodeState, type RunNode } from './run-node.ts'
import { StreamTail } from './stream-tail.ts'
import { callWords, count, eventWords, excerpt, judgementWords, textWords, valueWords } from './words.ts'

type GoalEvent<T extends WorkflowEvent['type']> = Extract<WorkflowEvent, { type: T }>

/** What is known of a run: its goals in their order, with all who work on them. */
export class RunTree {
  /** Headings, goals and notes. */
  readonly entries: RunNode[] = []
  private readonly program: Program
  /** Those of the entries. Paths are said by the run, yet names in them by models. */
  private readonly nodes = new Map<Path, RunNode>()
  private heading = ''

  constructor(program: Program) {
    this.program = program
  }

  take(event: WorkflowEvent, now: number): void {
    switch (event.type) {
      case 'goal-start':
        this.startGoal(event, now)
        break
      case 'goal-end':
        this.endGoal(event, now)
        break
      case 'worker-start':
        this.startWorker(event, now)
        break
      case 'worker-event':
        this.takeWorkerEvent(event.path, event.event)
        break
      case 'worker-end':
        this.endWorker(event, now)
        break
      case 'worker-failed':
        this.failWorker(event, now)
        break
      case 'judgement':
        this.takeJudgement(event, now)
        break
      case 'not-converged':
        this.takeNotConverged(event, now)
    }
  }

  /** Nothing goes on any more. */
  end(outcome: WorkflowOutcome, now: number): void {
    if (outcome.kind === 'failed') this.mark(outcome.path, 'failed', excerpt(outcome.reason), now)
    if (outcome.kind === 'limit') this.mark(outcome.path, 'stopped', `limit: ${outcome.limit}`, now)
    if (outcome.kind === 'suspended') {
      for (const { id, reason } of outcome.judgements) {
        const words = reason === undefined ? 'waits for you' : `waits for you: ${excerpt(reason)}`
        this.mark(id.replace(/\/judgement$/, ''), 'waiting', words, now)
      }
      for (const { id, call } of outcome.approvals) {
        this.mark(id.replace(/\/approval:.*$/s, ''), 'waiting', `may it run? ${callWords(call)}`, now)
      }
    }
    this.stop(now)
  }

  stop(now: number): void {
    for (const entry of this.entries) if (!isOver(entry)) endNode(entry, 'stopped', now)
  }

  /** The first entries are on paper: they need not be known any longer. */
  drop(entries: number): void {
    for (const entry of this.entries.splice(0, entries)) this.forget(entry)
  }

  private forget(node: RunNode): void {
    if (this.nodes.get(node.path) === node) this.nodes.delete(node.path)
    for (const child of node.children) this.forget(child)
  }

  private startGoal({ path, goal, iteration = 1 }: GoalEvent<'goal-start'>, now: number): void {
    const run = this.program.runs.find(({ name }) => name === runOf(path))
    const isLoop = run?.within !== undefined
    const several = this.program.runs.length > 1
    const heading = [several && run?.name, isLoop && `round ${iteration}`].filter(Boolean).join(', ')
    if (heading !== this.heading && heading !== '')
      this.entries.push(createNode('heading', '', heading, now, 'done'))
    this.heading = heading
    const node = createNode('goal', path, goal, now)
    const agents = this.program.goals.find(({ name }) => name === goal)?.using.length ?? 0
    if (agents > 1) node.plan = `${agents} agents in parallel`
    // One that is told from its beginning again takes its own place.
    const before = this.nodes.get(path)
    const at = before && !isOver(before) ? this.entries.indexOf(before) : -1
    if (at >= 0) this.entries.splice(at, 1, node)
    else this.entries.push(node)
    this.nodes.set(path, node)
  }

  private endGoal({ path, text, values }: GoalEvent<'goal-end'>, now: number): void {
    const node = this.nodes.get(path)
    if (!node) return
    endNode(node, node.isUnconverged ? 'unconverged' : 'done', now)
    const given = valueWords(values) || node.plan || textWords(text)
    node.gave = node.isUnconverged ? `${node.gave} · ${given}` : given
  }

  private startWorker({ path, role, name, model }: GoalEvent<'worker-start'>, now: number): void {
    const known = this.nodes.get(path)
    if (role === 'goal' && known?.kind === 'goal') {
      known.plan = model
      return
    }
    const label = role === 'agent' || role === 'spawn' ? excerpt(name, 64) : labelOf(path)
    const node = this.add(role === 'goal' ? 'group' : 'worker', path, label, now)
    if (node) node.plan = model
  }

  /** Below what is above it in its path; groups on the way are made when somebody works in them. */
  private add(kind: NodeKind, path: Path, label: string, now: number): RunNode | undefined {
    const above = parentOf(path)
    // Nobody works but for a goal.
    if (!above.includes('/')) return undefined
    const parent = this.nodes.get(above) ?? this.add('group', above, labelOf(above), now)
    if (!parent) return undefined
    // A version that is made may be watched.
    if (parent.kind === 'group' && parent.state === 'done') {
      parent.state = 'active'
      parent.ended = undefined
    }
    // What is done again is what was done before, as a run that is taken up tells it.
    const before = parent.children.findIndex((child) => child.path === path && !isOver(child))
    const node = createNode(kind, path, label, now)
    if (before >= 0) parent.children.splice(before, 1, node)
    else {
      // A version ends when the next begins.
      if (kind === 'group')
        for (const child of parent.children)
          if (child.kind === 'group' && !isOver(child)) endNode(child, 'done', now)
      parent.children.push(node)
    }
    this.nodes.set(path, node)
    return node
  }

  private endWorker({ path, role, text, values, usage }: GoalEvent<'worker-end'>, now: number): void {
    const node = this.nodes.get(path)
    if (!node) return
    if (node.tokens === 0) this.countTokens(node, usage.input + usage.output)
    const given = values ? valueWords(values) : textWords(text)
    const calls = node.calls > 0 ? count(node.calls, 'call') : ''
    // What joins the work of others gives what the goal gives, or this version of it.
    if (role === 'synthesis') {
      const version = this.nodes.get(parentOf(path))
      if (version?.kind === 'group') version.gave = given
    } else node.gave = [given, calls].filter(Boolean).join(' · ')
    node.doing = ''
    node.tail = new StreamTail()
    // Who watches it may have something to say.
    if (role === 'goal' && node.kind === 'goal') node.plan = ''
    else endNode(node, 'done', now)
  }

  private failWorker({ path, reason }: GoalEvent<'worker-failed'>, now: number): void {
    const node = this.nodes.get(path)
    if (!node) return
    endNode(node, 'failed', now)
    node.gave = excerpt(reason)
  }

  private takeWorkerEvent(path: Path, event: AgentEvent): void {
    const node = this.nodes.get(path)
    if (!node || isOver(node)) return
    switch (event.type) {
      case 'text-delta':
      case 'section-delta':
      case 'reasoning-delta':
        node.tail.push(event.text)
        node.doing = ''
        return
      case 'turn-end':
        this.countTokens(node, event.usage.input + event.usage.output)
        return
      case 'approval-request':
        node.state = 'waiting'
        break
      case 'approval-verdict':
        node.state = 'active'
        node.doing = ''
        return
      case 'call-start':
        node.calls++
        break
      case 'turn-retry':
        node.tail = new StreamTail()
        break
    }
    node.doing = eventWords(event) ?? node.doing
  }

  /** They count for the goal, too. */
  private countTokens(node: RunNode, tokens: number): void {
    node.tokens += tokens
    if (node.kind === 'goal') return
    const goal = this.nodes.get(node.path.split('/').slice(0, 2).join('/'))
    if (goal?.kind === 'goal') goal.tokens += tokens
  }

  private takeJudgement({ path, judgement, by }: GoalEvent<'judgement'>, now: number): void {
    const supervisor = this.nodes.get(`${path}/supervisor`)
    if (by === 'model' && supervisor) {
      supervisor.gave = judgementWords(judgement)
      return
    }
    const note = this.add('note', `${path}/judgement`, by === 'person' ? 'you' : 'supervisor', now)
    if (!note) return
    note.gave = judgementWords(judgement)
    endNode(note, judgement.kind === 'pause' ? 'stopped' : 'done', now)
  }

  private takeNotConverged({ path, goal, iterations }: GoalEvent<'not-converged'>, now: number): void {
    const node = this.nodes.get(path)
    if (node) {
      node.isUnconverged = true
      node.gave = `not converged in ${count(iterations, 'version')}`
      return
    }
    const note = createNode('note', path, goal, now, 'unconverged')
    note.gave = `not converged in ${count(iterations, 'round')}`
    this.entries.push(note)
  }

  /** Where the run stands still, and all above it. */
  private mark(path: Path, state: NodeState, words: string, now: number): void {
    const parts = path.split('/')
    let isDeepest = true
    for (let n = parts.length; n > 0; n--) {
      const node = this.nodes.get(parts.slice(0, n).join('/'))
      if (!node || (isOver(node) && node.state !== 'stopped')) continue
      endNode(node, state, now)
      if (isDeepest) node.gave = words
      isDeepest = false
    }
  }
}

const parentOf = (path: Path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** `main~2/draft` is of main. */
const runOf = (path: Path) => path.split('/')[0]?.replace(/~\d+$/, '')

/** `version-2` → `version 2`; who has done it again has tried it before. */
function labelOf(path: Path): string {
  const last = path.slice(path.lastIndexOf('/') + 1)
  const [, kind, number] = /^(version|again|spawn)-(\d+)$/.exec(last) ?? []
  if (kind === undefined) return last
  return kind === 'again' ? `try ${Number(number) + 1}` : `${kind} ${number}`
}
