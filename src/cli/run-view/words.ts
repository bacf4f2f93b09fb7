import type { AgentEvent } from '../../agent/event.ts'
import type { Value } from '../../agentfile/run/program.ts'
import type { Judgement } from '../../agentfile/run/workflow-event.ts'
import { isRecord } from '../../core/is-record.ts'
import { formatValue } from '../format-value.ts'

/** Longer texts are named only. */
const SHORT = 32
/** Of what a model wrote, on one line. */
const LONGEST = 300

export const count = (n: number, what: string): string =>
  `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

/** Nothing for what took no time: it was known already, or nobody would have noticed. */
export function duration(milliseconds: number): string {
  if (milliseconds < 50) return ''
  const seconds = milliseconds / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `points: 4, confidence: 0.8, summary`: the names, with what is short. */
export const valueWords = (values: Readonly<Record<string, Value>>): string =>
  Object.entries(values)
    .map(([name, value]) => {
      const short = shortValue(value)
      return short === undefined ? name : `${name}: ${short}`
    })
    .join(', ')

function shortValue(value: Value): string | undefined {
  if (Array.isArray(value)) return String(value.length)
  if (typeof value === 'string')
    return value !== '' && value.length <= SHORT && !/[\r\n]/.test(value) ? value : undefined
  return typeof value === 'object' && value !== null ? undefined : String(value)
}

/** `topic: batteries, depth: 3`; a single input needs no name. */
export function inputWords(inputs: Readonly<Record<string, Value>>): string {
  const entries = Object.entries(inputs)
  const shown = entries.map(([name, value]) => {
    const text = typeof value === 'string' ? value : formatValue(value, 0).text
    return entries.length === 1 ? text : `${name}: ${excerpt(text, 60)}`
  })
  return excerpt(shown.join(', '))
}

/** The beginning of a text, on one line. */
export function excerpt(text: string, most = LONGEST): string {
  const start = text
    .slice(0, 2 * most)
    .trim()
    .replace(/\s+/g, ' ')
  if (start.length <= most && text.length <= 2 * most) return start
  // Not half of a pair.
  return `${start.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}

/** Who has no words says that it is done: nothing else is an answer. */
export const textWords = (text: string, most?: number): string => excerpt(text, most) || 'nothing left to do'

export function judgementWords(judgement: Judgement): string {
  switch (judgement.kind) {
    case 'continue':
      return 'continue'
    case 'reorient':
      return `again: ${excerpt(judgement.correction)}`
    case 'pause':
      return judgement.reason === '' ? 'stop' : `stop: ${excerpt(judgement.reason)}`
  }
}

/** What people want to know of a conversation; nothing of the pieces of a reply. */
export function eventWords(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'call-start':
      return `→ ${callWords(event.call)}`
    case 'call-end':
      return event.ok ? `✓ ${event.call.name}` : `✗ ${event.call.name}: ${excerpt(event.error.message)}`
    case 'call-refused':
      return `✗ ${callWords(event.call)}: not run`
    case 'approval-request':
      return `‖ may it run? ${callWords(event.request.call)}`
    case 'turn-retry':
      return `! ${excerpt(event.error.message)}; again in ${duration(event.wait) || '0 s'}`
    case 'turn-idle':
      return `! a turn that brought nothing: ${excerpt(event.reason)}`
    case 'compaction':
      return `${count(event.removed, 'old message')} left out of the conversation`
    default:
      return undefined
  }
}

export function callWords({ name, arguments: given }: { name: string; arguments: unknown }): string {
  const text = isRecord(given) && Object.keys(given).length === 0 ? '' : formatValue(given, 0).text
  return excerpt(`${name} ${text ?? ''}`)
}
