import type { Issue } from '../core/issue.ts'
import { askValidator } from './ask-validator.ts'
import { checkName } from './check-name.ts'
import { sectionIssues } from './issues.ts'
import type { Termination } from './section.ts'

export interface TextTerminationOptions {
  /** `answer` unless said otherwise. */
  readonly name?: string
  readonly prompt?: string
  /** Says, for the model, why an answer will not do; nothing when it will. If it throws, it will not. */
  readonly validate?: (answer: string) => string | undefined
}

/** A section that ends a loop with a text. */
export function textTermination(options: TextTerminationOptions = {}): Termination<string> {
  const { name = 'answer', prompt = 'Write your final answer here, once you have it.', validate } = options
  checkName(name)
  return {
    name,
    prompt,
    terminates: true,
    read(content, offset = 0) {
      const value = content.trim()
      const start = offset + (content.length - content.trimStart().length)
      const place = { span: [start, start + value.length] as const }
      const issues: Issue[] = []
      if (value === '') issues.push(sectionIssues.issue('empty', { section: name }, place))
      const reason = askValidator(validate, value)
      if (!reason) return { ok: true, value, complete: true, issues }
      issues.push(sectionIssues.issue('rejected', { section: name, reason }, place))
      return { ok: false, value, complete: true, issues }
    },
  }
}
