import { defineIssues, type Issue, kind } from '../core/issue.ts'
import { type EmbeddedPlace, embeddedPlaces } from '../section/embedded-place.ts'

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)

const fieldNames = (names: readonly string[]) => {
  const all = names.map(quoted)
  return [all.slice(0, -1).join(', '), ...all.slice(-1)].filter(Boolean).join(' and ')
}

const list = (names: readonly string[]) =>
  names.length > 0 ? `The tools are: ${names.join(', ')}.` : 'There are no tools.'

/** Everything that can be wrong with the calls of a model. The comment above a row documents its code. */
export const toolIssues = defineIssues('tool', {
  /** A call does not say which tool it calls. */
  missing_name: kind<{ field: string; tools?: readonly string[] }>({
    severity: 'error',
    message: 'the call names no tool',
    hint: (p) =>
      `Each call needs the name of a tool in the field ${quoted(p.field)}.${p.tools ? ` ${list(p.tools)}` : ''}`,
  }),
  /** There is no tool of this name. */
  unknown: kind<{ name: string; tools: readonly string[]; closest: string }>({
    severity: 'error',
    message: (p) => `there is no tool ${quoted(p.name)}`,
    hint: (p) =>
      `There is no tool ${quoted(p.name)}.${p.closest === '' ? '' : ` Did you mean ${quoted(p.closest)}?`} ${list(p.tools)}`,
  }),
  /** The arguments of a call do not fit the schema of its tool. The hint has all problems, then the fields. */
  invalid_arguments: kind<{ tool: string; problems: string[]; text: string; issues: Issue[] }>({
    severity: 'error',
    message: (p) => `the arguments of ${quoted(p.tool)} do not fit: ${p.problems.join(' ')}`,
    hint: (p) => p.text,
  }),
  /** Where a call should stand, there is something else. */
  not_a_call: kind<{ found: string; fields: readonly string[] }>({
    severity: 'error',
    message: (p) => `${p.found} is not a call`,
    hint: (p) => `Write each call as an object with the fields ${fieldNames(p.fields)}.`,
  }),
  /** The text broke off within a call. */
  cut_off: kind<{ name: string }>({
    severity: 'error',
    message: 'the text breaks off within the call',
    hint: 'The call was cut off. Write it again, to its end.',
  }),
  /** Several calls stand in the text with other text between them: which of them are meant cannot be told. */
  ambiguous: kind<{ count: number }>({
    severity: 'error',
    message: (p) => `${p.count} calls stand in the text with other text between them`,
    hint: 'It is not clear which of the calls you mean. Write all calls you want in one list, with no text between them.',
  }),
  /** A call has its name, its arguments or one of them twice: which of them is meant cannot be told. */
  duplicate_key: kind<{ key: string; other?: string }>({
    severity: 'error',
    message: (p) =>
      p.other === undefined
        ? `the key ${quoted(p.key)} stands twice in the call`
        : `the keys ${quoted(p.other)} and ${quoted(p.key)} of the call say different things`,
    hint: (p) =>
      p.other === undefined
        ? `Write the key ${quoted(p.key)} once in each call.`
        : `Write only one of the keys ${quoted(p.other)} and ${quoted(p.key)} in each call.`,
  }),
  /** More calls at once than may be. */
  too_many_calls: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `there are more than ${p.limit} calls; the rest was not read`,
    hint: (p) => `Make no more than ${p.limit} calls at once.`,
  }),
  /** The section is there, and has no calls in it. */
  no_calls: kind({
    severity: 'warning',
    message: 'there are no calls',
    hint: 'Write at least one call, or leave the section out.',
  }),
  /** A call is only shown: in inline code, in quotes, in a comment, or in a fence with words around it. It is text. */
  embedded_call: kind<{ where: EmbeddedPlace }>({
    severity: 'warning',
    message: (p) => `a call within ${embeddedPlaces[p.where]} is text, not a call`,
    hint: 'Write the calls you mean by themselves, with no text around them.',
  }),
  /** A call was written with other words than those that were asked for. */
  other_key: kind<{ key: string; meant: string }>({
    severity: 'repair',
    message: (p) => `the key ${quoted(p.key)} was taken for ${quoted(p.meant)}`,
    hint: (p) => `Write ${quoted(p.meant)} instead of ${quoted(p.key)}.`,
  }),
  /** The arguments stand beside the name of the tool instead of in `args`. */
  inline_arguments: kind<{ keys: readonly string[] }>({
    severity: 'repair',
    message: (p) => `the arguments ${p.keys.map(quoted).join(', ')} stand outside of "args"`,
    hint: 'Write the arguments into "args".',
  }),
  /** The arguments are JSON text within a string. */
  arguments_in_text: kind({
    severity: 'repair',
    message: 'the arguments were written as JSON text within a string',
    hint: 'Write arguments as an object, not as a string.',
  }),
  /** The id of a call is a number; it was written as text. */
  converted_id: kind<{ id: string }>({
    severity: 'repair',
    message: (p) => `the id ${p.id} was written as text`,
    hint: 'Write the id of a call as a string.',
  }),
  /** The calls stand in an object around them, as in `{"tool_calls": […]}`. */
  wrapped_calls: kind<{ key: string }>({
    severity: 'repair',
    message: (p) => `the calls were taken out of ${quoted(p.key)}`,
    hint: (p) => `Write the calls without ${quoted(p.key)} around them.`,
  }),
  /** Several values in a row were read as one list of calls. */
  joined_calls: kind<{ count: number }>({
    severity: 'repair',
    message: (p) => `${p.count} values in a row were read as one list of calls`,
    hint: 'Write several calls as one list.',
  }),
  /** A key of a call that means nothing. */
  ignored_key: kind<{ key: string }>({
    severity: 'repair',
    message: (p) => `the key ${quoted(p.key)} of the call was ignored`,
    hint: (p) => `Leave ${quoted(p.key)} out of the call.`,
  }),
})

/** Everything that can go wrong when a call runs. */
export const toolRunIssues = defineIssues('tool', {
  /** The tool threw. */
  failed: kind<{ name: string; problem: string }>({
    severity: 'error',
    message: (p) => `the tool ${quoted(p.name)} failed: ${p.problem}`,
    hint: (p) => p.problem,
  }),
  /** The tool took longer than it may. */
  timeout: kind<{ name: string; milliseconds: number }>({
    severity: 'error',
    message: (p) => `the tool ${quoted(p.name)} did not finish within ${p.milliseconds} ms`,
    hint: (p) => `The tool did not finish within ${p.milliseconds} ms.`,
  }),
  /** The call was cancelled before it ended; `ran`: only what comes after the tool did not end. */
  aborted: kind<{ name: string; ran: boolean }>({
    severity: 'error',
    message: (p) => `the call of ${quoted(p.name)} was cancelled${p.ran ? ' after the tool had run' : ''}`,
    hint: (p) =>
      p.ran
        ? 'The tool ran, but the call was cancelled before its result could be shown.'
        : 'The call was cancelled.',
  }),
  /** A hook threw, or gave what cannot be used. The model is told no more than whether the tool ran. */
  hook_failed: kind<{ name: string; hook: 'before' | 'after' | 'media'; problem: string; issues?: Issue[] }>({
    severity: 'error',
    message: (p) => `the ${quoted(p.hook)} hook failed for a call of ${quoted(p.name)}: ${p.problem}`,
    hint: (p) =>
      p.hook === 'before'
        ? 'The call could not be carried out, through no fault of yours. The tool did not run.'
        : 'The tool ran and did not fail, but its result cannot be shown.',
  }),
  /** The `before` hook refused the call. */
  refused: kind<{ name: string; reason: string }>({
    severity: 'error',
    message: (p) => `the call of ${quoted(p.name)} was refused: ${p.reason}`,
    hint: (p) => p.reason,
  }),
  /** The store of permissions does not grant what the call needs. */
  not_permitted: kind<{ name: string; reason: string }>({
    severity: 'error',
    message: (p) => `a call of ${quoted(p.name)} is not permitted: ${p.reason}`,
    hint: (p) => p.reason,
  }),
  /** What came of the call could not be recorded; `ran`: the tool had run by then. Otherwise it did not run. */
  unrecorded: kind<{ name: string; ran: boolean; problem: string }>({
    severity: 'error',
    message: (p) => `the call of ${quoted(p.name)} could not be recorded: ${p.problem}`,
    hint: (p) =>
      p.ran
        ? 'The tool ran, but what came of it could not be recorded.'
        : 'The call could not be recorded, so it did not run. This is no fault of yours.',
  }),
  /** What the tool gave cannot be written as text: it refers to itself, or holds a big integer. */
  unwritable_output: kind<{ name: string }>({
    severity: 'error',
    message: (p) => `the output of ${quoted(p.name)} cannot be written as text`,
    hint: 'The tool ran and did not fail, but its output cannot be shown.',
  }),
})
