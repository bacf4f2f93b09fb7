// Documents show what is run: files that a line before them names (`story.agent`:), and what commands print.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { root } from '../scripts/entries.ts'

const main = join(root, 'dist/cli/main.js')

/** Does in a folder what a page shows, and expects what it shows. Gives how many sessions there were. */
export async function playSessions(
  page: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const shown = readFileSync(page, 'utf8')
  let sessions = 0
  for (const { 1: language, 2: code = '', index } of shown.matchAll(/^```([\w-]+)\n(.*?)^```$/gms)) {
    const [, file] = /`([\w./-]+)`:\n\n$/.exec(shown.slice(0, index)) ?? []
    if (file !== undefined) writeFileSync(join(folder, file), code)
    if (language !== 'shell-session') continue
    sessions++
    for (const session of code.split(/^\$ /m).slice(1)) {
      const [command = '', ...lines] = session.split('\n')
      const script = command.replaceAll('npx legible', `'${process.execPath}' '${main}'`)
      const child = spawn('bash', ['-c', `{ ${script}; } 2>&1`], {
        cwd: folder,
        env: env as NodeJS.ProcessEnv,
      })
      child.stdin.end()
      expect(linesOf(await text(child.stdout)), command).toEqual(linesOf(lines.join('\n')))
    }
  }
  return sessions
}

/** Without ids, times, and how to name a model. Agents that work at the same time end in any order. */
const linesOf = (printed: string): string[] =>
  printed
    .replace(/\nA rehearsal model answered:.*\n(?: {2}--model .*\n)+/g, '')
    .replace(/\b[\da-f]{8}\b/g, '12345678')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+Z)?/g, 'then')
    .replace(/ · \d+\.\d s/g, '')
    .replace(/\d+\.\d s/g, 'a while')
    .split('\n')
    .sort()
