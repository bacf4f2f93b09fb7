import { defineIssues, kind } from '../core/issue.ts'

const places = { reasoning: 'reasoning', code: 'code', quotation: 'a quotation', prose: 'other text' }

/** Everything that can be wrong with how a call was written. The comment above a row documents its code. */
export const callIssues = defineIssues('call', {
  /** The text is longer than `maxLength`; what lies beyond was not read. */
  too_long: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the text is longer than ${p.limit} characters; the rest was not read`,
    hint: 'Write a much shorter reply.',
  }),
  /** The text broke off within a call. */
  cut_off: kind<{ name: string }>({
    severity: 'error',
    message: (p) => `the text breaks off within the call of ${p.name}`,
    hint: 'The call was cut off. Write it again, to its end.',
  }),
  /** A place for calls was opened, and what stands in it cannot be read as a call. */
  unreadable: kind<{ mark: string }>({
    severity: 'warning',
    message: (p) => `what follows ${p.mark} cannot be read as a call`,
    hint: (p) => `Write a call behind ${p.mark}, in the form that was described.`,
  }),
  /** A call stands where it is not meant: within reasoning, in code or a quotation, or among other text. */
  embedded: kind<{ where: 'reasoning' | 'code' | 'quotation' | 'prose' }>({
    severity: 'warning',
    message: (p) => `a call within ${places[p.where]} was left as text`,
    hint: (p) =>
      `A call within ${places[p.where]} does not run. Write it outside, on its own, if you mean it.`,
  }),
  /** A call has its name or its arguments twice: which of them is meant cannot be told. */
  duplicate_key: kind<{ key: string }>({
    severity: 'error',
    message: (p) => `the key ${p.key} stands twice in the call`,
    hint: (p) => `Write the key ${p.key} once in each call.`,
  }),
  /** The closing mark of a call or an argument is missing. */
  unclosed: kind<{ name: string }>({
    severity: 'repair',
    message: (p) => `the call of ${p.name} has no end mark`,
    hint: 'Close each call with its end mark.',
  }),
  /** The tag of a call has lost its first bracket. */
  lost_bracket: kind({
    severity: 'repair',
    message: 'the tag of the call has no opening bracket',
    hint: 'Begin the tag of each call with a bracket.',
  }),
  /** The name of a tool was written in another way. */
  other_name: kind<{ written: string; name: string }>({
    severity: 'repair',
    message: (p) => `${p.written} was taken for the tool ${p.name}`,
    hint: (p) => `The tool is called ${p.name}.`,
  }),
  /** Text within a call that belongs to none of its arguments. */
  unexpected_text: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${p.text} within the call was skipped`,
    hint: 'Write nothing but arguments into a call.',
  }),
  /** The call was not written in any form that was agreed on, and was found all the same. */
  recovered: kind<{ name: string }>({
    severity: 'repair',
    message: (p) => `the call of ${p.name} stands in plain text`,
    hint: 'Write calls in the form that was described, with no other text around them.',
  }),
})
