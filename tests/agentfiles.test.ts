// Agentfiles as people write them. They are not part of the project: LEGIBLE_DATA says where they are, and without them
// there is nothing to try. What comes of each is kept in fixtures/agentfile/outcomes.json, without what it says.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/entries.ts'
import {
  type Agentfile,
  formatAgentfile,
  promptParts,
  readAgentfile,
  workflowOf,
} from '../src/agentfile/syntax/index.ts'
import { agentfileIssues } from '../src/agentfile/syntax/issues.ts'
import { randomNumbers } from '../src/core/random-numbers.ts'

interface Entry {
  readonly path: string
  /** What the program says that they were written for: `ok…` or `rejected…`. */
  readonly upstream: string
}

const folder = join(process.env.LEGIBLE_DATA ?? join(root, '../shared'), 'agentfiles')
const index = join(folder, 'index.json')
const isThere = existsSync(index)
if (!isThere) console.log(`tests/agentfiles.test.ts is skipped: there is no ${index}`)

const entries: readonly Entry[] = isThere ? JSON.parse(readFileSync(index, 'utf8')) : []
const textOf = ({ path }: Entry) => readFileSync(join(folder, path), 'utf8')

function read(entry: Entry, text = textOf(entry)) {
  return readAgentfile(text, {
    files(path) {
      const file = join(folder, dirname(entry.path), path)
      return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined
    },
  })
}

describe('the reference', () => {
  const page = readFileSync(join(root, 'docs/agentfile/reference.md'), 'utf8')

  it('shows files that are right, and written as they should be', () => {
    const blocks = [...page.matchAll(/^```agentfile\n(.*?)^```$/gms)].map(([, block = '']) => block)
    expect(blocks.length).toBeGreaterThan(0)
    for (const block of blocks) {
      const { value, issues } = readAgentfile(block)
      expect(issues).toEqual([])
      expect(formatAgentfile(value as Agentfile)).toBe(block)
    }
  })

  it('lists every issue, with its severity', () => {
    const listed = [...page.matchAll(/^\| `agentfile\.(\w+)` \| (\w+) \|/gm)].map(([, code, severity]) => [
      code,
      severity,
    ])
    expect(listed).toEqual(
      Object.entries(agentfileIssues.kinds).map(([code, { severity }]) => [code, severity]),
    )
  })
})

describe.skipIf(!isThere)('Agentfiles of others', () => {
  it('are accepted, or it is said exactly why not', async () => {
    const outcomes = entries.map((entry) => {
      const text = textOf(entry)
      const { ok, issues } = read(entry, text)
      const told = issues.map(
        ({ code, span = [0, 0] }) => `${place(text, span[0])} ${code.replace('agentfile.', '')}`,
      )
      return [entry.path, { ok, issues: told }]
    })
    const page = `${JSON.stringify(Object.fromEntries(outcomes), null, 2)}\n`
    await expect(page).toMatchFileSnapshot('../fixtures/agentfile/outcomes.json')
  })

  it('are accepted whenever the program they were written for accepts them', () => {
    const rejected = entries.filter((entry) => entry.upstream.startsWith('ok') && !read(entry).ok)
    expect(rejected).toEqual([])
  })

  it('are all accepted but for files that are not there', () => {
    const codes = new Set(
      entries
        .flatMap((entry) => read(entry).issues)
        .filter(({ severity }) => severity === 'error')
        .map(({ code }) => code),
    )
    expect([...codes]).toEqual(['agentfile.missing_file'])
    for (const entry of entries) expect(readAgentfile(textOf(entry)).ok, entry.path).toBe(true)
  })

  it('mean the same when they are formatted, and keep their comments', () => {
    for (const entry of entries) {
      const text = textOf(entry)
      const { value } = readAgentfile(text)
      const written = formatAgentfile(value as Agentfile)
      const again = readAgentfile(written)
      expect(again.ok, entry.path).toBe(true)
      expect(formatAgentfile(again.value as Agentfile), entry.path).toBe(written)
      expect(meaning(again.value as Agentfile), entry.path).toEqual(meaning(value as Agentfile))
      expect(
        again.issues.filter(({ code }) => code.startsWith('agentfile.old_')),
        entry.path,
      ).toEqual([])
      for (const comment of text.split('\n').filter((line) => line.startsWith('#')))
        expect(written.split('\n'), entry.path).toContain(comment.trimEnd())
    }
  })

  it('are never too broken to be read', { timeout: 60_000 }, () => {
    const random = randomNumbers(7)
    const texts = entries.map(textOf)
    let accepted = 0
    for (let i = 0; i < 10_000; i++) {
      let text = texts[i % texts.length] as string
      for (let edits = 1 + Math.floor(3 * random()); edits > 0; edits--) text = edited(text, random)
      const { ok, value, issues } = readAgentfile(text, { files: () => 'Do $it' })
      expect(ok).toBe(issues.every(({ severity }) => severity !== 'error'))
      for (const { code, span = [0, 0] } of issues)
        if (!(0 <= span[0] && span[0] <= span[1] && span[1] <= text.length))
          throw new Error(`${code}: ${span}\n${text}`)
      if (!ok) continue
      accepted++
      const written = formatAgentfile(value as Agentfile)
      const again = readAgentfile(written)
      expect(again.ok, text).toBe(true)
      expect(formatAgentfile(again.value as Agentfile), text).toBe(written)
      expect(meaning(again.value as Agentfile), text).toEqual(meaning(value as Agentfile))
    }
    // Most edits hit prose, which may say anything.
    expect(accepted).toBeGreaterThan(1000)
    expect(accepted).toBeLessThan(9000)
  })
})

/** All that a file says: without places, comments, and how a variable is spelled. */
function meaning(file: Agentfile): unknown {
  const { variables } = workflowOf(file)
  const said = JSON.stringify(file.statements, (key, value) => {
    if (['span', 'offsets', 'comments', 'trailing', 'blankBefore', 'raw'].includes(key)) return undefined
    if (key !== 'prompt' || value.kind !== 'text') return value
    return promptParts(value.text, variables).map((part) =>
      part.kind === 'text' ? part.text : { name: part.name },
    )
  })
  return JSON.parse(said)
}

function place(text: string, at: number): string {
  const before = text.slice(0, at).split('\n')
  return `${before.length}:${(before.at(-1) as string).length + 1}`
}

/** One edit, of a character, a word or a line: it is left out, doubled, moved, or something stands before it. */
function edited(text: string, random: () => number): string {
  const kinds = [/[\s\S]/g, /\w+|[^\w\s]+|\s+/g, /.*\n/g]
  const units = text.match(kinds[Math.floor(3 * random())] as RegExp) ?? [text]
  const at = Math.floor(units.length * random())
  const other = Math.floor(units.length * random())
  const unit = units[at] as string
  const additions = [
    '"',
    '"""',
    '\\',
    '$',
    '#',
    '\n',
    ' ',
    '->',
    ',',
    '{{',
    'GOAL ',
    'RUN ',
    'USING ',
    'FROM ',
    '\r',
    'é',
    '😀',
  ]
  switch (Math.floor(4 * random())) {
    case 0:
      units.splice(at, 1)
      break
    case 1:
      units.splice(at, 0, unit)
      break
    case 2:
      units[at] = units[other] as string
      units[other] = unit
      break
    default:
      units.splice(at, 0, additions[Math.floor(additions.length * random())] as string)
  }
  return units.join('')
}
