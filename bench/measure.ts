import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Something to time. A promise that it returns is waited for within the measured time. */
export interface Task {
  name: string
  run: () => unknown
}

export interface Effort {
  /** How many times each task is sampled; the median counts. */
  rounds: number
  /** CPU time that one sample should take: short tasks are repeated until they fill it. */
  sampleMs: number
  warmUpMs: number
  /** CPU time that all rounds of one slow task may take together: it is sampled less often, but at least once. */
  capMs: number
}

export interface Timing {
  /** CPU milliseconds of one run. */
  ms: number
  /** Median over the rounds of (this task / the baseline of the same round). */
  ratio: number
}

// Code that rests between two samples must not be thrown away, or each sample would begin cold.
setFlagsFromString('--no-flush-bytecode')
setFlagsFromString('--expose-gc')
const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc')

/** Keeps results reachable, so that no run can be optimised away. */
export let lastResult: unknown

/** CPU time of the whole process, so that garbage collection on other threads is counted too. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** CPU milliseconds per run, over `count` runs. */
async function sample(task: Task, count: number): Promise<number> {
  const start = cpuMs()
  for (let i = 0; i < count; i++) {
    const result = task.run()
    lastResult = result instanceof Promise ? await result : result
  }
  return (cpuMs() - start) / count
}

/** Runs the task until it is warm, and says how many runs fill one sample. */
async function warmUp(task: Task, effort: Effort): Promise<{ count: number; once: number }> {
  let count = 1
  let spent = 0
  for (;;) {
    const once = await sample(task, count)
    spent += once * count
    if (spent >= effort.warmUpMs && once * count >= effort.sampleMs / 2) {
      return { count: Math.max(1, Math.round(effort.sampleMs / once)), once }
    }
    count = once * count < effort.sampleMs ? count * 2 : count
  }
}

/**
 * Times every task against the baseline. The rounds go through all tasks in turn, each round in another order,
 * so that whatever slows the machine down for a while slows all of them alike.
 */
export async function compare(baseline: Task, tasks: Task[], effort: Effort): Promise<Map<string, Timing>> {
  const all = [baseline, ...tasks]
  const plans = new Map<Task, { count: number; rounds: number; ms: number[]; ratios: number[] }>()
  for (const task of all) {
    const { count, once } = await warmUp(task, effort)
    const affordable = Math.max(1, Math.floor(effort.capMs / (once * count)))
    plans.set(task, { count, rounds: Math.min(effort.rounds, affordable), ms: [], ratios: [] })
  }
  const basePlan = plans.get(baseline)!
  for (let round = 0; round < effort.rounds; round++) {
    const base = await settledSample(baseline, basePlan.count)
    basePlan.ms.push(base)
    basePlan.ratios.push(1)
    for (let i = 0; i < tasks.length; i++) {
      const task = tasks[(i + round) % tasks.length]!
      const plan = plans.get(task)!
      if (round >= plan.rounds) continue
      const ms = await settledSample(task, plan.count)
      plan.ms.push(ms)
      plan.ratios.push(ms / base)
    }
  }
  const timings = new Map<string, Timing>()
  for (const [task, plan] of plans)
    timings.set(task.name, { ms: median(plan.ms), ratio: median(plan.ratios) })
  return timings
}

/** A sample that neither pays for the garbage of the one before nor starts with cold caches. */
async function settledSample(task: Task, count: number): Promise<number> {
  collect({ type: 'minor' })
  if (count > 1) await sample(task, Math.ceil(count / 8))
  return sample(task, count)
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The k of time ~ size^k: the slope of the least-squares line through the logarithms. */
export function growthExponent(points: { size: number; ms: number }[]): number {
  const xs = points.map(({ size }) => Math.log(size))
  const ys = points.map(({ ms }) => Math.log(ms))
  const mean = (numbers: number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length
  const meanX = mean(xs)
  const meanY = mean(ys)
  const over = xs.reduce((sum, x, i) => sum + (x - meanX) * (ys[i]! - meanY), 0)
  const under = xs.reduce((sum, x) => sum + (x - meanX) ** 2, 0)
  return over / under
}
