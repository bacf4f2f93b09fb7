import { existsSync } from 'node:fs'
import type { Model } from '../middleware/model.ts'

interface Agent {
  start(task: string): {
    readonly outcome: Promise<{ kind: string; turns: number; calls: number }>
  } & AsyncIterable<{
    type: string
  }>
}

interface Options {
  model: Model
  tools?: readonly unknown[]
  native?: boolean
  limits?: { iterations?: number; calls?: number }
}

/** What is used of legible: `import type` would need the build before the types could be checked. */
interface Legible {
  react(options: Options): Agent
  chat(options: Options): Agent
}

/** Absent until the root is built. */
export const legible: Legible | undefined = await load()

async function load(): Promise<Legible | undefined> {
  // While the library is being worked on, its sources can be measured without a build.
  const name = process.env.LEGIBLE_SOURCE ? 'src/agent/index.ts' : 'dist/agent/index.js'
  const entry = new URL(`../../${name}`, import.meta.url)
  return existsSync(entry) ? import(entry.href) : undefined
}
