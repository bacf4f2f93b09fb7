import { defineIssues, kind } from '../core/issue.ts'
import { type EmbeddedPlace, embeddedPlaces } from '../section/embedded-place.ts'
import { named } from './named.ts'

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** What can be wrong with a planning reply. The comment above a row documents its code. */
export const planIssues = defineIssues('plan', {
  /** Neither a part of a plan nor a JSON object with one stands in the reply. */
  not_found: kind({
    severity: 'error',
    message: 'no part of a plan was found in the reply',
    hint: 'Write your reply in parts that begin with "Intent:", "Plan:" and, if you need tools, "Tool Calls:".',
  }),
  /** The reply does not say what it intends, or what it plans to do. */
  missing_part: kind<{ part: string }>({
    severity: 'warning',
    message: (p) => `the part ${quoted(p.part)} is missing`,
    hint: (p) => `Write the part "${p.part}:" too.`,
  }),
  /** A part stands there more than once. Its texts were joined, its calls all taken. */
  repeated_part: kind<{ part: string }>({
    severity: 'warning',
    message: (p) => `the part ${quoted(p.part)} stands there more than once`,
    hint: (p) => `Write the part "${p.part}:" once.`,
  }),
  /** Text before the first part belongs to none; it was left out. */
  text_outside: kind({
    severity: 'repair',
    message: 'text outside of the parts was left out',
    hint: 'Write nothing before the first part.',
  }),
  /** A label or key was taken for another. */
  other_name: kind<{ found: string; meant: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.found)} was taken for ${quoted(p.meant)}`,
    hint: (p) => `Write ${quoted(p.meant)} instead of ${quoted(p.found)}.`,
  }),
  /** The reply is one JSON object instead of labelled parts. */
  json_object: kind({
    severity: 'repair',
    message: 'the plan was written as a JSON object',
    hint: 'Write the parts with labels, not as a JSON object.',
  }),
  /** Several JSON objects with the parts of a plan stand there: which is meant cannot be told. The last is given. */
  several_plans: kind<{ count: number }>({
    severity: 'error',
    message: (p) => `${p.count} objects stand there that are plans`,
    hint: 'Write one plan.',
  }),
  /** A plan is only shown: in inline code, in quotes, in a comment, or in a fence with words around it. It is text. */
  embedded_plan: kind<{ where: EmbeddedPlace }>({
    severity: 'warning',
    message: (p) => `an object that is a plan stands in ${embeddedPlaces[p.where]}; it was not taken`,
    hint: 'Write the plan by itself, with labels.',
  }),
  /** A field of the JSON object is not text; it was written as text. */
  converted_field: kind<{ field: string }>({
    severity: 'repair',
    message: (p) => `the field ${quoted(p.field)} was written as text`,
    hint: (p) => `${p.field}: write text.`,
  }),

  /** The part with the tool calls says in words that there are none. */
  no_calls_in_words: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.text)} was taken for an empty list of calls`,
    hint: 'Write [] when there are no tool calls.',
  }),
  /** The part with the tool calls holds no JSON, or JSON that is no list of calls. */
  invalid_tool_calls: kind({
    severity: 'error',
    message: 'no list of tool calls was found',
    hint: 'Write the tool calls as a JSON array: [{"callId": "1", "toolName": "…", "arguments": {…}}].',
  }),
  /** With `strict`, a call has `callId`, `toolName` and `arguments`, and perhaps a list `dependsOn`, under these names. */
  inexact_call: kind<{ number: number }>({
    severity: 'error',
    message: (p) =>
      `call ${p.number} does not have just the fields callId, toolName and arguments, and perhaps a list dependsOn`,
    hint: (p) =>
      `Tool call ${p.number}: write it with the fields "callId", "toolName" and "arguments", and "dependsOn" with a list of ids if it needs other calls.`,
  }),
  /** With `strict`, the id of a call is that of no other. */
  repeated_call_id: kind<{ number: number; callId: string }>({
    severity: 'error',
    message: (p) => `call ${p.number} has the id ${quoted(p.callId)}, which another call has`,
    hint: 'Give each tool call a callId of its own.',
  }),
  /** With `strict`, the list of calls is plain JSON, to its end, with nothing but a fence around it. */
  inexact_list: kind({
    severity: 'error',
    message: 'the list of tool calls is not plain JSON, or text stands around it',
    hint: 'Write the tool calls as plain JSON, to the end of the array, and nothing else.',
  }),
  /** With `strict`, one call that is not usable makes the whole list unusable. */
  rejected_list: kind<{ count: number }>({
    severity: 'error',
    message: (p) => `the whole list was rejected: ${p.count} of its calls are not usable`,
    hint: 'Write the whole list of tool calls again.',
  }),
  /** One call was read as a list of one. */
  single_call: kind({
    severity: 'repair',
    message: 'one call was read as a list of one',
    hint: 'Write tool calls as a JSON array, even if there is only one.',
  }),
  /** A call has no id of its own; one was made. */
  generated_call_id: kind<{ number: number; callId: string }>({
    severity: 'repair',
    message: (p) => `call ${p.number} got the id ${p.callId}`,
    hint: 'Give each tool call a callId of its own.',
  }),
  /** A call has no arguments; an empty object was taken. */
  no_arguments: kind<{ number: number }>({
    severity: 'repair',
    message: (p) => `call ${p.number} has no arguments; an empty object was taken`,
    hint: 'Write "arguments": {} when there are none.',
  }),

  /** What a call depends on is not written as a list of ids. */
  converted_dependencies: kind<{ number: number }>({
    severity: 'repair',
    message: (p) => `what call ${p.number} depends on was read as a list`,
    hint: 'Write "dependsOn" as a list of ids, as in ["1"], or leave it out.',
  }),
  /** No call has an id, and some refer to others by their number in the list: the numbers became the ids. */
  numbered_calls: kind({
    severity: 'repair',
    message: 'the calls have no ids; their numbers, from 1 on, were taken',
    hint: 'Give each tool call a callId of its own.',
  }),
  /** A call depends on one that the plan does not have, or that is not usable. It will not run. */
  unknown_dependency: kind<{ call: string; unknown: string[] }>({
    severity: 'error',
    message: (p) => `the call ${quoted(p.call)} depends on ${named(p.unknown)}, which the plan does not have`,
    hint: (p) =>
      `Tool call ${quoted(p.call)}: in "dependsOn", write only callIds of this plan. It does not have ${named(p.unknown)}.`,
  }),
  /** Arguments use the result of a call that the plan does not have, or that is not usable. */
  unknown_reference: kind<{ call: string; reference: string }>({
    severity: 'error',
    message: (p) => `the call ${quoted(p.call)} uses ${quoted(p.reference)}, which is the result of no call`,
    hint: (p) =>
      `Tool call ${quoted(p.call)}: ${quoted(p.reference)} names no callId of this plan. If it is meant as text, write a backslash before it.`,
  }),
  /** A reference stands in the arguments without quotes, so that they are not JSON and something of them is lost. */
  unquoted_reference: kind<{ number: number }>({
    severity: 'error',
    message: (p) => `a reference in the arguments of call ${p.number} has no quotes around it`,
    hint: 'Write references in quotes: "{{1}}".',
  }),
  /** Calls wait for each other, or one for itself. None of them will run. */
  cycle: kind<{ ids: string[] }>({
    severity: 'error',
    message: (p) =>
      p.ids.length === 1
        ? `the call ${named(p.ids)} depends on itself`
        : `the calls ${named(p.ids)} depend on each other in a circle`,
    hint: (p) =>
      p.ids.length === 1
        ? `Tool call ${named(p.ids)} must not depend on itself.`
        : `Tool calls ${named(p.ids)} must not depend on each other in a circle.`,
  }),
  /** Arguments use a part of a result that is not there. */
  missing_result: kind<{ call: string; reference: string; has: string }>({
    severity: 'error',
    message: (p) => `the call ${quoted(p.call)} uses ${quoted(p.reference)}, which is not there: ${p.has}`,
    hint: (p) => `Tool call ${quoted(p.call)}: ${quoted(p.reference)} is not there: ${p.has}.`,
  }),
  /** With the results that they use, arguments would be too large or too deep, or hold what cannot be written. */
  too_large_arguments: kind<{ call: string }>({
    severity: 'error',
    message: (p) =>
      `the arguments of the call ${quoted(p.call)} are too large or too deep with the results in them`,
    hint: (p) => `Tool call ${quoted(p.call)}: the results that it uses are too large. Use a part of them.`,
  }),

  /** The synthesis had reasoning in it, which is not for the user. The place is that of the first. */
  dropped_reasoning: kind<{ count: number }>({
    severity: 'repair',
    message: (p) => (p.count === 1 ? 'reasoning was left out' : `reasoning was left out, ${p.count} times`),
    hint: 'Write your answer without your reasoning.',
  }),
  /** The synthesis stood in a code fence, which was asked to be taken away. */
  unwrapped_fence: kind({
    severity: 'repair',
    message: 'the synthesis was taken out of a code fence',
    hint: 'Write your answer without a code fence around it.',
  }),
  /** The synthesis began with a label, which was asked to be dropped. */
  dropped_label: kind<{ label: string }>({
    severity: 'repair',
    message: (p) => `the label ${quoted(p.label)} was left out`,
    hint: (p) => `Write your answer without ${quoted(p.label)} before it.`,
  }),
  /** The synthesis is empty. */
  empty_synthesis: kind({
    severity: 'warning',
    message: 'the synthesis is empty',
    hint: 'Write your answer.',
  }),
  /** There were more issues than `maxIssues`; the rest are counted here. */
  more_issues: kind<{ count: number }>({
    severity: 'warning',
    message: (p) => `${p.count} more issues are not listed`,
  }),
})
