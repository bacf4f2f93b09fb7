import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Program {
  readonly name: string
}

/** What is used of legible: `import type` would need the build before the types could be checked. */
export interface Legible {
  readAgentfile(text: string): {
    ok: boolean
    value?: unknown
    issues: readonly { message: string }[]
  }
  programOf(file: unknown): Program
  hashProgram(program: Program): string
}

const urls = ['agentfile/index', 'durable/restate/index'].map(
  (name) => new URL(`../../dist/${name}.js`, import.meta.url),
)

/** What workers and the balancer are started with: those of the build, as people start them. */
export const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Absent until the root is built. */
export const legible: Legible | undefined = await load()

async function load(): Promise<Legible | undefined> {
  if (!urls.every((url) => existsSync(url))) return undefined
  const [agentfile, restate] = await Promise.all(urls.map(({ href }) => import(href)))
  return { ...agentfile, ...restate }
}
