import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Effort } from '../measure.ts'
import { writeBetweenMarkers } from '../readme.ts'
import { legible } from './legible.ts'
import type { Run, Section } from './run.ts'
import { clean } from './sections/clean.ts'
import { damaged } from './sections/damaged.ts'
import { growth } from './sections/growth.ts'
import { heap } from './sections/heap.ts'
import { streaming } from './sections/streaming.ts'
import { showTargets } from './targets.ts'

const sections: Section[] = [clean, damaged, streaming, growth, heap]
const thorough: Effort = { rounds: 11, sampleMs: 20, warmUpMs: 200, capMs: 1500 }
const hasty: Effort = { rounds: 5, sampleMs: 8, warmUpMs: 60, capMs: 100 }

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
  },
})
for (const name of options.only) {
  if (!sections.some((section) => section.name === name)) {
    throw new Error(`--only ${name}: there are ${sections.map((section) => section.name).join(', ')}`)
  }
}

const run: Run = {
  effort: options.quick ? hasty : thorough,
  quick: options.quick,
  tooLongMs: options.quick ? 3000 : 15_000,
  figures: new Map(),
}
// Hasty figures, and those of the peers alone, are for the eye only.
const write = !options.quick && legible !== undefined
if (legible === undefined)
  console.error('legible is not built (npm ci in the root): the peers are measured alone.\n')

const chosen = sections.filter(({ name }) => options.only.length === 0 || options.only.includes(name))
for (const section of chosen) {
  const markdown = await section.measure(run)
  console.log(`## ${section.title}\n\n${markdown}\n`)
  if (write) writeBetweenMarkers(`json ${section.name}`, markdown)
}
const targets = showTargets(run.figures)
console.log(`## Targets\n\n${targets}\n`)
if (write && chosen.length === sections.length) {
  writeBetweenMarkers('json targets', targets)
  writeBetweenMarkers(
    'json machine',
    `Node ${process.versions.node}, ${process.arch}, ${cpus().length} cores.`,
  )
}
