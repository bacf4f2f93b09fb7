import type { Infer, Schema } from '../schema/schema.ts'
import { askValidator } from './ask-validator.ts'
import { sectionIssues } from './issues.ts'
import { jsonSection } from './json-section.ts'
import type { SchemaSectionOptions } from './schema-prompt.ts'
import type { Termination } from './section.ts'

export interface JsonTerminationOptions<T> extends SchemaSectionOptions {
  /** `answer` unless said otherwise. */
  readonly name?: string
  /** Says, for the model, why an answer that fits the schema will not do; nothing when it will. If it throws, it will not. */
  readonly validate?: (answer: T) => string | undefined
}

/**
 * A section that ends a loop with a value. An answer that does not fit its schema does not end it. One that was cut off
 * may fit by chance: use it only if `complete` is true, of what is read here and of the section.
 */
export function jsonTermination<S extends Schema>(
  schema: S,
  options: JsonTerminationOptions<Infer<S>> = {},
): Termination<Infer<S>> {
  const { name = 'answer', prompt = 'Write your final answer here, once you have it.', validate } = options
  const section = jsonSection(name, schema, { ...options, prompt })
  return {
    ...section,
    terminates: true,
    read(content, offset = 0) {
      const read = section.read(content, offset)
      const reason = read.ok ? askValidator(validate, read.value) : undefined
      if (!reason) return read
      const span = [offset, offset + content.length] as const
      const issue = sectionIssues.issue('rejected', { section: name, reason }, { span })
      return { ...read, ok: false, issues: [...read.issues, issue] }
    },
  }
}
