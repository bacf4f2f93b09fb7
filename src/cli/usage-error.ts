import { LegibleError } from '../core/legible-error.ts'

/** What went wrong, for programs: the code of `{ "ok": false, "error": { code, message } }`. */
export type UsageErrorCode =
  | 'cli.usage'
  | 'cli.unreadable_file'
  | 'cli.unwritable_file'
  | 'cli.not_text'
  | 'cli.invalid_schema'
  | 'cli.invalid_tools'
  | 'cli.port_unavailable'
  | 'cli.invalid_config'
  | 'cli.invalid_model'
  | 'cli.invalid_talk'
  | 'cli.invalid_permissions'
  | 'cli.invalid_workflow'
  | 'cli.unknown_run'
  | 'cli.engine'

/** Something that the person at the terminal can put right: shown as one line, without a stack; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code: UsageErrorCode

  constructor(code: UsageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The same for what our own library threw. */
export async function asUsage<T>(code: UsageErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError(code, error.message, { cause: error })
  }
}

/** The same for what an operation on a file threw. */
export function fileError(file: string, error: unknown): UsageError {
  const { code, message } = error as NodeJS.ErrnoException
  return new UsageError('cli.unreadable_file', `${file}: ${reasons.get(code ?? '') ?? message}`, {
    cause: error,
  })
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'this is a folder, not a file'],
  ['EACCES', 'reading this file is not permitted'],
  ['EPERM', 'reading this file is not permitted'],
])
