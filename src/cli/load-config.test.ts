import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { chooseModel } from './choose-model.ts'
import { loadConfig } from './load-config.ts'
import { UsageError } from './usage-error.ts'

const folders: string[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder with these files: a repository of its own, so that nothing above it counts. */
function folderWith(files: Record<string, string>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'legible-config-')))
  folders.push(folder)
  mkdirSync(join(folder, '.git'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

function problemIn(files: Record<string, string>): string {
  const cwd = folderWith(files)
  try {
    loadConfig({ cwd })
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    expect((error as UsageError).code).toBe('cli.invalid_config')
    return (error as UsageError).message
  }
  return expect.fail('nothing is wrong')
}

describe('where it is found', () => {
  it('nowhere', () => {
    expect(loadConfig({ cwd: folderWith({ 'a.toml': 'model = 1' }) })).toEqual({})
  })

  it('in the folder, or in one above it', () => {
    const cwd = folderWith({ 'legible.toml': 'model = "ollama:qwen3"', 'a/b/c.txt': '' })
    expect(loadConfig({ cwd })).toEqual({ model: 'ollama:qwen3', file: 'legible.toml' })
    const file = join('..', '..', 'legible.toml')
    expect(loadConfig({ cwd: join(cwd, 'a/b') })).toEqual({ model: 'ollama:qwen3', file })
  })

  it('the nearest one', () => {
    const cwd = folderWith({ 'legible.toml': 'model = "far"', 'a/legible.toml': 'model = "near"' })
    expect(loadConfig({ cwd: join(cwd, 'a') }).model).toBe('near')
  })

  it('not beyond the root of a repository', () => {
    const cwd = folderWith({ 'legible.toml': 'model = "far"', 'a/.git': 'gitdir: elsewhere', 'a/b/c': '' })
    expect(loadConfig({ cwd: join(cwd, 'a/b') })).toEqual({})
  })

  it('not beyond the home folder', () => {
    const cwd = folderWith({ 'legible.toml': 'model = "far"', 'home/a/b': '' })
    vi.stubEnv('HOME', join(cwd, 'home'))
    expect(homedir()).toBe(join(cwd, 'home'))
    expect(loadConfig({ cwd: join(cwd, 'home/a') })).toEqual({})
    writeFileSync(join(cwd, 'home/legible.toml'), 'model = "mine"')
    expect(loadConfig({ cwd: join(cwd, 'home/a') }).model).toBe('mine')
  })

  it('only once', () => {
    expect(problemIn({ 'legible.toml': '', 'legible.config.ts': '' })).toBe(
      'legible.toml and legible.config.ts are both there; keep one of them',
    )
  })
})

describe('modules', () => {
  it.each([
    ['legible.config.ts', "export default { model: 'rehearsal' } satisfies { model: string }"],
    ['legible.config.mjs', "export default { model: 'rehearsal' }"],
    ['legible.config.js', "module.exports = { default: { model: 'rehearsal' } }"],
  ])('%s', (name, text) => {
    expect(loadConfig({ cwd: folderWith({ [name]: text }) })).toEqual({ model: 'rehearsal', file: name })
  })

  it.each([
    ['export default { modle: "x" }', 'legible.config.mjs: there is no key "modle"; did you mean model?'],
    ['export default 1', 'legible.config.mjs: a configuration is an object'],
    ['export default { model: 1 }', 'legible.config.mjs: model must be text, as in "ollama:qwen3"'],
    ['export const model = 1', /write `export default` before the configuration$/],
    ['throw new Error("oh")', /this module cannot be loaded: oh$/],
  ])('%s', (text, problem) => {
    expect(problemIn({ 'legible.config.mjs': text })).toMatch(problem)
  })
})

describe('what is wrong with TOML', () => {
  it('an unknown key, with the one that was meant', () => {
    expect(problemIn({ 'legible.toml': '# mine\nmodle = "ollama:qwen3"\n' })).toBe(
      [
        'legible.toml:2:1 error cli.invalid_config',
        '  1 │ # mine',
        '  2 │ modle = "ollama:qwen3"',
        '    │ ^^^^^ there is no key "modle"; did you mean model?',
      ].join('\n'),
    )
  })

  it.each([
    [
      '[profiles.fast]\nmodel = "x"',
      '1:2',
      '^^^^^^^^ profiles must be a table of models, as in { fast = "ollama:qwen3" }',
    ],
    ['[weather]\nx = 1', '1:2', '^^^^^^^ there is no key "weather"; the keys are: model, profiles, tools'],
    ['[limits]\ntoken = 3', '1:2', '^^^^^^ there is no key "limits.token"; did you mean tokens?'],
    ['[limits]\nturns = 0', '1:2', '^^^^^^ limits.turns must be a whole number, 1 or more'],
    ['tools = "fs"', '1:1', '^^^^^ tools must be a list of texts'],
    ['a = """\nb = 1"""\nb = 2', '1:1', '^ there is no key "a"; the keys are: model'],
    ['model = "x"\n"a b".c = 1', '2:1', '^^^^^ there is no key "a b"; the keys are: model'],
    ['model = 3', '1:1', '^^^^^ model must be text, as in "ollama:qwen3"'],
    ['model = " "', '1:1', '^^^^^ model must be text, as in "ollama:qwen3"'],
    ['[model]\nname = "x"', '1:2', '^^^^^ model must be text, as in "ollama:qwen3"'],
    ['toString = 1', '1:1', '^^^^^^^^ there is no key "toString"; the keys are: model'],
  ])('%j', (text, place, words) => {
    const problem = problemIn({ 'legible.toml': text })
    expect(problem).toContain(`legible.toml:${place} error`)
    expect(problem).toContain(words)
  })

  it('a key that only looks as if it stood in a string', () => {
    const text = 'model = """\nmodle = 1\n"""\nmodle = 2'
    expect(problemIn({ 'legible.toml': text })).toContain('legible.toml:4:1')
  })

  it('text that is no TOML', () => {
    const problem = problemIn({ 'legible.toml': 'model = "x"\nmodel = oops\n' })
    expect(problem).toMatch(/^legible\.toml:2:\d+ error cli\.invalid_config\n/)
    expect(problem).toContain('  2 │ model = oops')
    expect(problem).not.toContain('Invalid TOML document')
  })

  it('nothing in it reaches a terminal as a command', () => {
    expect(problemIn({ 'legible.toml': '"\\u001b[2J" = 1' })).not.toContain('\u001b')
  })
})

describe('chooseModel', () => {
  const config = { model: 'in-file', file: 'legible.toml' }
  it.each([
    ['flag', { LEGIBLE_MODEL: 'variable' }, config, { source: 'flag', from: '--model' }],
    [undefined, { LEGIBLE_MODEL: 'variable' }, config, { source: 'variable', from: 'LEGIBLE_MODEL' }],
    [undefined, { LEGIBLE_MODEL: ' ' }, config, { source: 'in-file', from: 'legible.toml' }],
    [undefined, {}, { file: 'legible.toml' }, { source: 'rehearsal', from: 'default' }],
    [undefined, {}, {}, { source: 'rehearsal', from: 'default' }],
  ])('%s %j %j', (flag, env, given, chosen) => {
    expect(chooseModel(flag, env, given)).toEqual(chosen)
  })
})
