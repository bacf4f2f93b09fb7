// A disk that fills up while a file is written: the file stays as it was, and nothing is left behind.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'legible-full-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Prints what becomes of a file that is overwritten, and of a new one, and what stands in the folder then. */
const program = `
  const { fileTools } = await import(${JSON.stringify(fileURLToPath(new URL('./index.ts', import.meta.url)))})
  const { readdirSync, readFileSync } = await import('node:fs')
  const [, root] = process.argv
  const tools = fileTools({ root })
  const run = (name, args) =>
    Promise.resolve(tools.find((tool) => tool.name === name).run(args, { signal: new AbortController().signal })).then(
      () => 'was written',
      (error) => error.name + ': ' + error.message,
    )
  await run('fs.read', { path: 'old.txt' })
  const content = 'new '.repeat(100_000)
  console.log(JSON.stringify({
    old: await run('fs.write', { path: 'old.txt', content }),
    new: await run('fs.write', { path: 'folder/new.txt', content }),
    small: await run('fs.write', { path: 'small.txt', content: 'fits' }),
    entries: readdirSync(root, { recursive: true }).sort(),
    content: readFileSync(root + '/old.txt', 'utf8'),
  }))
`
const node = [process.execPath, '--input-type=module', '-e', program]

it.skipIf(process.platform === 'win32')('a file that grows beyond what the system allows', () => {
  writeFileSync(join(root, 'old.txt'), 'old')
  // 100 blocks of 512 or 1024 bytes, as the shell has it.
  const { stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -f 100; exec "$@"', 'sh', ...node, root], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const reason = 'could not be written and is as it was before: it is larger than the system lets files be.'
  expect(JSON.parse(stdout)).toEqual({
    old: `FileError: old.txt ${reason}`,
    new: `FileError: folder/new.txt ${reason}`,
    small: 'was written',
    entries: ['old.txt', 'small.txt'],
    content: 'old',
  })
})

// A disk of our own, in a namespace of our own; not every system lets us.
const mount = 'mount -t tmpfs -o size=128k tmpfs "$0" && printf old > "$0/old.txt" && exec "$@" "$0"'
const inNamespace = (folder: string, ...command: string[]) =>
  spawnSync('sh', ['-c', 'exec unshare -Urm sh -c "$@"', 'sh', mount, folder, ...command], {
    encoding: 'utf8',
  })

it('a disk that is full', ({ skip }) => {
  const disk = join(root, 'disk')
  mkdirSync(disk)
  if (inNamespace(disk, 'true').status !== 0) skip('no namespace to mount a disk in')
  const { stdout, stderr } = inNamespace(disk, ...node)
  expect(stderr).toBe('')
  const reason = 'could not be written and is as it was before: the disk is full.'
  expect(JSON.parse(stdout)).toEqual({
    old: `FileError: old.txt ${reason}`,
    new: `FileError: folder/new.txt ${reason}`,
    small: 'was written',
    entries: ['old.txt', 'small.txt'],
    content: 'old',
  })
})
