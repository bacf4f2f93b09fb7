import { isDeepStrictEqual } from 'node:util'
import { cutIntoChunks } from '../../chunks.ts'
import { type Random, randomFrom } from '../../random.ts'
import { table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { type Case, countedCases, type Difference, differences } from '../case.ts'
import { dataFile } from '../data.ts'
import { type CallsRead, legible } from '../legible.ts'
import { type ProtocolName, peerName, protocols, readWithPeer } from '../peer.ts'
import { reasons } from '../reasons.ts'

const ways = ['auto', 'named'] as const
type Way = (typeof ways)[number]
type Problem = Difference | 'threw' | 'differs at splits'

interface Count {
  total: number
  right: Record<Way, number>
  /** Right cases of the peer by protocol: all that is expected, and calls alone. */
  peer: Map<ProtocolName, { all: number; calls: number }>
}

export const dialects: Section = {
  name: 'dialects',
  title: 'Cases of other projects, by dialect',
  async measure(run: Run) {
    const file = dataFile('dialects/dev.jsonl.gz')
    if (!file) return undefined
    const counts = new Map<string, Count>()
    const failing: string[] = []
    const cases = countedCases(file)
    for (const [index, one] of cases.entries()) {
      const count = counts.get(one.dialect) ?? { total: 0, right: { auto: 0, named: 0 }, peer: new Map() }
      counts.set(one.dialect, count)
      count.total++
      const problems = new Map<Way, Problem[]>()
      for (const way of legible ? ways : []) {
        if (run.verbose) console.error(one.id, way)
        const found = problemsOf(one, way === 'auto' ? 'auto' : one.dialect, index, run.quick ? 3 : 20)
        if (found.length === 0) count.right[way]++
        else problems.set(way, found)
      }
      if (problems.size > 0) failing.push(describe(one.id, problems))
      await letPeerRead(one, count, run)
    }
    const all = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const rows = all.map(([name, count]) => rowOf(name, count, bestOf(count)))
    const sum = sumOf(all.map(([, count]) => count))
    for (const way of ways) run.figures.set(`cases ${way}`, (100 * sum.count.right[way]) / sum.count.total)
    rows.push(rowOf('**all**', sum.count, sum.best), shares(sum))
    const head = ['', 'cases', 'auto', 'named', peerName, 'its calls alone']
    return `${table(head, rows)}\n\n${failing.length} cases are not read as their source expects:\n\n${failing.join('\n')}`
  },
}

/** What is wrong with the reading of the whole text; and whether it is the same however the text arrives. */
function problemsOf(one: Case, dialect: string, seed: number, splits: number): Problem[] {
  try {
    const whole = read(one, dialect, [one.input])
    const problems: Problem[] = differences(one, whole.value)
    const random = randomFrom(seed + 1)
    const cuts = [
      [...one.input],
      one.chunks ?? [],
      ...Array.from({ length: splits }, () => cut(one.input, random)),
    ]
    const even = cuts.every(
      (chunks) => chunks.length === 0 || isDeepStrictEqual(read(one, dialect, chunks), whole),
    )
    return even ? problems : [...problems, 'differs at splits']
  } catch {
    return ['threw']
  }
}

function read(one: Case, dialect: string, chunks: string[]): CallsRead {
  const reader = legible!.createToolCallReader({
    tools: one.tools,
    dialect,
    reasoning: one.surface === 'tools' ? 'none' : one.start_in_reasoning ? 'open' : 'auto',
  })
  for (const chunk of chunks) reader.push(chunk)
  return reader.end()
}

/** Cut at random places, so that chunks are sometimes short and sometimes long. */
function cut(text: string, random: Random): string[] {
  const longest = 1 + Math.floor(random() ** 2 * text.length)
  const chunks: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + 1 + Math.floor(random() * longest)
    chunks.push(text.slice(start, end))
    start = end
  }
  return chunks
}

function describe(id: string, problems: Map<Way, Problem[]>): string {
  const same = isDeepStrictEqual(problems.get('auto'), problems.get('named'))
  const what = same
    ? problems.get('auto')!.join(', ')
    : [...problems].map(([way, list]) => `${list.join(', ')} (${way})`).join('; ')
  return `- \`${id}\`: ${what}. ${Object.hasOwn(reasons, id) ? reasons[id] : 'open'}`
}

/** The peer gets the text as it streams, in chunks of 4, with each of its protocols. */
async function letPeerRead(one: Case, count: Count, run: Run): Promise<void> {
  const chunks = cutIntoChunks(one.input, 4)
  for (const name of Object.keys(protocols) as ProtocolName[]) {
    const score = count.peer.get(name) ?? { all: 0, calls: 0 }
    count.peer.set(name, score)
    if (run.verbose) console.error(one.id, peerName, name)
    let wrong: Difference[]
    try {
      wrong = differences(one, await readWithPeer(name, one.tools, chunks))
    } catch {
      continue
    }
    // It makes ids of its own, and leaves reasoning to another middleware.
    const counted = wrong.filter((what) => what !== 'id' && what !== 'reasoning')
    if (counted.length === 0) score.all++
    if (!counted.includes('calls') && !counted.includes('arguments')) score.calls++
  }
}

interface Best {
  all: number
  calls: number
}

/** Which protocol fits a dialect is known before a program runs, so that the best one counts. */
function bestOf({ peer }: Count): Best {
  const scores = [...peer.values()]
  return {
    all: Math.max(...scores.map(({ all }) => all)),
    calls: Math.max(...scores.map(({ calls }) => calls)),
  }
}

function sumOf(list: Count[]): { count: Count; best: Best } {
  const count: Count = { total: 0, right: { auto: 0, named: 0 }, peer: new Map() }
  const best: Best = { all: 0, calls: 0 }
  for (const one of list) {
    count.total += one.total
    for (const way of ways) count.right[way] += one.right[way]
    const { all, calls } = bestOf(one)
    best.all += all
    best.calls += calls
  }
  return { count, best }
}

function rowOf(name: string, { total, right }: Count, { all, calls }: Best): string[] {
  return [name, total, right.auto, right.named, all, calls].map(String)
}

function shares({ count: { total, right }, best }: { count: Count; best: Best }): string[] {
  const share = (n: number) => `${((100 * n) / total).toFixed(1)}%`
  return ['', '', share(right.auto), share(right.named), share(best.all), share(best.calls)]
}
