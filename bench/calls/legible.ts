import { existsSync } from 'node:fs'

export interface WrittenCall {
  id: string
  name: string
  arguments: Record<string, unknown>
}

export interface CallsRead {
  ok: boolean
  complete: boolean
  issues: unknown[]
  value: { content: string; reasoning: string; calls: WrittenCall[]; parts: unknown[] }
}

export interface CallOptions {
  tools?: readonly unknown[]
  dialect?: string
  expect?: 'calls'
  reasoning?: 'auto' | 'open' | 'none'
  onEvent?: (event: { type: string }) => void
}

/** What is used of legible: `import type` would need the build before the types could be checked. */
interface Legible {
  readToolCalls(text: string, options?: CallOptions): CallsRead
  createToolCallReader(options?: CallOptions): { push(chunk: string): void; end(): CallsRead }
}

/** Absent until the root is built: then the peers are measured alone. */
export const legible: Legible | undefined = await load()

async function load(): Promise<Legible | undefined> {
  // While the library is being worked on, its sources can be measured without a build.
  const names = process.env.LEGIBLE_SOURCE
    ? ['src/tool/read-tool-calls.ts', 'src/tool/create-tool-call-reader.ts']
    : ['dist/tool/index.js']
  const entries = names.map((name) => new URL(`../../${name}`, import.meta.url))
  if (!entries.every((entry) => existsSync(entry))) return undefined
  const modules = await Promise.all(entries.map((entry) => import(entry.href)))
  const found = Object.assign({}, ...modules) as Partial<Legible>
  return found.readToolCalls && found.createToolCallReader ? (found as Legible) : undefined
}
