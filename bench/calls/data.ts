import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** The corpora are no part of the project: they are read where they are. */
const folder = process.env.LEGIBLE_DATA ?? fileURLToPath(new URL('../../../shared', import.meta.url))

/** Where a file of the data is. Undefined, with a word about it, where it is absent. */
export function dataFile(name: string): string | undefined {
  const file = join(folder, name)
  if (existsSync(file)) return file
  console.error(
    `${name} is not in the folder of the data (LEGIBLE_DATA): what is measured with it is skipped.\n`,
  )
  return undefined
}

/** The lines of a file of JSON lines, compressed or not. */
export function linesOf(file: string): string[] {
  const bytes = readFileSync(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  return text.split('\n').filter((line) => line.trim() !== '')
}
