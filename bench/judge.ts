import { cpuMs } from './measure.ts'

export type Verdict = 'right' | 'wrong' | 'refused'

/** Lets a reader read once, and compares what it finds with what is to be found. */
export async function judge(
  read: () => unknown,
  expected: unknown,
  ignoreGaps = false,
): Promise<{ verdict: Verdict; ms: number }> {
  const start = cpuMs()
  let value: unknown
  try {
    value = await read()
  } catch {
    value = undefined
  }
  const ms = cpuMs() - start
  if (value === undefined) return { verdict: 'refused', ms }
  return {
    verdict: canonical(value, ignoreGaps) === canonical(expected, ignoreGaps) ? 'right' : 'wrong',
    ms,
  }
}

/** All documents have their keys in the order of the schema, so text can stand for the value. */
function canonical(value: unknown, ignoreGaps: boolean): string {
  return JSON.stringify(value, ignoreGaps ? (_, item) => (isGap(item) ? undefined : item) : undefined)
}

function isGap(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** The same reading, but undefined rather than an exception. */
export function caught(read: () => unknown): () => unknown {
  return () => {
    try {
      const result = read()
      return result instanceof Promise ? result.catch(() => undefined) : result
    } catch {
      return undefined
    }
  }
}
