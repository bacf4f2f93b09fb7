import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives a new name in a folder that is removed when all is done. */
export async function inFolder<T>(work: (newFile: () => string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(process.env.BENCH_DISK ?? tmpdir(), 'legible-bench-'))
  let count = 0
  try {
    return await work(() => join(folder, `${++count}.jsonl`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The lines of a file, each with its end. */
export const linesOf = (file: string): Buffer[] =>
  readFileSync(file, 'utf8')
    .split(/(?<=\n)/)
    .map((line) => Buffer.from(line))

/** What the disk takes by itself: each line is added, and is on the disk before the next one is. */
export async function addLines(file: string, lines: readonly Buffer[]): Promise<void> {
  const handle = await open(file, 'a', 0o600)
  try {
    for (const line of lines) {
      await handle.write(line)
      await handle.sync()
    }
  } finally {
    await handle.close()
  }
}

/** Milliseconds of the clock on the wall: the CPU has nothing to do while the disk writes. */
export async function wallMs(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
