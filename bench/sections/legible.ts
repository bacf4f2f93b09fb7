import { existsSync } from 'node:fs'

export interface TextEvent {
  type: string
  name?: string
  text?: string
}

interface TextReader {
  push(chunk: string): void
  end(): { value?: { sections(): { name: string; content: string }[] } }
}

export interface TextFormat {
  createReader(
    sections: { name: string }[],
    options?: { onEvent?: (event: TextEvent) => void; keep?: boolean },
  ): TextReader
}

/** What is used of legible: `import type` would need the build before the types could be checked. */
interface Legible {
  xml(): TextFormat
  markdown(): TextFormat
  labels(): TextFormat
}

const entry = new URL('../../dist/text/index.js', import.meta.url)

/** Absent until the root is built: then the peers are measured alone. */
export const legible: Legible | undefined = existsSync(entry) ? await import(entry.href) : undefined
