import { fileURLToPath } from 'node:url'
import { command, type Legible } from './legible.ts'
import type { Server } from './server.ts'
import { type FloorRequest, floorRuns } from './shape.ts'

/** Who carries out runs of the same shape: agents that work at the same time, and a synthesis of what they found. */
export interface Contender {
  readonly name: string
  /** The workflow that is a run. */
  readonly service: string
  /** What a worker is started with. */
  readonly worker: readonly string[]
  requestOf(id: string): object
  /** The runs that came to a good end. */
  completed(server: Server): Promise<number>
}

/** As many as there are agents. */
const names = ['money', 'law', 'people', 'place']
const text = `NAME panel
INPUT topic
${names.map((name) => `AGENT ${name} "Look at $topic from the side of ${name}." -> ${name}_points: list<string>`).join('\n')}
GOAL weigh "Weigh up what is known about $topic." -> verdict: string USING ${names.join(', ')}
RUN main USING weigh`

export function ourRuns({ readAgentfile, programOf, hashProgram }: Legible): Contender {
  const { ok, value, issues } = readAgentfile(text)
  if (!ok || issues.length > 0) throw new Error(`the file is not right: ${issues[0]?.message}`)
  const program = programOf(value)
  const hash = hashProgram(program)
  return {
    name: 'legible',
    service: 'legible-run',
    worker: [command, 'worker', '--model', 'rehearsal', '--listen', '127.0.0.1:0', '--no-register', '--json'],
    requestOf: (id) => ({
      id,
      started: new Date().toISOString(),
      file: 'panel.agent',
      program,
      hash,
      inputs: { topic: `the plan of house ${id}` },
    }),
    async completed(server) {
      const ends = await server.query(
        `select value_utf8 from state where service_name = 'legible-run' and key = 'end'`,
      )
      const kinds = ends.map(
        ({ value_utf8: end }) => (JSON.parse(String(end)) as { outcome: { kind: string } }).outcome.kind,
      )
      return kinds.filter((kind) => kind === 'completed').length
    },
  }
}

/** The engine and its SDK by themselves. */
export const floor = (request: FloorRequest): Contender => ({
  name: 'the engine alone',
  service: floorRuns,
  worker: [fileURLToPath(new URL('floor-worker.ts', import.meta.url))],
  requestOf: () => request,
  async completed(server) {
    const [row] = await server.query(
      `select count(*) as runs from sys_invocation where target_service_name = '${floorRuns}' and completion_result = 'success'`,
    )
    return Number(row?.runs)
  },
})
