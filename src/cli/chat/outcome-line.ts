import type { Outcome } from '../../agent/outcome.ts'
import { columns } from '../../core/columns.ts'
import { limitWords } from '../ask-output.ts'

/** What a turn that did not come to an answer came to. Nothing for an answer. */
export function outcomeLine(outcome: Outcome<unknown>): string | undefined {
  const text = wordsOf(outcome)
  return text === undefined ? undefined : columns(text).text
}

function wordsOf(outcome: Outcome<unknown>): string | undefined {
  switch (outcome.kind) {
    case 'answered':
      return undefined
    case 'reported':
      return `the model cannot go on: ${outcome.code}: ${outcome.message}`
    case 'unfinished':
      return `not finished: ${outcome.reason}`
    case 'limit':
      return `${limitWords(outcome.limit, outcome.most)}`
    case 'suspended':
      return 'waits for permission'
    case 'cancelled':
      return 'stopped'
    case 'failed': {
      const partial = outcome.partial === '' ? '' : '; what had arrived is no answer'
      return `${outcome.error.message}${partial}`
    }
  }
}

/** What a turn has used. */
export function usedText({ turns, calls, usage }: Outcome<unknown>): string {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
  const parts = [
    turns > 1 && count(turns, 'turn'),
    calls > 0 && count(calls, 'call'),
    count(usage.input + usage.output, 'token'),
  ]
  return parts.filter(Boolean).join(' · ')
}
