import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Effort } from './measure.ts'
import { writeBetweenMarkers } from './readme.ts'
import type { Run, Section } from './run.ts'
import { showTargets, type Target } from './targets.ts'

const thorough: Effort = { rounds: 11, sampleMs: 20, warmUpMs: 200, capMs: 1500 }
const hasty: Effort = { rounds: 5, sampleMs: 8, warmUpMs: 60, capMs: 100 }

export interface Benchmark {
  /** Stands before the names of its markers in the README. */
  name: string
  sections: Section[]
  targets: Target[]
  /** Legible is built: otherwise the peers are measured alone. */
  built: boolean
  /** How much is measured, by the names of options: `--runs 50`. */
  sizes?: Record<string, Size>
}

interface Size {
  thorough: number
  hasty: number
}

/** Measures what the command line asks for, prints it and writes it into the README. */
export async function runBenchmark(asked: Benchmark): Promise<void> {
  const { name: benchmark, sections, targets, built, sizes = {} } = asked
  const { options, given } = readOptions(Object.keys(sizes))
  for (const name of options.only) {
    if (!sections.some((section) => section.name === name)) {
      throw new Error(`--only ${name}: there are ${sections.map((section) => section.name).join(', ')}`)
    }
  }

  const run: Run = {
    effort: options.quick ? hasty : thorough,
    quick: options.quick,
    verbose: options.verbose,
    tooLongMs: options.quick ? 3000 : 15_000,
    figures: new Map(),
    sizes: {
      ...Object.fromEntries(
        Object.entries(sizes).map(([name, size]) => [name, options.quick ? size.hasty : size.thorough]),
      ),
      ...given,
    },
  }
  // Hasty figures, those of other sizes, and those of the peers alone, are for the eye only.
  const write = !options.quick && Object.keys(given).length === 0 && built
  if (!built) console.error('legible is not built (npm ci in the root): the peers are measured alone.\n')

  const load = loadavg()[0]!
  const company = load < 0.7 ? '' : `, beside other work (load ${load.toFixed(1)})`
  const chosen = sections.filter(({ name }) => options.only.length === 0 || options.only.includes(name))
  let measured = 0
  for (const section of chosen) {
    const markdown = await section.measure(run)
    // The figures of an earlier run stay where they are.
    if (markdown === undefined) continue
    measured++
    console.log(`## ${section.title}\n\n${markdown}\n`)
    if (write) writeBetweenMarkers(`${benchmark} ${section.name}`, markdown)
  }
  const shown = showTargets(targets, run.figures)
  console.log(`## Targets\n\n${shown}\n`)
  if (write && measured === sections.length) {
    writeBetweenMarkers(`${benchmark} targets`, shown)
    writeBetweenMarkers(
      `${benchmark} machine`,
      `Node ${process.versions.node}, ${process.arch}, ${cpus().length} cores${company}.`,
    )
  }
}

/** What the command line asks for. `given`: the sizes that it names. */
function readOptions(sizes: readonly string[]) {
  const { values: options } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      ...Object.fromEntries(sizes.map((name) => [name, { type: 'string' as const }])),
    },
  })
  const given: Record<string, number> = {}
  for (const name of sizes) {
    const text = (options as Record<string, unknown>)[name]
    if (text === undefined) continue
    const size = Number(text)
    if (!Number.isInteger(size) || size < 1) throw new Error(`--${name} ${text}: it is a whole number`)
    given[name] = size
  }
  return { options, given }
}
