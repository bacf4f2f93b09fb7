import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findAgentfiles, openAgentfile, readWithFiles } from './agentfile-files.ts'
import { UsageError } from './usage-error.ts'

const top = mkdtempSync(join(tmpdir(), 'legible-agentfile-files-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

/** A folder with these files. */
function folderWith(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(top, 'case-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe('which files are meant', () => {
  test('a folder means its Agentfiles, at any depth, but not those of all folders', () => {
    const folder = folderWith({
      'a/b/c.agent': '',
      'a/Agentfile': '',
      'a/notes.md': '',
      'a/Agentfile.bak': '',
      'a/.hidden/d.agent': '',
      'a/node_modules/e.agent': '',
      'empty/x.md': '',
    })
    symlinkSync(folder, join(folder, 'a/loop'))
    symlinkSync('b/c.agent', join(folder, 'a/link.agent'))
    symlinkSync('nowhere', join(folder, 'a/dead.agent'))
    const inA = (...names: string[]) => names.map((name) => join(folder, 'a', name))
    expect(findAgentfiles([join(folder, 'a'), join(folder, 'a/Agentfile'), '-', '-'])).toEqual([
      ...inA('Agentfile', 'b/c.agent', 'link.agent'),
      '-',
    ])
    expect(findAgentfiles(inA('notes.md'))).toEqual(inA('notes.md'))
    expect(() => findAgentfiles([join(folder, 'empty')])).toThrow(/no Agentfile is in this folder/)
    expect(() => findAgentfiles([join(folder, 'none')])).toThrow(/there is no such file/)
  })

  test('text of a bounded size', async () => {
    const most = 1024 * 1024
    const folder = folderWith({
      'bytes.agent': Buffer.from([0, 1]),
      'full.agent': '#'.repeat(most),
      'large.agent': '#'.repeat(most + 1),
    })
    await expect(openAgentfile(join(folder, 'bytes.agent'))).rejects.toThrow(UsageError)
    await expect(openAgentfile(join(folder, 'large.agent'))).rejects.toThrow(/at most 1048576 characters/)
    await expect(openAgentfile(join(folder, 'full.agent'))).resolves.toMatchObject({ warnings: [] })
  })
})

describe('files of prompts', () => {
  const messages = (folder: string, path: string) => {
    const text = `NAME a\nINPUT topic\nGOAL g FROM ${path}\nRUN main USING g\n`
    return readWithFiles(join(folder, 'a.agent'), { text }).read.issues.map(({ message }) => message)
  }

  test('are those of the folder of the Agentfile', () => {
    const folder = folderWith({ 'prompts/p.md': 'Write on $topic', 'skill/SKILL.md': 'Write on $topc' })
    expect(messages(folder, 'prompts/p.md')).toEqual([])
    expect(messages(folder, './prompts/p.md')).toEqual([])
    expect(messages(folder, 'skill')).toEqual([
      'no input or output is named topc; did you mean $topic? (skill/SKILL.md:1)',
    ])
    expect(messages(folder, 'prompts')).toEqual(['there is no file "prompts"'])
    expect(messages(folder, 'none.md')).toEqual(['there is no file "none.md"'])
  })

  test('never lie outside, also by links', () => {
    const outside = folderWith({ 'secret.md': 'the secret: $nothing', 'SKILL.md': 'the secret: $nothing' })
    const folder = folderWith({ 'inner/p.md': 'Write on $topic' })
    symlinkSync(join(outside, 'secret.md'), join(folder, 'link.md'))
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync('inner', join(folder, 'within'))
    for (const path of ['link.md', 'linked', 'linked/secret.md'])
      expect(messages(folder, path)).toEqual([
        `${JSON.stringify(path)} leads out of the folder of this file, by a link`,
      ])
    for (const path of ['../x.md', join(outside, 'secret.md'), 'inner/../../x.md'])
      expect(messages(folder, path)).toEqual([expect.stringMatching(/leads out of the folder of this file$/)])
    expect(messages(folder, 'within/p.md')).toEqual([])
  })

  test('must be text of a bounded size', () => {
    const folder = folderWith({
      'large.md': 'x'.repeat(1024 * 1024 + 1),
      'full.md': 'x'.repeat(1024 * 1024),
      'bytes.md': Buffer.from([0x50, 0, 0x51]),
      'latin.md': Buffer.from([0x50, 0xe9, 0x51]),
    })
    spawnSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe.md')])
    expect(messages(folder, 'large.md')).toEqual([
      '"large.md" is too large: prompts have at most 1048576 bytes',
    ])
    expect(messages(folder, 'full.md')).toEqual([])
    expect(messages(folder, 'bytes.md')).toEqual(['"bytes.md" is no text in UTF-8'])
    expect(messages(folder, 'latin.md')).toEqual(['"latin.md" is no text in UTF-8'])
    if (existsSync(join(folder, 'pipe.md')))
      expect(messages(folder, 'pipe.md')).toEqual(['"pipe.md" is no plain file'])
  })
})
