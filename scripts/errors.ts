// docs/errors.md: every issue code and every error code, from the source. `npm run errors` writes it;
// tests/docs.test.ts compares.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { IssueArea, IssueKind, IssueParams } from '../src/core/issue.ts'
import { root } from './entries.ts'

export const errorsPath = join(root, 'docs/errors.md')

const intro = `# Issues and errors

Generated from the source by \`npm run errors\`. Do not edit.

**Issues** say what is wrong with a text. They stand in \`read.issues\` and are never thrown. What each severity means:

| severity | the text | the value |
|---|---|---|
| \`error\` | could not be read as wanted | not usable as it stands; \`ok\` is false |
| \`warning\` | was read, but something may be lost or meant otherwise | usable; look at it |
| \`repair\` | was not as it should be, and was read all the same | usable |

The message is for a developer, the hint for the model: \`suggestRetry(issues)\` is made of hints only. ‹name› stands for
a fact of the issue, which is also in its \`params\`.
`

const errorsIntro = `## Errors that are thrown

A \`LegibleError\` is a mistake in the calling program, never in the text of a model.

| code | message |
|---|---|
`

/** The page, as it should be. */
export async function errorsPage(): Promise<string> {
  const files = globSync('src/**/issues.ts', { cwd: root }).sort()
  const sections: string[] = []
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const found of Object.values(await import(pathToFileURL(join(root, file)).href))) {
      if (isArea(found)) sections.push(areaSection(found, source, dirname(relative('src', file))))
    }
  }
  return `${[intro, ...sections, errorsIntro].join('\n')}${errorRows().join('\n')}\n`
}

function isArea(value: unknown): value is IssueArea<Record<string, IssueParams>> {
  return typeof value === 'object' && value !== null && 'area' in value && 'kinds' in value
}

function areaSection(
  { area, kinds }: IssueArea<Record<string, IssueParams>>,
  source: string,
  folder: string,
): string {
  const rows = Object.entries(kinds).map(([code, kind]) => {
    const { about, facts } = declaration(source, code)
    const params = Object.fromEntries(facts)
    return row(
      `\`${area}.${code}\``,
      kind.severity,
      about,
      wording(kind.message, params),
      wording(kind.hint, params),
    )
  })
  return `## ${area}\n\nFrom \`src/${folder}/issues.ts\`.\n\n| code | severity | when | message | hint |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
}

// /** A key has no quotes. */
// unquoted_key: kind<{ key: string }>({
function declaration(source: string, code: string): { about: string; facts: [string, unknown][] } {
  const pattern = new RegExp(String.raw`/\*\*((?:(?!\*/)[^])*)\*/\s*${code}: kind(?:<\{([^}]*)\}>)?\(`)
  const [, comment, types = ''] = pattern.exec(source) ?? []
  if (comment === undefined) throw new Error(`${code} has no comment that documents it, right above its row`)
  const facts = [...types.matchAll(/(\w+)\??: ([^;]+)/g)].map(
    ([, name = '', type = '']): [string, unknown] => [name, standIn(name, type)],
  )
  return {
    about: comment
      .replace(/^\s*\*/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
    facts,
  }
}

/** What stands for a fact: its name; of a few words, the first. */
function standIn(name: string, type: string): unknown {
  const literal = /^'([^']*)'/.exec(type)?.[1]
  if (literal !== undefined) return literal
  return type.includes('[]') ? [`‹${name}›`, '…'] : `‹${name}›`
}

function wording(words: IssueKind['message'] | undefined, params: IssueParams): string {
  const text = typeof words === 'function' ? words(params) : (words ?? '')
  return text.replaceAll('\\', '\\\\') // or Markdown takes it for its own
}

function errorRows(): string[] {
  const found = new Set<string>()
  for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) {
    if (file.endsWith('.test.ts')) continue
    const source = readFileSync(join(root, file), 'utf8')
    // What is made by a text within the text is left to the reader.
    for (const [, code = '', , message = ''] of source.matchAll(
      /new LegibleError\(\s*'([^']+)',\s*(['"`])((?:(?!\2)[^\\]|\\.)*)\2/g,
    ))
      found.add(row(`\`${code}\``, message.replace(/\$\{(\w+)[^}]*\}/g, '‹$1›').replace(/\$\{[^}]*$/, '…')))
  }
  return [...found].sort()
}

function row(...cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`.replace(
    / {2,}/g,
    ' ',
  )
}

if (import.meta.main) {
  writeFileSync(errorsPath, await errorsPage())
  console.log('docs/errors.md')
}
