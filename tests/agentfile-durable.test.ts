// Runs that are cut off anywhere: what was finished is not paid for again, and the result is the same.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { createWorkflow } from '../src/agentfile/run/create-workflow.ts'
import { type Program, programOf } from '../src/agentfile/run/program.ts'
import type { WorkflowOutcome } from '../src/agentfile/run/workflow-outcome.ts'
import type { Agentfile } from '../src/agentfile/syntax/agentfile.ts'
import { readAgentfile } from '../src/agentfile/syntax/read-agentfile.ts'
import { createRehearsalServer } from '../src/cli/rehearsal-server/create-rehearsal-server.ts'
import { rehearsalModels } from '../src/cli/rehearsal-server/rehearsal-models.ts'
import { beginRun, type OpenRun, readRunFile, resumeRun } from '../src/durable/run-file.ts'
import type { Model } from '../src/model/model.ts'
import { rehearsalModel } from '../src/model/rehearsal/rehearsal-model.ts'
import { defineTool } from '../src/tool/define-tool.ts'

vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'legible-durable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const text = `NAME cut
INPUT topic DEFAULT "tea"
AGENT pro "Speak for $topic" -> points: list<string>
AGENT con "Speak against $topic" -> issues: list<string>
GOAL scout "Look at $topic" -> summary USING pro, con
CONVERGE draft "Write about $summary" -> report WITHIN 3
GOAL last "Call note with {\\"text\\": \\"done\\"} and sum up $report" -> title SUPERVISED
RUN main USING scout, draft, last`
const read = readAgentfile(text)
const program: Program = programOf(read.value as Agentfile)

/** The rehearsal model, with a count of its answers. */
function counted(): { model: Model; count: () => number } {
  const inner = rehearsalModel({ seed: 3 })
  let asked = 0
  const model: Model = {
    ...inner,
    specificationVersion: 'v4',
    provider: inner.provider,
    modelId: inner.modelId,
    supportedUrls: inner.supportedUrls,
    doGenerate: (options) => inner.doGenerate(options),
    doStream: (options) => {
      asked++
      return inner.doStream(options)
    },
  }
  return { model, count: () => asked }
}

const note = defineTool({
  name: 'note',
  description: 'Writes a note.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  run: () => 'noted',
})

async function play(run: OpenRun, model: Model): Promise<WorkflowOutcome> {
  const workflow = createWorkflow(program, { model, tools: [note] })
  const outcome = await workflow.start(run.record.header.inputs, { journal: run.journal }).outcome
  const { saved: _, ...kept } = outcome
  await run.end(kept)
  return outcome
}

const header = {
  id: '0000abcd',
  started: '2026-01-01T00:00:00.000Z',
  file: 'cut.agent',
  program,
  inputs: { topic: 'tea' },
  settings: {},
}

describe('a run in a file', () => {
  test('cut off behind every line, and within every line, comes to the same, and pays once', async () => {
    expect(read.issues.filter(({ severity }) => severity === 'error')).toEqual([])
    const file = join(folder, 'whole', 'run.jsonl')
    const first = counted()
    const whole = await beginRun(file, header, (run) => play(run, first.model))
    expect(whole.kind).toBe('completed')
    const { saved: _, ...expected } = whole
    const bytes = readFileSync(file)
    const all = bytes.toString('utf8').split('\n').slice(0, -1)
    const isTurn = (line: string) => line.includes('"type":"step"') && /"key":"[^"]*turn:\d+"/.test(line)
    const turns = all.filter(isTurn).length
    expect(turns).toBe(first.count())
    let at = 0
    for (const [i, line] of all.entries()) {
      const size = Buffer.byteLength(line) + 1
      // The header is written before anything else happens.
      if (i > 0)
        for (const cut of [at, at + 1, at + Math.floor(size / 2), at + size - 1]) {
          const copy = join(folder, `cut-${cut}`, 'run.jsonl')
          await beginRun(copy, header, async () => {})
          writeFileSync(copy, bytes)
          truncateSync(copy, cut)
          const kept = (await readRunFile(copy)).entries.filter(({ key }) => /turn:\d+$/.test(key)).length
          const again = counted()
          const outcome = await resumeRun(copy, {}, (run) => play(run, again.model))
          const { saved: __, ...found } = outcome
          expect(found, `cut at ${cut}`).toEqual(expected)
          // A line that lacks only its end was written: it is mended, and not asked for again.
          const mended = cut === at + size - 1 && isTurn(line) ? 1 : 0
          expect(again.count(), `cut at ${cut}`).toBe(turns - kept - mended)
          rmSync(join(folder, `cut-${cut}`), { recursive: true })
        }
      at += size
    }
  })

  test('a step is on the disk before the next one starts', async () => {
    const file = join(folder, 'order', 'run.jsonl')
    const { model } = counted()
    let least = Number.POSITIVE_INFINITY
    let asked = 0
    const watching: Model = {
      ...model,
      doStream: (options) => {
        const written = readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => /"key":"[^"]*turn:\d+"/.test(line)).length
        // Two agents are asked at the same time.
        least = Math.min(least, written - asked)
        asked++
        return model.doStream(options)
      },
    }
    await beginRun(file, header, (run) => play(run, watching))
    expect(least).toBeGreaterThanOrEqual(-1)
  })

  test('is carried out by one process at a time', async () => {
    const file = join(folder, 'twice', 'run.jsonl')
    await beginRun(file, header, async () => {
      await expect(resumeRun(file, {}, async () => {})).rejects.toThrowError('another process')
    })
  })

  test('a line that is damaged in the middle is told', async () => {
    const file = join(folder, 'damaged', 'run.jsonl')
    await beginRun(file, header, (run) => play(run, counted().model))
    const lines = readFileSync(file, 'utf8').split('\n')
    lines[2] = lines[2]!.slice(0, 20)
    writeFileSync(file, lines.join('\n'))
    await expect(readRunFile(file)).rejects.toThrowError('line 3 is damaged')
  })
})

test('kill -9 at any moment, then resume: no finished question is asked again', async () => {
  const main = join(root, 'dist/cli/main.js')
  let served = 0
  const server = createRehearsalServer({
    ...rehearsalModels({ delay: 4, seed: 3 }),
    onServed: () => {
      served++
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const model = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1#rehearsal`
    const project = mkdtempSync(join(folder, 'killed-'))
    writeFileSync(join(project, 'cut.agent'), text.replace(/ and sum up/, ', and sum up'))
    const env = { ...process.env, HOME: project, LEGIBLE_STATE: join(project, 'state'), LEGIBLE_MODEL: '' }
    const start = (args: string[]) =>
      spawn(process.execPath, [main, ...args], { cwd: project, env, stdio: 'ignore' })
    const ended = (child: ReturnType<typeof start>) =>
      new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
    const runs = join(project, '.legible/runs')
    const runFiles = () => (existsSync(runs) ? readdirSync(runs).filter((one) => one.endsWith('.jsonl')) : [])
    const turnsIn = () => {
      const [name] = runFiles()
      return readFileSync(join(runs, name!), 'utf8')
        .split('\n')
        .filter((line) => line.includes('"type":"step"') && /"key":"[^"]*turn:\d+"/.test(line)).length
    }
    let child = start(['run', 'cut.agent', '--model', model])
    let code: number | null = null
    let kills = 0
    for (; kills < 12; kills++) {
      const done = ended(child)
      // A run that has not begun cannot be taken up again.
      while (runFiles().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      const stop = setTimeout(() => child.kill('SIGKILL'), (kills === 0 ? 50 : 600) + kills * 90)
      code = await done
      clearTimeout(stop)
      if (code !== null) break
      child = start(['resume'])
    }
    if (code === null) code = await ended(child)
    expect(code).toBe(0)
    const turns = turnsIn()
    // At each kill no more than the two agents that were being answered are asked again.
    expect(served).toBeLessThanOrEqual(turns + 2 * kills)
    expect(kills).toBeGreaterThan(0)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
