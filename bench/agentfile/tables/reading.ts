import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFile } from '../../calls/data.ts'
import { flat } from '../../chunks.ts'
import { compare, growthExponent, type Task } from '../../measure.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { goalsInSequence } from '../agentfiles.ts'
import { legible } from '../legible.ts'

const GOALS = 1000

export const reading: Section = {
  name: 'reading',
  title: `Reading Agentfiles, CPU milliseconds`,
  async measure(run: Run) {
    if (!legible) return undefined
    const { readAgentfile, formatAgentfile } = legible
    const sizes = [10, 30, 100, 300, GOALS].map((goals) => ({ goals, text: flat(goalsInSequence(goals)) }))
    const { text } = sizes.at(-1)!
    const { ok, value, issues } = readAgentfile(text)
    if (!ok || issues.length > 0) throw new Error(`the file is not right: ${issues[0]?.message}`)
    const formatted = formatAgentfile(value)
    if (formatAgentfile(readAgentfile(formatted).value) !== formatted)
      throw new Error('the form is not stable')
    const reads = sizes.map(({ goals, text }) => ({
      goals,
      text,
      name: `parse and check ${goals.toLocaleString('en')} goals, ${figure(text.length / 1000)} KB`,
    }))
    const format = `format ${GOALS.toLocaleString('en')} goals`
    const real = realFiles()
    const together = `parse and check ${real.length} real files, ${figure(real.reduce((sum, { text }) => sum + text.length, 0) / 1000)} KB`
    const tasks: Task[] = [
      ...reads.map(({ name, text }) => ({ name, run: () => readAgentfile(text) })),
      { name: format, run: () => formatAgentfile(value) },
    ]
    if (real.length > 0)
      tasks.push({
        name: together,
        run: () => real.map(({ text, files }) => readAgentfile(text, { files })),
      })
    const [baseline, ...others] = tasks as [Task, ...Task[]]
    const timings = await compare(baseline, others, run.effort)
    const growth = growthExponent(
      reads.map(({ name, text }) => ({ size: text.length, ms: timings.get(name)!.ms })),
    )
    run.figures.set('read 1,000 goals', timings.get(reads.at(-1)!.name)!.ms)
    run.figures.set('growth of reading', growth)
    const rows = tasks.map(({ name }) => [name, figure(timings.get(name)!.ms)])
    return `${table(['', 'ms'], rows)}\n\nThe time to parse and check grows as size^${growth.toFixed(2)}.`
  },
}

/** Agentfiles as people write them, with the files that their prompts are in. */
function realFiles() {
  const index = dataFile('agentfiles/index.json')
  if (!index) return []
  const entries: { path: string }[] = JSON.parse(readFileSync(index, 'utf8'))
  return entries.map(({ path }) => {
    const file = join(dirname(index), path)
    const prompts = new Map<string, string | undefined>()
    const open = (name: string) => {
      const prompt = join(dirname(file), name)
      return existsSync(prompt) && statSync(prompt).isFile() ? readFileSync(prompt, 'utf8') : undefined
    }
    return {
      text: readFileSync(file, 'utf8'),
      // Read once: the disk is not measured here.
      files(name: string) {
        if (!prompts.has(name)) prompts.set(name, open(name))
        return prompts.get(name)
      },
    }
  })
}
