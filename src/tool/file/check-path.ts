import { FileError } from './file-error.ts'
import type { FileLimits } from './file-limits.ts'
import type { IsProtected } from './protected-names.ts'

/** What a path must keep to. */
export interface PathRules {
  readonly limits: FileLimits
  readonly isProtected: IsProtected
}

/** The names on the way from the root to what a path means; none for the root itself. What is not clearly within is refused. */
export function checkPath(path: unknown, { limits, isProtected }: PathRules): string[] {
  const refuse = (problem: string) => new FileError('file.invalid_path', `The path ${problem}.`)
  if (typeof path !== 'string') throw refuse('is no text')
  if (path === '') throw refuse('is empty; write . for the root')
  if (path.length > limits.pathLength) throw refuse(`is longer than ${limits.pathLength} characters`)
  const shown = JSON.stringify(path)
  if (/^(\/|~\/|~$|[A-Za-z]:[\\/])/.test(path))
    throw refuse(`${shown} is absolute; write it from the root on, such as "src/main.ts"`)
  if (path.includes('\\')) throw refuse(`${shown} has a backslash; write / between names`)
  const names = path
    .replace(/\/$/, '')
    .split('/')
    .filter((name) => name !== '.')
  if (names.length > limits.pathDepth) throw refuse(`is deeper than ${limits.pathDepth} folders`)
  for (const name of names) {
    const problem = nameProblem(name)
    if (problem) throw refuse(`${shown} ${problem}`)
  }
  if (isProtected(names))
    throw new FileError('file.protected', `${shown} is protected: file tools neither read nor write it.`)
  return names
}

const NAME_BYTES = 255
// Names that stand for a device in whatever folder they are used.
const devices = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i

/** Why a name cannot be used. Some mean something else on Windows only. */
export function nameProblem(name: string, windows = process.platform === 'win32'): string | undefined {
  if (name === '') return 'has an empty name between two slashes'
  if (name === '..') return 'has .. in it; write the path from the root on'
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'has a control character in it'
  if (/[/\\]/.test(name)) return 'has a slash in a name'
  if (/[\p{Surrogate}\ufffd]/u.test(name)) return 'is no valid Unicode'
  // Windows leaves these out: "a. " would be "a".
  if (/[. ]$/.test(name)) return 'has a name that ends with a dot or a space'
  if (Buffer.byteLength(name) > NAME_BYTES) return `has a name of more than ${NAME_BYTES} bytes`
  if (windows && /[:*?"<>|]/.test(name)) return 'has a character that names of files cannot have'
  if (windows && devices.test(name)) return 'names a device'
  return undefined
}

/** As the model may write it; the root has no name. */
export const pathText = (names: readonly string[]): string => names.join('/') || '.'

/** As it is spoken of. */
export const placeText = (names: readonly string[]): string => names.join('/') || 'the root'

export const countText = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
