/** What kept a file tool from doing what it was asked to do. */
export type FileErrorCode =
  | 'file.invalid_path'
  | 'file.protected'
  | 'file.link'
  | 'file.missing'
  | 'file.wrong_kind'
  | 'file.binary'
  | 'file.too_large'
  | 'file.unread'
  | 'file.changed'
  | 'file.read_only'
  | 'file.no_match'
  | 'file.invalid_text'
  | 'file.failed'
  | 'file.aborted'

/**
 * Why a file tool refused. The message is for the model: it names paths within the root as the model wrote them, and never
 * where the root is.
 */
export class FileError extends Error {
  override readonly name = 'FileError'
  readonly code: FileErrorCode

  constructor(code: FileErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'it is larger than the system lets files be',
  EACCES: 'the system does not permit it',
  EPERM: 'the system does not permit it',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** What the system said, without the absolute path that stands in its own message. `what`: 'a.txt could not be read'. */
export function systemError(error: unknown, what: string): unknown {
  if (error instanceof FileError) return error
  const code = codeOf(error)
  // Anything else is a mistake of ours, and must be seen as one.
  if (code === undefined) return error
  return new FileError('file.failed', `${what}: ${reasons[code] ?? `the system says ${code}`}.`)
}

/** `ENOENT` and the like. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Throws if the call was cancelled. */
export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new FileError('file.aborted', 'The call was cancelled; nothing was changed.')
}
