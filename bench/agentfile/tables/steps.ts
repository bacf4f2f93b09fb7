import { compare } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { agentsInParallel, goalsInSequence } from '../agentfiles.ts'
import { addLines, inFolder, linesOf, wallMs } from '../disk.ts'
import { type Journal, legible, type Saved } from '../legible.ts'
import { finished, headerOf, instantModel, programOfText } from '../workflows.ts'

const workflows = {
  '100 goals in sequence': { text: goalsInSequence(100), asked: 100 },
  '8 agents × 20 goals': { text: agentsInParallel(8, 20), asked: 9 * 20 },
}

export const steps: Section = {
  name: 'steps',
  title: 'Steps a second, with a model that answers at once',
  async measure(run: Run) {
    if (!legible) return undefined
    const { createWorkflow, beginRun } = legible
    const rows: string[][] = []
    for (const [name, { text, asked }] of Object.entries(workflows)) {
      const program = programOfText(legible, text)
      const workflow = createWorkflow(program, { model: instantModel() })
      const header = headerOf(program)
      const inMemory = () => finished(workflow.start({}))
      const saved = await inMemory()
      const count = saved.entries.length
      if (count < asked) throw new Error(`${name}: ${count} steps of ${asked}`)
      const timings = await compare({ name, run: inMemory }, [], run.effort)
      const best = await inFolder(async (newFile) => {
        const inFile = (file: string) =>
          beginRun(file, header, ({ journal }) => finished(workflow.start({}, { journal })))
        const first = newFile()
        await inFile(first)
        const lines = linesOf(first)
        return bestOf(3 * run.effort.rounds, {
          disk: () => addLines(newFile(), lines),
          journal: () => beginRun(newFile(), header, ({ journal }) => keep(journal, saved)),
          file: () => inFile(newFile()),
        })
      })
      const perSecond = (ms: number) => (count * 1000) / ms
      const memory = perSecond(timings.get(name)!.ms)
      const ratio = best.journal / best.disk
      run.figures.set(`memory, ${name}`, memory)
      run.figures.set(`journal, ${name}`, ratio)
      rows.push([
        name,
        String(count),
        ...[memory, perSecond(best.file), perSecond(best.journal), perSecond(best.disk)].map(figure),
        figure(ratio),
      ])
    }
    return table(
      ['', 'steps', 'in memory', 'with a file', 'the journal alone', 'the disk alone', 'journal by disk'],
      rows,
    )
  },
}

/** The steps of a run, kept one after the other, without the workflow that they are of. */
async function keep(source: Journal, { entries }: Saved): Promise<void> {
  const journal = source(() => Promise.reject(new Error('there are no branches')))
  for (const { key, value } of entries) await journal.step(key, async () => value)
}

/** The least milliseconds of each, of rounds in turn: whatever else the machine does can only make them more. */
async function bestOf<Name extends string>(
  rounds: number,
  works: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, number>> {
  const best = {} as Record<Name, number>
  for (let i = 0; i < rounds; i++)
    for (const name of Object.keys(works) as Name[])
      best[name] = Math.min(best[name] ?? Number.POSITIVE_INFINITY, await wallMs(works[name]))
  return best
}
