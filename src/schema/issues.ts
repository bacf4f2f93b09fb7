import { defineIssues, kind } from '../core/issue.ts'

const say = ({ path, problem }: { path: string; problem: string }) =>
  `${path === '' ? '' : `${path}: `}${problem}${/[.!?]$/.test(problem) ? '' : '.'}`

export const schemaIssues = defineIssues('schema', {
  /** The value was read, but your schema refuses it. */
  invalid: kind<{ path: string; problem: string }>({ severity: 'error', message: say, hint: say }),
})
