// The package as users get it: packed, unpacked somewhere else, looked at by two linters, compiled and run.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entries, root } from '../scripts/entries.ts'

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const bin = (name: string) => join(root, 'node_modules/.bin', name)

describe('the packed package', { timeout: 60_000 }, () => {
  let folder: string
  let tarball: string
  let packed: string[]

  /** Runs a command in the user's folder; what it printed becomes part of the error. */
  const run = (command: string, ...args: string[]): string => {
    try {
      return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
    }
  }

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'legible-package-'))
    const [report] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
        cwd: root,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    )
    tarball = join(folder, report.filename)
    packed = report.files.map((file: { path: string }) => file.path)
    // installed as npm would, but without asking a registry for the dependencies
    const target = join(folder, 'node_modules/legible')
    mkdirSync(target, { recursive: true })
    run('tar', '-xzf', tarball, '-C', target, '--strip-components=1')
    // what an entry point is named after is there for those who use it
    for (const name of [...Object.keys(manifest.dependencies), '@restatedev/restate-sdk', '@types/node']) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), link)
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('holds the build, the licence and the readme, and nothing else', () => {
    const others = packed.filter((file) => !file.startsWith('dist/')).sort()
    expect(others).toEqual(['LICENSE', 'README.md', 'package.json'])
    expect(packed.filter((file) => file.includes('.test.'))).toEqual([])
    for (const { js, dts } of entries) expect(packed).toEqual(expect.arrayContaining([js, dts]))
  })

  it('passes publint', () => {
    run(bin('publint'), tarball, '--strict')
  })

  it('passes are-the-types-wrong', () => {
    run(bin('attw'), tarball, '--profile', 'esm-only')
  })

  it('compiles in a strict project that checks library types too', () => {
    // The SDK of the engine is for Node alone, and is compiled with its types.
    const forNode = entries.filter(({ id }) => id.endsWith('/restate'))
    for (const [some, types] of [
      [entries.filter((entry) => !forNode.includes(entry)), ''],
      [forNode, 'node'],
    ] as const) {
      const imports = some.map(
        ({ id }, index) => `import * as entry${index} from '${id}'\nvoid entry${index}\n`,
      )
      writeFileSync(join(folder, 'user.ts'), imports.join(''))
      const options = [
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        String(types === 'node'),
        '--target',
        'es2024',
      ]
      run(bin('tsc'), '--module', 'nodenext', ...options, '--types', types, 'user.ts')
      run(
        bin('tsc'),
        '--module',
        'esnext',
        '--moduleResolution',
        'bundler',
        ...options,
        '--types',
        types,
        'user.ts',
      )
    }
  })

  it.each(entries)('$id loads in Node', ({ id }) => {
    const names = run(
      process.execPath,
      '-e',
      `import('${id}').then((m) => console.log(Object.keys(m).join()))`,
    )
    expect(names.trim()).not.toBe('')
  })

  it.each(Object.entries<string>(manifest.bin))('the command %s starts', (_, file) => {
    run(process.execPath, join('node_modules/legible', file), '--help')
  })
})
