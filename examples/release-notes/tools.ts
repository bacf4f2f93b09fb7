// A tool for release-notes.agent: what git says about commits. It starts git itself, without a shell, and lets nothing
// through that git could take for an option.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { defineTool } from 'legible/tools'
import { z } from 'zod'

const run = promisify(execFile)

// `v1.0..HEAD`, `HEAD~20..HEAD`, `main`: names do not begin with a dash.
const range = /^[A-Za-z0-9_][\w./~^-]*$/

const gitLog = defineTool({
  name: 'git_log',
  description: 'The commits of a range, the newest first: hash, date and subject of each.',
  input: z.object({
    range: z
      .string()
      .regex(range)
      .meta({ description: 'as git takes it', examples: ['HEAD~20..HEAD'] }),
    most: z.number().int().min(1).max(200).default(50).describe('how many commits at most'),
  }),
  // Reading the repository, and no more: a run permits that without asking.
  needs: { capability: 'fs.read', path: '.git' },
  run: async ({ range, most }, { signal }) => {
    const options = ['--no-pager', 'log', `--max-count=${most}`, '--date=short', '--format=%h %ad %s']
    const { stdout } = await run('git', [...options, '--end-of-options', range, '--'], {
      signal,
      timeout: 10_000,
      maxBuffer: 1_000_000,
    }).catch(({ stderr, message }) => {
      // What git says is enough for the model to try another range.
      throw new Error(stderr?.trim() || message)
    })
    return stdout.trim() || 'there are no commits in this range'
  },
})

export default [gitLog]
