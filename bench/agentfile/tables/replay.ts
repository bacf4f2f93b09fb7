import { compare, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { goalsInSequence } from '../agentfiles.ts'
import { inFolder } from '../disk.ts'
import { legible } from '../legible.ts'
import { finished, headerOf, instantModel, programOfText } from '../workflows.ts'

const GOALS = 1000

export const replay: Section = {
  name: 'replay',
  title: `Taking up a run of ${GOALS.toLocaleString('en')} goals, CPU microseconds a step`,
  async measure(run: Run) {
    if (!legible) return undefined
    const { createWorkflow, beginRun, resumeRun } = legible
    const program = programOfText(legible, goalsInSequence(GOALS))
    const answering = instantModel()
    let asked = 0
    const model = {
      ...answering,
      doStream: (options: Parameters<typeof answering.doStream>[0]) => {
        asked++
        return answering.doStream(options)
      },
    }
    const workflow = createWorkflow(program, { model })
    return inFolder(async (newFile) => {
      const file = newFile()
      const saved = await beginRun(file, headerOf(program), ({ journal }) =>
        finished(workflow.start({}, { journal })),
      )
      const tasks: Task[] = [
        { name: 'run, in memory', run: () => finished(workflow.start({})) },
        { name: 'taken up, in memory', run: () => finished(workflow.resume(saved)) },
        {
          name: 'taken up, from the file',
          run: () => resumeRun(file, {}, ({ journal }) => finished(workflow.start({}, { journal }))),
        },
      ]
      const before = asked
      for (const { run } of tasks.slice(1)) await run()
      if (asked > before) throw new Error(`${asked - before} questions were asked again`)
      const [baseline, ...others] = tasks as [Task, ...Task[]]
      const timings = await compare(baseline, others, run.effort)
      const count = saved.entries.length
      return table(
        ['', 'µs a step'],
        tasks.map(({ name }) => [name, figure((timings.get(name)!.ms * 1000) / count)]),
      )
    })
  },
}
