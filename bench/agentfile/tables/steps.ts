import { compare, median } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { agentsInParallel, goalsInSequence } from '../agentfiles.ts'
import { addLines, inFolder, linesOf, wallMs } from '../disk.ts'
import { legible } from '../legible.ts'
import { finished, headerOf, instantModel, programOfText } from '../workflows.ts'

const workflows = {
  '100 goals in sequence': { text: goalsInSequence(100), asked: 100 },
  '8 agents × 20 goals': { text: agentsInParallel(8, 20), asked: 9 * 20 },
}

export const steps: Section = {
  name: 'steps',
  title: 'Steps of workflows, with a model that answers at once',
  async measure(run: Run) {
    if (!legible) return undefined
    const { createWorkflow, beginRun } = legible
    const rows: string[][] = []
    for (const [name, { text, asked }] of Object.entries(workflows)) {
      const program = programOfText(legible, text)
      const workflow = createWorkflow(program, { model: instantModel() })
      const inMemory = () => finished(workflow.start({}))
      const inFile = (file: string) =>
        beginRun(file, headerOf(program), ({ journal }) => finished(workflow.start({}, { journal })))
      const count = (await inMemory()).entries.length
      if (count < asked) throw new Error(`${name}: ${count} steps of ${asked}`)
      const timings = await compare({ name, run: inMemory }, [], run.effort)
      const { file, floor, ratio } = await inFolder(async (newFile) => {
        const first = newFile()
        await inFile(first)
        const lines = linesOf(first)
        const rounds: { file: number; floor: number }[] = []
        for (let i = 0; i < run.effort.rounds; i++)
          rounds.push({
            floor: await wallMs(() => addLines(newFile(), lines)),
            file: await wallMs(() => inFile(newFile())),
          })
        return {
          file: median(rounds.map((round) => round.file)),
          floor: median(rounds.map((round) => round.floor)),
          ratio: median(rounds.map((round) => round.file / round.floor)),
        }
      })
      const perSecond = (ms: number) => (count * 1000) / ms
      const memory = perSecond(timings.get(name)!.ms)
      run.figures.set(`memory, ${name}`, memory)
      run.figures.set(`file, ${name}`, ratio)
      rows.push([
        name,
        String(count),
        figure(memory),
        figure(perSecond(file)),
        figure(perSecond(floor)),
        `${figure(ratio)} ×`,
      ])
    }
    return table(['', 'steps', 'in memory', 'with a file', 'the disk alone', 'time by the disk'], rows)
  },
}
