/** Something that the person at the terminal can put right: shown as one line, without a stack; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The same for what an operation on a file threw. */
export function fileError(file: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException
  return new UsageError(`${file}: ${reasons.get(code ?? '') ?? message}`, { cause: error })
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'this is a folder, not a file'],
  ['EACCES', 'reading this file is not permitted'],
  ['EPERM', 'reading this file is not permitted'],
])
