import { describe, expect, it } from 'vitest'
import { checkPath, nameProblem } from './check-path.ts'
import { FileError } from './file-error.ts'
import { defaultFileLimits, fileLimits } from './file-limits.ts'
import { protectedNames } from './protected-names.ts'

const rules = { limits: defaultFileLimits, isProtected: protectedNames(['secrets', 'docs/private', '*.pem']) }
const refusal = (path: unknown) => {
  try {
    return checkPath(path, rules)
  } catch (error) {
    if (error instanceof FileError) return error.code
    throw error
  }
}

describe('a path', () => {
  it.each([
    ['a', ['a']],
    ['./src/main.ts', ['src', 'main.ts']],
    ['src/', ['src']],
    ['.', []],
    ['./', []],
    ['.gitignore', ['.gitignore']],
    ['.github/workflows/ci.yml', ['.github', 'workflows', 'ci.yml']],
    ['docs/privately', ['docs', 'privately']],
    ['a b/ü/日本.txt', ['a b', 'ü', '日本.txt']],
    ['~x', ['~x']],
  ])('%j is within the root', (path, names) => {
    expect(refusal(path)).toEqual(names)
  })

  it.each([
    '',
    '/',
    '/etc/passwd',
    '//host/share',
    'C:\\x',
    'C:/x',
    '~',
    '~/x',
    '..',
    '../x',
    'a/../../x',
    'a/..',
    'a//b',
    './/a',
    'a\\b',
    '..\\x',
    'a\0.txt',
    'a\n',
    'a\u001b[2J',
    'a\u0085',
    'a.',
    'a ',
    'a./b',
    '...',
    'a/. ',
    '\ud800',
    '\ufffd',
    'x'.repeat(256),
    'ü'.repeat(128),
    'a/'.repeat(600),
    `${'a/'.repeat(32)}b`,
    7,
    null,
    undefined,
    ['a'],
  ])('%j is refused', (path) => {
    expect(refusal(path)).toBe('file.invalid_path')
  })

  it.each([
    '.git',
    '.git/config',
    'sub/.git/hooks/pre-commit',
    '.GIT/config',
    '.gi\u200ct/config',
    '.ｇｉｔ',
    'git~1/config',
    '.legible',
    '.legible/grants.json',
    '.Legible/audit.jsonl',
    'LEGIBL~1/x',
    'legible.toml',
    'packages/a/legible.toml',
    'legible.config.ts',
    'LEGIBLE.CONFIG.mjs',
    '.env',
    '.env.local',
    'app/.envrc',
    'secrets',
    'a/secrets/b',
    'SECRETS',
    './docs/private',
    'docs/private/x',
    'key.pem',
  ])('%j is protected', (path) => {
    expect(refusal(path)).toBe('file.protected')
  })

  it('protects paths from the root on, and names everywhere', () => {
    expect(refusal('other/docs/private')).toEqual(['other', 'docs', 'private'])
    expect(() => protectedNames(['../x'])).toThrow('cannot be protected')
    expect(() => protectedNames([''])).toThrow('cannot be protected')
  })

  it('is told in a few words what is wrong with it', () => {
    expect(() => checkPath('../x', rules)).toThrow(
      'The path "../x" has .. in it; write the path from the root on.',
    )
    expect(() => checkPath('a\u001b', rules)).toThrow('The path "a\\u001b" has a control character in it.')
  })
})

it('names that mean something else on Windows are refused there', () => {
  for (const name of ['a:stream', 'nul', 'CON.txt', 'com1', 'a?']) {
    const problem = /[:?]/.test(name) ? 'has a character that names of files cannot have' : 'names a device'
    expect(nameProblem(name, true), name).toBe(problem)
    expect(nameProblem(name, false), name).toBeUndefined()
  }
  expect(nameProblem('console.ts', true)).toBeUndefined()
})

it('a limit that is none is a mistake of the program', () => {
  expect(() => fileLimits({ readLines: 0 })).toThrow('no whole number')
  expect(() => fileLimits({ toString: 3 } as never)).toThrow('There is no limit toString')
  expect(fileLimits({ readLines: 3 })).toEqual({ ...defaultFileLimits, readLines: 3 })
})
