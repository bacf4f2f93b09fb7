import { cutIntoChunks } from '../../chunks.ts'
import { judge } from '../../judge.ts'
import { compare, growthExponent, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { type CallForm, callOf, forms, writeFile } from '../document.ts'
import { legible } from '../legible.ts'
import { peerName, readWithPeer } from '../peer.ts'

interface Point {
  size: number
  ms: number
}

export const streaming: Section = {
  name: 'streaming',
  title: 'One long call in chunks of 4, CPU milliseconds',
  async measure(run: Run) {
    if (!legible) return undefined
    const rows: string[][] = []
    for (const form of forms) rows.push(...(await measureForm(run, form)))
    return table(['', '20 KB', '80 KB', '1 MB', 'time ~ size^k, k ='], rows)
  },
}

async function measureForm(run: Run, form: CallForm): Promise<string[][]> {
  const ours: Point[] = []
  const theirs: Point[] = []
  const rows = { ours: [`${form.name}: legible`], theirs: [`${form.name}: ${peerName}`], ratio: ['×'] }
  for (const kilobytes of [20, 80, 1000]) {
    const { text, args } = callOf(form, kilobytes)
    const chunks = cutIntoChunks(text, 4)
    const size = text.length
    if (run.verbose) console.error(form.name, kilobytes, 'KB')
    const task: Task = { name: 'legible', run: () => readWithLegible(chunks) }
    const { verdict } = await judge(
      () => readWithLegible(chunks),
      [{ name: writeFile.name, arguments: args }],
    )
    const time = (await compare(task, [], run.effort)).get(task.name)!.ms
    if (verdict === 'right') ours.push({ size, ms: time })
    rows.ours.push(verdict === 'right' ? figure(time) : verdict)
    // Not in the rounds of the peer: it runs for so long that little of a warm legible is left after it.
    const peer = await peerTask(run, form, chunks, args, guess(theirs, size))
    if (!peer.task) {
      rows.theirs.push(peer.why)
      rows.ratio.push('')
      continue
    }
    const peerTime = (await compare(task, [peer.task], run.effort)).get(peer.task.name)!.ms
    theirs.push({ size, ms: peerTime })
    rows.theirs.push(figure(peerTime))
    rows.ratio.push(verdict === 'right' ? figure(peerTime / time) : '')
    if (kilobytes === 20) run.figures.set(`streaming ${form.name}`, verdict === 'right' ? peerTime / time : 0)
  }
  const exponent = (points: Point[]) => (points.length > 1 ? growthExponent(points).toFixed(2) : '')
  if (ours.length > 1) run.figures.set(`growth ${form.name}`, growthExponent(ours))
  rows.ours.push(exponent(ours))
  rows.theirs.push(exponent(theirs))
  rows.ratio.push('')
  return form.protocol ? [rows.ours, rows.theirs, rows.ratio] : [rows.ours]
}

/** What the peer is timed with, or why it is not. */
async function peerTask(
  run: Run,
  { protocol }: CallForm,
  chunks: string[],
  args: unknown,
  expected: number,
): Promise<{ task?: Task; why: string }> {
  if (!protocol) return { why: '' }
  if (expected > (run.quick ? 3000 : 60_000))
    return {
      why: `not run, some ${expected < 60_000 ? `${figure(expected / 1000)} s` : `${figure(expected / 60_000)} min`}`,
    }
  const read = async () =>
    (await readWithPeer(protocol, [writeFile], chunks)).calls.map(({ name, arguments: given }) => ({
      name,
      arguments: given,
    }))
  const { verdict } = await judge(read, [{ name: writeFile.name, arguments: args }])
  return verdict === 'right' ? { task: { name: 'peer', run: read }, why: '' } : { why: verdict }
}

/** How long a size will take the peer, going by the sizes before: it is about quadratic. */
function guess(points: Point[], size: number): number {
  const last = points.at(-1)
  if (!last) return 0
  return last.ms * (size / last.size) ** (points.length > 1 ? growthExponent(points) : 2)
}

/** Keeps the work of the listener reachable. */
export let seen = 0

/** Events are looked at, as a program would that shows arguments while they arrive: the peer tells them, too. */
function readWithLegible(chunks: string[]): unknown {
  const reader = legible!.createToolCallReader({
    tools,
    onEvent: (event) => {
      seen += event.type.length
    },
  })
  for (const chunk of chunks) reader.push(chunk)
  return reader.end().value.calls.map(({ name, arguments: args }) => ({ name, arguments: args }))
}

// Declared once, as a program does.
const tools = [writeFile]
