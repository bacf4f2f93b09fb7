// What the documents say is tried: each `ts` block runs against the built package and prints what its comments claim,
// each `console` block prints what it shows, each link leads somewhere.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { entries, root } from '../scripts/entries.ts'
import { errorsPage, errorsPath } from '../scripts/errors.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const documents = globSync(['*.md', 'docs/**/*.md', 'examples/**/*.md', 'bench/*.md'], { cwd: root }).sort()
const textOf = (document: string) => readFileSync(join(root, document), 'utf8')

interface Block {
  readonly title: string
  readonly language: string
  readonly code: string
}
const blocks = documents.flatMap((document) =>
  [...textOf(document).matchAll(/^(`{3,})(\w+)\n(.*?)^\1$/gms)].map(
    ({ 2: language = '', 3: code = '', index }): Block => {
      const line = textOf(document).slice(0, index).split('\n').length
      return { title: `${document}:${line}`, language, code }
    },
  ),
)
const programs = blocks.filter(({ language }) => language === 'ts')
const sessions = blocks.filter(({ language }) => language === 'console')

const { FORCE_COLOR, ...env } = process.env

describe('programs', () => {
  // within the package, so that it can be imported by its name; ignored by git
  const folder = join(root, 'coverage/docs')
  const fileOf = ({ title }: Block) => join(folder, `${title.replace(/\W/g, '-')}.ts`)
  beforeAll(() => {
    mkdirSync(folder, { recursive: true })
    for (const program of programs) writeFileSync(fileOf(program), program.code)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('have right types', () => {
    const options = { extends: '../../tsconfig.json', include: ['*.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  it.each(programs)('$title', (program) => {
    const output = execFileSync(process.execPath, [fileOf(program)], { cwd: root, env, encoding: 'utf8' })
    const printed = output.split('\n')
    const claims = claimsOf(program.code)
    expect(claims.length, 'a program claims something').toBeGreaterThan(0)
    let at = 0
    for (const claim of claims) {
      const found = printed.indexOf(claim, at)
      if (found < 0) expect.fail(`does not print\n${claim}\nbut\n${printed.slice(at).join('\n')}`)
      at = found + 1
    }
  })
})

/** What a program says it prints: `console.log(…) // printed`, and comments that no blank line parts from the code. */
function claimsOf(code: string): string[] {
  const claims: string[] = []
  let after = ''
  for (const line of code.split('\n')) {
    const [, inline] = /console\.log\(.*\) \/\/ (.*)$/.exec(line) ?? []
    if (inline !== undefined) claims.push(inline)
    const [, comment] = /^\s*\/\/ (.*)$/.exec(line) ?? []
    if (comment === undefined) after = line.trim()
    else if (after !== '') claims.push(comment)
  }
  return claims
}

describe('sessions', () => {
  it.each(sessions)('$title', ({ code }) => {
    for (const session of code.split(/^\$ /m).slice(1)) {
      const [command = '', ...shown] = session.split('\n')
      const script = command
        .replaceAll('npx legible', `'${process.execPath}' dist/cli/main.js`)
        .replaceAll('npx node', `'${process.execPath}'`)
      const printed = execFileSync('bash', ['-c', `{ ${script}; } 2>&1`], {
        cwd: root,
        env,
        encoding: 'utf8',
      })
      expect(printed).toBe(shown.join('\n'))
    }
  })
})

describe('examples', () => {
  const last: Record<string, string> = {
    'chat.ts': '1 note, 7 messages',
    'extract.ts': "tags: [ 'web' ]",
    'own-policy.ts': 'answered 2 1',
    'plan-execute.ts': 'answered: 2 turns, 2 calls',
    'plan.ts': 'twice, in 1929 and in 1942.',
    'react.ts': '3 turns, 2 calls',
    'reply.ts': 'It says: "Reads what language models write."',
    'stream.ts': 'complete: false',
    'tools.ts': 'Tokyo is warmer by 11 degrees',
  }
  it('are all tried', () => {
    expect(globSync('*.ts', { cwd: join(root, 'examples') }).sort()).toEqual(Object.keys(last))
  })
  it.each(Object.entries(last))('%s', (example, words) => {
    const output = execFileSync(process.execPath, [join('examples', example)], {
      cwd: root,
      env,
      encoding: 'utf8',
    })
    expect(output).toContain(words)
  })
})

describe('documents', () => {
  it.each(documents)('%s: its links lead somewhere', (document) => {
    const links = [...textOf(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link)
    const broken = links
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => !existsSync(join(root, dirname(document), link)))
    expect(broken).toEqual([])
  })

  it('docs/errors.md is up to date (`npm run errors` updates it)', async () => {
    expect(readFileSync(errorsPath, 'utf8')).toBe(await errorsPage())
  })

  it('the readme names every entry point', () => {
    for (const { id } of entries) expect(textOf('README.md')).toContain(`| \`${id}\` |`)
  })

  it('the map for agents is complete, and true', () => {
    const map = textOf('AGENTS.md')
    const sources = globSync('src/**/*.ts', { cwd: root }).filter(
      (file) =>
        !file.endsWith('.test.ts') && !file.includes('/coerce/') && !/\/(index|issues)\.ts$/.test(file),
    )
    const words = new Set(map.match(/[\w-]+/g))
    const missing = sources.filter((file) => !file.includes('/yaml/') && !words.has(basename(file, '.ts')))
    expect(missing.filter((file) => file !== 'src/index.ts')).toEqual([])
    const named = [...map.matchAll(/`([a-z]+\/[\w/-]+(?:\.ts|\/))`/g)].map(([, path = '']) => path)
    expect(
      named.filter((path) => !existsSync(join(root, 'src', path)) && !existsSync(join(root, path))),
    ).toEqual([])
  })

  it('scripts that the documents name exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const named = documents.flatMap((document) =>
      [...textOf(document).matchAll(/(?<!bench )\bnpm run (\w+)/g)].map(([, name = '']) => name),
    )
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})
