import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cpuMs } from '../../measure.ts'
import { randomFrom } from '../../random.ts'
import { figure, table } from '../../readme.ts'
import type { Run, Section } from '../../run.ts'
import { dataFile, linesOf } from '../data.ts'
import { legible } from '../legible.ts'

interface Row {
  model: string
  id: string
  category: string
  tools: { name: string }[]
  raw: string
}

interface Label {
  model: string
  id: string
  /** Whether the decoder that was written for this model reads the row right. */
  anchor_ok: boolean
  label?: string
}

/** Right and all. */
type Score = [number, number]
type Scores = Record<string, Score>

const categories = {
  simple: 'one call, one tool',
  multiple_function: 'one call, several tools',
  parallel_function: 'several calls, one tool',
  parallel_multiple_function: 'several calls, several tools',
}

export const bfcl: Section = {
  name: 'bfcl',
  title: 'Outputs of models on questions of BFCL, with expect: calls',
  async measure(run: Run) {
    const items = dataFile('bfcl/dev.jsonl.gz')
    const labels = dataFile('bfcl/dev_labels.jsonl.gz')
    const checker = dataFile('bfcl/check.mjs')
    if (!items || !labels || !checker || !legible) return undefined
    // An eighth of the rows is enough for the eye. Not every eighth: that would be the same questions for each model.
    const random = randomFrom(1)
    const lines = linesOf(items).filter(() => !run.quick || random() < 1 / 8)
    const rows = withSharedTools(lines.map((line) => JSON.parse(line) as Row))
    const reading = readRows(rows, run)
    const folder = mkdtempSync(join(tmpdir(), 'legible-calls-'))
    try {
      const { scores, wrong } = check(checker, folder, lines, reading.predictions, labels)
      return show(run, rows, reading, scores, wrong, labels)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

interface Reading {
  /** As the checker wants them, one for each row. */
  predictions: string[]
  /** The rows in which a tool was called that is declared. */
  callsDeclared: Set<string>
  ms: number
  threw: number
}

/** Rows of many models are about the same tools, and a program declares its tools once. */
function withSharedTools(rows: Row[]): Row[] {
  const lists = new Map<string, Row['tools']>()
  return rows.map((row) => {
    const key = JSON.stringify(row.tools)
    const tools = lists.get(key) ?? row.tools
    lists.set(key, tools)
    return { ...row, tools }
  })
}

function readRows(rows: Row[], run: Run): Reading {
  const found: { name: string; arguments: unknown }[][] = []
  let threw = 0
  const start = cpuMs()
  for (const { model, id, tools, raw } of rows) {
    if (run.verbose) console.error(model, id)
    try {
      found.push(legible!.readToolCalls(raw, { tools, expect: 'calls' }).value.calls)
    } catch (error) {
      threw++
      found.push([])
      if (run.verbose) console.error(error)
    }
  }
  const ms = cpuMs() - start
  const predictions = rows.map(({ model, id }, i) => {
    const calls = found[i]!.map(({ name, arguments: args }) => ({ name, arguments: args }))
    return JSON.stringify({ model, id, calls })
  })
  const declared = rows.filter(({ tools }, i) =>
    found[i]!.some((call) => tools.some(({ name }) => name === call.name)),
  )
  return { predictions, callsDeclared: new Set(declared.map(keyOf)), ms, threw }
}

/** The checker is a program of the data's own; what it says goes by its files. */
function check(
  checker: string,
  folder: string,
  lines: string[],
  predictions: string[],
  labels: string,
): { scores: Record<string, Scores>; wrong: Set<string> } {
  const file = (name: string) => join(folder, name)
  writeFileSync(file('items.jsonl'), `${lines.join('\n')}\n`)
  writeFileSync(file('predictions.jsonl'), `${predictions.join('\n')}\n`)
  const args = [checker, file('predictions.jsonl'), '--items', file('items.jsonl'), '--labels', labels]
  execFileSync(process.execPath, [...args, '--json', file('scores.json'), '--rows', file('rows.jsonl')])
  const wrong = linesOf(file('rows.jsonl'))
    .map((line) => JSON.parse(line) as { model: string; id: string; ok: boolean })
    .filter(({ ok }) => !ok)
  return {
    scores: JSON.parse(readFileSync(file('scores.json'), 'utf8')) as Record<string, Scores>,
    wrong: new Set(wrong.map(keyOf)),
  }
}

function keyOf({ model, id }: { model: string; id: string }): string {
  return `${model} ${id}`
}

function show(
  run: Run,
  rows: Row[],
  { callsDeclared, ms, threw }: Reading,
  { TOTAL: total, ...models }: Record<string, Scores>,
  wrong: Set<string>,
  labelFile: string,
): string {
  const labels = linesOf(labelFile).map((line) => JSON.parse(line) as Label)
  const decoders = decoderScores(rows, labels)
  const lost = rows.filter((row) => decoders.right.has(keyOf(row)) && wrong.has(keyOf(row)) && isAst(row))
  if (run.verbose) {
    for (const row of lost) console.error('wrong, right for its decoder:', keyOf(row))
    for (const one of labels)
      if (holdsNoCall(one) && wrong.has(keyOf(one)))
        console.error('a call where none is written:', keyOf(one))
  }
  const micro = percent(total!.AST!)
  const macro = mean(Object.values(models).map(({ AST }) => percent(AST!)))
  const falsePositives = percent(total!.fp!)
  const ofDeclared = labels.filter((one) => holdsNoCall(one) && callsDeclared.has(keyOf(one))).length
  run.figures.set('bfcl micro', micro)
  run.figures.set('bfcl false positives', falsePositives)
  run.figures.set('bfcl lost', lost.length)
  const line = (name: string, ours: number, theirs: number | undefined, count: number) => [
    name,
    count.toLocaleString('en'),
    `${ours.toFixed(2)}%`,
    theirs === undefined ? '' : `${theirs.toFixed(2)}%`,
  ]
  const both = [
    line('all, micro average', micro, percent(decoders.sum.AST!), total!.AST![1]),
    line('all, macro average over models', macro, decoders.macro, total!.AST![1]),
    ...Object.entries(categories).map(([key, name]) =>
      line(name, percent(total![key]!), percent(decoders.sum[key]!), total![key]![1]),
    ),
    line('calls where none is written', falsePositives, undefined, total!.fp![1]),
    line('… of a tool that is declared', percent([ofDeclared, total!.fp![1]]), undefined, total!.fp![1]),
  ]
  const byModel = Object.entries(models).map(([name, { AST }]) =>
    line(name, percent(AST!), percent(decoders.models.get(name)!), AST![1]),
  )
  const head = ['rows', 'legible', 'decoder of the model']
  const facts = [
    `- Rows wrong that the decoder of the model has right: ${lost.length}.`,
    `- Throughput on one core: ${figure((1000 * rows.length) / ms)} rows per second of CPU time, arguments checked against their schemas.`,
    ...(threw > 0 ? [`- Readings that threw: ${threw}.`] : []),
  ]
  return `${table(['', ...head], both)}\n\n${facts.join('\n')}\n\n${table(['model', ...head], byModel)}`
}

/** The labels that the checker counts for false positives. */
function holdsNoCall({ label }: Label): boolean {
  return label === 'silent' || label === 'mention_prose'
}

function isAst({ category }: Row): boolean {
  return Object.hasOwn(categories, category)
}

/** What the hand-written decoders have right, of the rows that were read. */
function decoderScores(rows: Row[], labels: Label[]) {
  const right = new Set(labels.filter((label) => label.anchor_ok).map(keyOf))
  const models = new Map<string, Score>()
  const sum: Scores = { AST: [0, 0] }
  for (const row of rows) {
    if (!isAst(row)) continue
    const model = models.get(row.model) ?? [0, 0]
    models.set(row.model, model)
    sum[row.category] ??= [0, 0]
    for (const score of [model, sum[row.category]!, sum.AST!]) {
      score[1]++
      if (right.has(keyOf(row))) score[0]++
    }
  }
  return { right, models, sum, macro: mean([...models.values()].map(percent)) }
}

function percent([right, all]: Score): number {
  return all === 0 ? 0 : (100 * right) / all
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, n) => sum + n, 0) / numbers.length
}
