import { existsSync } from 'node:fs'
import type { Model } from '../middleware/model.ts'

interface Read {
  ok: boolean
  value?: unknown
  issues: readonly { message: string }[]
}

type Program = unknown

export type Journal = (runBranch: () => Promise<never>) => {
  step(key: string, run: () => Promise<unknown>): Promise<unknown>
}

export interface Saved {
  runId: string
  entries: readonly { key: string; value: unknown }[]
}

interface Outcome {
  kind: string
  turns: number
  saved?: Saved
}

type Run = AsyncIterable<{ type: string }> & { readonly outcome: Promise<Outcome> }

interface OpenRun {
  journal: Journal
  end(outcome: { kind: 'broken'; reason: string }): Promise<void>
}

interface Header {
  id: string
  started: string
  file: string
  program: Program
  inputs: object
  settings: object
}

/** What is used of legible: `import type` would need the build before the types could be checked. */
interface Legible {
  readAgentfile(text: string, options?: { files(path: string): string | undefined }): Read
  formatAgentfile(file: unknown): string
  programOf(file: unknown): Program
  createWorkflow(
    program: Program,
    options: { model: Model },
  ): {
    start(inputs: object, options?: { journal: Journal }): Run
    resume(saved: Saved): Run
  }
  beginRun<T>(file: string, header: Header, work: (run: OpenRun) => Promise<T>): Promise<T>
  resumeRun<T>(file: string, answers: object, work: (run: OpenRun) => Promise<T>): Promise<T>
}

/** Absent until the root is built. */
export const legible: Legible | undefined = await load()

async function load(): Promise<Legible | undefined> {
  // While the library is being worked on, its sources can be measured without a build.
  const [folder, ending] = process.env.LEGIBLE_SOURCE ? ['src', 'ts'] : ['dist', 'js']
  const urls = ['agentfile/index', 'durable/run-file'].map(
    (name) => new URL(`../../${folder}/${name}.${ending}`, import.meta.url),
  )
  if (!urls.every((url) => existsSync(url))) return undefined
  const [agentfile, runFile] = await Promise.all(urls.map(({ href }) => import(href)))
  return { ...agentfile, ...runFile }
}
