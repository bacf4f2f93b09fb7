// Another program swaps a folder for a link out of the root, again and again, while the tools work in it.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
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
import type { Tool, ToolContext } from '../tool.ts'
import { asToolResult } from '../tool-result.ts'
import { FileError } from './file-error.ts'
import { fileTools } from './file-tools.ts'
import { hasDescriptorPaths } from './folder.ts'

const SWAPS = 20_000

/** Runs in a process of its own: it must not wait for us. What the tools make in the place of the folder is put aside. */
const swapper = `
  const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
  const [, folder, aside, outside, trash, swaps] = process.argv
  let count = 0
  const inItsPlace = (put) => {
    for (;;)
      try {
        return put()
      } catch (error) {
        if (!['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(error.code)) throw error
        try {
          renameSync(folder, trash + '/' + count++)
        } catch {} // they have removed it themselves
      }
  }
  const linger = () => {
    for (const end = performance.now() + Math.random() * 0.05; performance.now() < end; );
  }
  for (let i = 0; i < Number(swaps); i++) {
    linger()
    renameSync(folder, aside)
    inItsPlace(() => symlinkSync(outside, folder))
    linger()
    unlinkSync(folder)
    inItsPlace(() => renameSync(aside, folder))
  }
`

let above: string
let child: ChildProcess | undefined
beforeEach(() => {
  above = realpathSync(mkdtempSync(join(tmpdir(), 'legible-race-')))
})
afterEach(() => {
  child?.kill()
  rmSync(above, { recursive: true, force: true })
})

it.runIf(hasDescriptorPaths)(
  'nothing outside is read or written while a folder is swapped for a link',
  async () => {
    const outside = join(above, 'outside')
    const root = join(above, 'root')
    mkdirSync(join(outside, 'deep'), { recursive: true })
    mkdirSync(join(root, 'folder/deep'), { recursive: true })
    for (const name of ['known.txt', 'deep/known.txt']) {
      writeFileSync(join(outside, name), 'SECRET')
      writeFileSync(join(root, 'folder', name), 'inside')
    }
    const tools = fileTools({ root })
    const run = async (name: string, args: object) => {
      const tool = tools.find((one) => one.name === name) as Tool
      const context: ToolContext = {
        signal: new AbortController().signal,
        callId: 'a',
        idempotencyKey: 'a',
        context: undefined,
      }
      return asToolResult(await tool.run(args, context)).text as string
    }
    await run('fs.read', { path: 'folder/known.txt' })
    await run('fs.read', { path: 'folder/deep/known.txt' })

    const trash = join(above, 'trash')
    mkdirSync(trash)
    const args = ['-e', swapper, join(root, 'folder'), join(root, 'aside'), outside, trash, `${SWAPS}`]
    child = spawn(process.execPath, args, { stdio: 'inherit' })
    let exit: number | null | undefined
    child.once('exit', (code) => {
      exit = code
    })

    const counts = { worked: 0, refused: 0, links: 0 }
    const attempt = async (name: string, given: object) => {
      try {
        expect(await run(name, given)).not.toContain('SECRET')
        counts.worked++
      } catch (error) {
        if (!(error instanceof FileError)) throw error
        expect(error.message).not.toContain(above)
        counts.refused++
        if (error.code === 'file.link') counts.links++
      }
    }
    // Each goes on for itself: a read does not wait until a write has reached the disk.
    const again = async (name: string, given: (i: number) => object) => {
      for (let i = 0; exit === undefined; i++) await attempt(name, given(i))
    }
    await Promise.all([
      again('fs.read', () => ({ path: 'folder/known.txt' })),
      again('fs.read', () => ({ path: 'folder/deep/known.txt' })),
      again('fs.list', () => ({ path: 'folder', depth: 2 })),
      again('fs.search', () => ({ text: 'SECRET', path: 'folder' })),
      again('fs.write', (i) => ({ path: `folder/${i % 20}.txt`, content: `${i}` })),
      again('fs.write', (i) => ({ path: `folder/new/${i % 20}/x.txt`, content: `${i}` })),
      again('fs.write', (i) => ({ path: 'folder/known.txt', content: `inside ${i}` })),
      again('fs.edit', (i) => ({ path: 'folder/deep/known.txt', old: 'inside', new: `inside${i % 2}` })),
    ])

    expect(exit).toBe(0)
    expect(readdirSync(outside, { recursive: true }).sort()).toEqual(['deep', 'deep/known.txt', 'known.txt'])
    for (const name of ['known.txt', 'deep/known.txt'])
      expect(readFileSync(join(outside, name), 'utf8')).toBe('SECRET')
    // The race was one: calls met the folder, the link, and nothing at all.
    expect(counts.worked).toBeGreaterThan(100)
    expect(counts.refused).toBeGreaterThan(100)
    expect(counts.links).toBeGreaterThan(0)
    const left = readdirSync(above, { recursive: true }).filter((name) => `${name}`.includes('.legible-'))
    expect(left).toEqual([])
  },
  60_000,
)
