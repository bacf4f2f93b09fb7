import { versionWords, wantsNewPlan } from '../loop-words.ts'
import type { OfferedTool } from './contract.ts'
import type { Turn } from './conversation.ts'
import { fillTemplate } from './fill-template.ts'
import type { Request } from './read-request.ts'
import { type Call, readSteering } from './read-steering.ts'
import { excerpt, keyWords } from './words.ts'

/** What the model does next: calls, or an answer; in words, before they are written in any form. */
export interface Move {
  readonly thought: string
  readonly calls: readonly Call[]
  /** Absent while calls are made. */
  readonly answer: string | undefined
  readonly error: string | undefined
  /** For the free text of values, the most telling first. */
  readonly words: readonly string[]
  /** The later call of a plan needs the result of the first. */
  readonly dependent: boolean
  /** What may be left out is. */
  readonly brief: boolean
  /** Nothing is left to do: that is all there is to say, or it is said behind the rest. */
  readonly converged?: 'now' | 'after' | undefined
}

/** After this many replies that called tools, with or without luck, there is an answer. */
const MAX_CALLS = 3
/** After this many replies of any kind there is an answer as well. */
const MAX_TURNS = 7

/** The same for the same request and the same random numbers; those must not depend on the turn. */
export function decideMove(request: Request, random: () => number): Move {
  const { contract, native, task, system, turns, mustCall } = request
  const [, must] = /\bYou must call the tool (\S+) now\./.exec(system) ?? []
  const offered = native.length > 0 ? native : contract.tools
  const tools = must === undefined ? offered : offered.filter(({ name }) => name === must)
  const { calls: steered, noTools, error } = readSteering(`${system}\n${task}`)
  const about = keyWords(task)
  const free = stepsOf(tools, about, native.length > 0 || contract.kind !== 'reply', random)
  const dependent = random() < 0.5
  const brief = random() < 0.5
  const steps = steered.length > 0 ? steered.map((call) => [call]) : noTools || isGreeting(task) ? [] : free
  const outputs = turns.flatMap((turn) => turn.outputs.map((output) => excerpt(output))).filter(Boolean)
  const words = [...outputs.slice(0, 1), about]
  const base = { words, dependent, brief, error: undefined }
  // A plan has all its calls at once, and its results are all there are.
  if (contract.kind === 'plan' && native.length === 0) {
    const planned = turns.findLast(({ outcome }) => outcome === 'results' || outcome === 'failed')
    const needed = planned && callsLeft(steps.flat(), planned.notes.join('\n'))
    if (needed) return { ...base, thought: thoughtOf(task, needed), calls: needed, answer: undefined }
    if (!planned)
      return { ...base, thought: thoughtOf(task, steps.flat()), calls: steps.flat(), answer: undefined }
  } else {
    const done = count(turns, 'results')
    const tried = done + count(turns, 'failed')
    const step = steps[done] ?? (mustCall ? free[0] : undefined)
    if (step && ((tried < MAX_CALLS && turns.length < MAX_TURNS) || mustCall))
      return { ...base, thought: thoughtOf(task, step), calls: step, answer: undefined }
  }
  const answer = answerOf(task, outputs)
  return { ...base, thought: thoughtOf(task, []), calls: [], answer, error, converged: convergedIn(task) }
}

/** Nobody who says hello wants anything to be done. */
const isGreeting = (task: string) =>
  /^\W*(?:hi|hello|hey|thanks|thank you|good (?:morning|day|evening))\b[\w\s,]{0,30}\W*$/i.test(task)

/** Two versions are enough, and so is one round. */
function convergedIn(task: string): Move['converged'] {
  if (task.includes(versionWords.next) && task.includes(`${versionWords.name} 2`)) return 'now'
  return task.includes(versionWords.enough) ? 'after' : undefined
}

/** Of a plan that did not work out, the calls that are said to be missing; nothing if no other plan is wanted. */
function callsLeft(calls: readonly Call[], note: string): readonly Call[] | undefined {
  if (!wantsNewPlan(note)) return undefined
  const left = calls.filter(({ tool }) => note.includes(`(${tool})`))
  return left.length > 0 ? left : calls
}

const count = (turns: readonly Turn[], outcome: Turn['outcome']) =>
  turns.filter((turn) => turn.outcome === outcome).length

/** One tool or two of those that are offered, each once: at once, or one after the other. */
function stepsOf(
  tools: readonly OfferedTool[],
  about: string,
  severalAtOnce: boolean,
  random: () => number,
): Call[][] {
  const left = [...tools]
  const calls: Call[] = []
  const several = random() < 0.5
  const together = random() < 0.5
  while (left.length > 0 && calls.length < (several ? 2 : 1)) {
    const [tool] = left.splice(Math.floor(random() * left.length), 1)
    if (tool) calls.push({ tool: tool.name, args: fillTemplate(tool, [about]) as Record<string, unknown> })
  }
  return together && severalAtOnce && calls.length > 1 ? [calls] : calls.map((call) => [call])
}

function thoughtOf(task: string, calls: readonly Call[]): string {
  const asked = excerpt(task, 60)
  const begin =
    asked === ''
      ? 'This is a rehearsal.'
      : `This is a rehearsal of the task: ${asked.replace(/[.!?]+$/, '')}.`
  if (calls.length === 0) return `${begin} I can answer now.`
  return `${begin} I call ${calls.map(({ tool }) => excerpt(tool)).join(' and ')}.`
}

function answerOf(task: string, outputs: readonly string[]): string {
  const sentences = ['This is a rehearsal: no language model wrote this answer.']
  const asked = excerpt(task, 120)
  if (asked !== '') sentences.push(`You asked: "${asked}".`)
  if (outputs.length > 0)
    sentences.push(
      `The tools gave: ${outputs
        .slice(0, 3)
        .map((output) => `"${output}"`)
        .join(', ')}.`,
    )
  return sentences.join(' ')
}
