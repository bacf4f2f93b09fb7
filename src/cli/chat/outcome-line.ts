import type { Outcome } from '../../agent/outcome.ts'
import { columns } from '../../core/columns.ts'
import { limitWords } from '../ask-output.ts'

/** What a turn that did not come to an answer came to, and what can be done about it. Nothing for an answer. */
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
      return `${limitWords(outcome.limit, outcome.most)}; /retry goes on from there`
    case 'suspended':
      return 'waits for permission'
    case 'cancelled':
      return 'stopped; /retry asks again'
    case 'failed': {
      const partial = outcome.partial === '' ? '' : '; what had arrived is no answer'
      return `${outcome.error.message}${partial}; /retry asks again`
    }
  }
}
