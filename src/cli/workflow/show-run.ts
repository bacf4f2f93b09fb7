import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import { columns } from '../../core/columns.ts'
import type { Issue } from '../../core/issue.ts'
import type { RunRecord } from '../../durable/run-file.ts'
import type { Message } from '../../model/message.ts'
import { callLine, errorLine, resultLine } from '../describe-call.ts'
import { formatValue } from '../format-value.ts'
import { type Paint, paintOf } from '../paint.ts'
import { wantsColor } from '../print-issues.ts'
import type { Replay } from './replay-run.ts'

/** One question to a model, and what came of it. */
interface ShownTurn {
  readonly path: string
  readonly turn: number
  readonly asked: readonly Message[]
  reply?: string
  finish?: string
  usage?: { input: number; output: number }
  milliseconds?: number | undefined
  readonly issues: Issue[]
  readonly calls: string[]
}

/** Prints what happened in a run: every question and its reply, in order. */
export async function showRun(record: RunRecord, { events }: Replay, json: boolean): Promise<void> {
  const times = new Map(record.entries.map(({ key, ms }) => [key, ms]))
  const turns = turnsOf(events, times)
  const end = record.ends.at(-1)?.outcome
  if (json) {
    const { id, started, file, inputs, settings } = record.header
    process.stdout.write(
      `${JSON.stringify({ run: id, started, file, inputs, settings, turns, retries: record.retries, end }, null, 2)}\n`,
    )
    return
  }
  const paint = paintOf(wantsColor(process.stdout.isTTY, process.env))
  const { header } = record
  const lines = [
    `${paint.bold(safe(`run ${header.id}`))}  ${safe(header.program.name)}  ${safe(header.file)}  ${safe(header.started)}`,
  ]
  for (const [name, value] of Object.entries(header.inputs))
    lines.push(paint.dim(`  $${name} = ${short(value)}`))
  for (const turn of turns) {
    lines.push('', ...turnLines(turn, paint))
    for (const { path, turn: number, reason } of record.retries)
      if (path === turn.path && number === turn.turn)
        lines.push(`  ${paint.yellow('asked again')} ${safe(reason)}`)
  }
  lines.push('', endLine(end))
  if (end && 'variables' in end)
    for (const [name, value] of Object.entries(end.variables)) lines.push(`  $${name} = ${short(value)}`)
  process.stdout.write(`${lines.join('\n')}\n`)
}

function turnsOf(
  events: readonly WorkflowEvent[],
  times: ReadonlyMap<string, number | undefined>,
): ShownTurn[] {
  const turns: ShownTurn[] = []
  const open = new Map<string, ShownTurn>()
  for (const one of events) {
    if (one.type !== 'worker-event') continue
    const { path, event } = one
    const turn = open.get(path)
    switch (event.type) {
      case 'turn-start': {
        const milliseconds = times.get(`${path}/turn:${event.turn}`)
        // A question that was not answered then was not part of the run.
        if (!times.has(`${path}/turn:${event.turn}`)) break
        const made: ShownTurn = {
          path,
          turn: event.turn,
          asked: event.asked,
          milliseconds,
          issues: [],
          calls: [],
        }
        turns.push(made)
        open.set(path, made)
        break
      }
      case 'turn-end':
        if (turn) Object.assign(turn, { reply: event.text, finish: event.finish, usage: event.usage })
        break
      case 'issues':
        turn?.issues.push(...event.issues)
        break
      case 'call-end':
        turn?.calls.push(
          `${callLine(event.call)} → ${event.ok ? resultLine(event.result) : errorLine(event.error)}`,
        )
        break
      case 'call-refused':
        turn?.calls.push(`${callLine(event.call)}: not run`)
        break
    }
  }
  return turns
}

function turnLines(turn: ShownTurn, paint: Paint): string[] {
  const { path, asked, reply = '', usage, milliseconds, issues, calls } = turn
  const facts = [
    usage && `${usage.input} + ${usage.output} tokens`,
    milliseconds !== undefined && `${(milliseconds / 1000).toFixed(1)} s`,
  ]
  const lines = [`${paint.bold(safe(path))}  ${paint.dim(facts.filter(Boolean).join(', '))}`]
  // What was said before stands with the turn before.
  const fresh =
    turn.turn === 1 ? asked : asked.slice(asked.findLastIndex(({ role }) => role === 'assistant') + 1)
  for (const { role, content } of fresh) lines.push(...block(role, contentText(content), paint.cyan))
  lines.push(...block('reply', reply, paint.green))
  for (const { severity, code, message } of issues)
    lines.push(`  ${paint.yellow(severity)} ${safe(`${code}: ${message}`)}`)
  for (const call of calls) lines.push(`  → ${call}`)
  return lines
}

const block = (name: string, text: string, color: (text: string) => string): string[] =>
  text.split('\n').map((line, i) => `  ${color((i === 0 ? name : '').padEnd(9))} ${safe(line)}`)

const contentText = (content: Message['content']): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')

const safe = (text: string): string => columns(text).text

function short(value: unknown): string {
  const { text } = formatValue(value)
  const line = text.replaceAll('\n', ' ')
  return safe(line.length > 200 ? `${line.slice(0, 200)}…` : line)
}

function endLine(end: RunRecord['ends'][number]['outcome'] | undefined): string {
  if (!end) return 'It has not ended: it was killed, or is being carried out.'
  if (end.kind === 'failed') return safe(`failed at ${end.path}: ${end.reason}`)
  if (end.kind === 'broken') return safe(`broken off: ${end.reason}`)
  return end.kind
}
