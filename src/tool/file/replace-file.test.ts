import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultFileLimits } from './file-limits.ts'
import { hasDescriptorPaths, inFolder } from './folder.ts'
import { protectedNames } from './protected-names.ts'
import { replaceFile } from './replace-file.ts'

let path: string
beforeEach(() => {
  path = realpathSync(mkdtempSync(join(tmpdir(), 'legible-replace-')))
  writeFileSync(join(path, 'a.txt'), 'old')
})
afterEach(() => rmSync(path, { recursive: true, force: true }))

const stats = () => lstatSync(join(path, 'a.txt'), { bigint: true })
const replace = (old: ReturnType<typeof stats> | undefined, signal?: AbortSignal) => {
  const root = {
    path,
    byDescriptor: hasDescriptorPaths,
    limits: defaultFileLimits,
    isProtected: protectedNames(),
  }
  return inFolder(root, [], 'a.txt could not be written', (folder) =>
    replaceFile(folder, 'a.txt', Buffer.from('new'), old, signal),
  )
}
const content = () => readFileSync(join(path, 'a.txt'), 'utf8')

it('a file is replaced as a whole: who has it open keeps the old one', async () => {
  const { ino } = stats()
  await replace(stats())
  expect(content()).toBe('new')
  expect(stats().ino).not.toBe(ino)
})

it('a file that changed between the check and the rename is kept', async () => {
  const old = stats()
  writeFileSync(join(path, 'a.txt'), 'other')
  await expect(replace(old)).rejects.toMatchObject({ code: 'file.changed' })
  expect(content()).toBe('other')
  expect(readdirSync(path)).toEqual(['a.txt'])
})

it('a file that was made meanwhile is kept', async () => {
  await expect(replace(undefined)).rejects.toMatchObject({ code: 'file.changed' })
  expect(content()).toBe('old')
  expect(readdirSync(path)).toEqual(['a.txt'])
})

it('a call that is cancelled while it writes leaves the file as it was', async () => {
  const controller = new AbortController()
  const writing = replace(stats(), controller.signal)
  controller.abort()
  await expect(writing).rejects.toMatchObject({ code: 'file.aborted' })
  expect(content()).toBe('old')
  expect(readdirSync(path)).toEqual(['a.txt'])
})
