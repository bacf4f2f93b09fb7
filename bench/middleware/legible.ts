import { existsSync } from 'node:fs'
import type { wrapLanguageModel } from 'ai'

type Middleware = Exclude<Parameters<typeof wrapLanguageModel>[0]['middleware'], readonly unknown[]>

/** What is used of legible: `import type` would need the build before the types could be checked. */
interface Legible {
  legible(options?: { dialect?: string }): Middleware
}

/** Absent until the root is built: then the peers are measured alone. */
export const legible: Legible | undefined = await load()

async function load(): Promise<Legible | undefined> {
  // While the library is being worked on, its sources can be measured without a build.
  const name = process.env.LEGIBLE_SOURCE ? 'src/model/middleware/legible.ts' : 'dist/model/index.js'
  const entry = new URL(`../../${name}`, import.meta.url)
  return existsSync(entry) ? import(entry.href) : undefined
}
