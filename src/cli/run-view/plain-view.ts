import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import { columns } from '../../core/columns.ts'
import { paintOf } from '../paint.ts'
import { endLines } from './end-words.ts'
import { givenInputs, modelWords } from './header-words.ts'
import type { RunView, RunViewOptions } from './run-view.ts'
import {
  callWords,
  count,
  duration,
  eventWords,
  excerpt,
  inputWords,
  judgementWords,
  textWords,
  valueWords,
} from './words.ts'

/** A run as lines of text, one for each thing that happens. */
export function createPlainView(options: RunViewOptions): RunView {
  const { output, color, program, now = () => performance.now() } = options
  const paint = paintOf(color)
  const started = now()
  /** When those began that are not over, and what they used. */
  const open = new Map<string, { readonly since: number; tokens: number }>()
  let hasHeader = false
  let pauses = 0
  /** Lines that wait until a person has answered. */
  let held = ''

  const write = (line: string, style: (text: string) => string = (text) => text) => {
    held += `${style(columns(line).text)}\n`
    if (pauses > 0) return
    output.write(held)
    held = ''
  }

  const begin = () => {
    if (hasHeader) return
    hasHeader = true
    const parts = [program.name, inputWords(givenInputs(options)), modelWords(options)]
    write(parts.filter(Boolean).join(' · '), paint.bold)
  }

  /** `scout/critic`; a run among several is named. */
  const placeOf = (path: string) => {
    const [run = '', ...rest] = path.split('/')
    const isNamed = program.runs.length > 1 || run.includes('~') || rest.length === 0
    return [...(isNamed ? [run] : []), ...rest].join('/')
  }

  const start = (path: string) => open.set(path, { since: now(), tokens: 0 })

  const goalOf = (path: string) => path.split('/').slice(0, 2).join('/')

  const addTokens = (path: string, tokens: number) => {
    for (const one of new Set([path, goalOf(path)])) {
      const entry = open.get(one)
      if (entry) entry.tokens += tokens
    }
  }

  /** `✓ scout  summary, confidence · 1.2 s · 812 tokens` */
  const over = (sign: '✓' | '✗', path: string, words: string) => {
    const entry = open.get(path)
    open.delete(path)
    const about = [
      words,
      entry && duration(now() - entry.since),
      entry && entry.tokens > 0 && count(entry.tokens, 'token'),
    ]
    write(
      `${sign} ${placeOf(path)}  ${about.filter(Boolean).join(' · ')}`.trimEnd(),
      sign === '✗' ? paint.red : undefined,
    )
  }

  const show = (event: WorkflowEvent) => {
    switch (event.type) {
      case 'goal-start':
        start(event.path)
        write(`▸ ${placeOf(event.path)}`)
        break
      case 'goal-end':
        over('✓', event.path, valueWords(event.values) || textWords(event.text, 80))
        break
      case 'worker-start':
        // A goal that works by itself has begun already.
        if (!open.has(event.path)) start(event.path)
        break
      case 'worker-end':
        // The goal tells it in a moment; what a supervisor says is a judgement.
        if (event.role === 'supervisor' || event.path === goalOf(event.path)) break
        over('✓', event.path, event.values ? valueWords(event.values) : textWords(event.text, 80))
        break
      case 'worker-failed':
        over('✗', event.path, excerpt(event.reason))
        break
      case 'judgement': {
        const sign = event.judgement.kind === 'continue' ? '✓' : '!'
        const who = event.by === 'person' ? 'you' : 'supervisor'
        write(`${sign} ${placeOf(event.path)}  ${who}: ${judgementWords(event.judgement)}`)
        break
      }
      case 'not-converged': {
        const what = event.path.includes('/') ? 'version' : 'round'
        const words = `not converged in ${count(event.iterations, what)}`
        write(`! ${placeOf(event.path)}  ${words}`, paint.yellow)
        break
      }
      case 'worker-event': {
        if (event.event.type === 'turn-end')
          addTokens(event.path, event.event.usage.input + event.event.usage.output)
        const words = eventWords(event.event)
        if (words !== undefined) write(`  ${placeOf(event.path)}  ${words}`, paint.dim)
      }
    }
  }

  return {
    show(event) {
      begin()
      show(event)
    },
    pause() {
      begin()
      pauses++
    },
    resume() {
      pauses = Math.max(0, pauses - 1)
      if (pauses > 0 || held === '') return
      output.write(held)
      held = ''
    },
    end(outcome) {
      pauses = 0
      begin()
      if (outcome.kind === 'suspended') {
        for (const { id, reason } of outcome.judgements)
          write(
            `‖ ${placeOf(id.replace(/\/judgement$/, ''))}  ${reason === undefined ? '' : excerpt(reason)}`.trimEnd(),
          )
        for (const { id, call } of outcome.approvals)
          write(`‖ ${placeOf(id.replace(/\/approval:.*$/s, ''))}  ${callWords(call)}`)
      }
      for (const line of endLines(outcome, options, now() - started)) write(line)
    },
    close() {
      if (held !== '') output.write(held)
      held = ''
    },
  }
}
