import { existsSync } from 'node:fs'

/** What is used of legible: `import type` would need the build before the types could be checked. */
interface Legible {
  readJson(text: string, schema?: unknown): { ok: boolean; value?: unknown; issues: unknown[] }
  createJsonReader(schema?: unknown): {
    push(chunk: string): void
    end(): { ok: boolean; value?: unknown; issues: unknown[] }
    readonly value: unknown
  }
}

const entry = new URL('../../dist/json/index.js', import.meta.url)

/** Absent until the root is built: then the peers are measured alone. */
export const legible: Legible | undefined = existsSync(entry) ? await import(entry.href) : undefined
