import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openPermissionFile } from './permission-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'legible-permissions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const newFile = () => join(folder, `state-${++files}`, 'permissions.json')
const needs = [{ capability: 'fs.write', path: 'a.txt' }]

describe('permissions in a file', () => {
  test('outlast the process, and only their owner can read them', async () => {
    const file = newFile()
    const first = openPermissionFile(file)
    expect(first.check(needs).kind).toBe('unset')
    const rule = await first.grant({ capability: 'fs.write', expires: '2999-01-01' })
    expect(openPermissionFile(file).rules).toEqual([rule])
    expect(openPermissionFile(file).check(needs).kind).toBe('granted')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
  })

  test('what one process changes counts for the other at once', async () => {
    const file = newFile()
    const [here, there] = [openPermissionFile(file), openPermissionFile(file)]
    const { id } = await here.grant({ capability: 'fs.write' })
    await there.deny({ capability: 'fs.write', path: 'a.txt' })
    expect(here.check(needs).kind).toBe('denied')
    expect(await there.revoke(id)).toMatchObject({ id })
    expect(here.rules).toMatchObject([{ effect: 'deny' }])
  })

  test('no change is lost when many are made at once', async () => {
    const file = newFile()
    const stores = Array.from({ length: 4 }, () => openPermissionFile(file))
    await Promise.all(Array.from({ length: 40 }, (_, i) => stores[i % 4]!.grant({ capability: `tool-${i}` })))
    expect(new Set(openPermissionFile(file).rules.map(({ id }) => id)).size).toBe(40)
  })

  test('a file that is none is told, and not taken for empty: what it denied would be forgotten', async () => {
    const file = newFile()
    await openPermissionFile(file).deny({ capability: 'fs.write' })
    const open = openPermissionFile(file)
    for (const text of ['', '{', '[]', '{"rules": 7}', '{"rules": [{"id": "x"}]}', '{"rules": [null]}']) {
      writeFileSync(file, text)
      expect(() => openPermissionFile(file), text).toThrowError('cannot be read as permissions')
      expect(() => open.check(needs), text).toThrowError('cannot be read as permissions')
    }
  })

  test('a rule that cannot be made changes nothing', async () => {
    const file = newFile()
    const store = openPermissionFile(file)
    await store.grant({ capability: 'fs.read' })
    const before = readFileSync(file, 'utf8')
    await expect(store.grant({ capability: 'fs.read', path: '../x' })).rejects.toThrowError('no path')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test('processes at the same time lose nothing either', () => {
    const file = newFile()
    const module = new URL('./permission-file.ts', import.meta.url).href
    const program = (name: string) => `
      const { openPermissionFile } = await import(${JSON.stringify(module)})
      const store = openPermissionFile(${JSON.stringify(file)})
      for (let i = 0; i < 10; i++) await store.grant({ capability: ${JSON.stringify(name)} + i })`
    const command = ['a', 'b']
      .map(
        (name) =>
          `"${process.execPath}" --input-type=module -e '${program(name).replaceAll("'", "'\\''")}' &`,
      )
      .join('\n')
    const { status, stderr } = spawnSync('sh', ['-c', `${command}\nwait`], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(openPermissionFile(file).rules).toHaveLength(20)
  })
})
