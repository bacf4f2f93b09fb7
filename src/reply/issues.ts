import { defineIssues, kind } from '../core/issue.ts'
import type { Span } from '../core/span.ts'

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Where an action stands that is not at the top level of a reply. */
export type EmbeddedWhere =
  | 'fence'
  | 'code'
  | 'quotes'
  | 'blockquote'
  | 'comment'
  | 'indented'
  | 'list'
  | 'inline'
  | 'prose'
  | 'brackets'
  | 'value'
  | 'string'
  | 'reasoning'
  | 'text'

const places: Record<EmbeddedWhere, string> = {
  fence: 'in a code fence with other text around it',
  code: 'in inline code',
  quotes: 'in quotes',
  blockquote: 'in a block quote',
  comment: 'in a comment',
  indented: 'in indented code',
  list: 'in a list',
  inline: 'behind other text on the same line',
  prose: 'in the middle of the text',
  brackets: 'behind a bracket that was not closed',
  value: 'within another JSON value',
  string: 'within a string',
  reasoning: 'within the reasoning',
  text: 'in the text, in a form that is no JSON',
}

/** Why it is not clear which action is meant. */
export type AmbiguousReason =
  | 'several_actions'
  | 'text_after'
  | 'action_and_error'
  | 'several_errors'
  | 'listed'
  | 'duplicate_key'
  | 'two_forms'

const doubts: Record<AmbiguousReason, readonly [message: string, hint: string]> = {
  several_actions: [
    'several actions stand in the reply; none was taken',
    'Write exactly one action per reply, and wait for its result.',
  ],
  text_after: [
    'text follows the action; it may be an example, and was not taken',
    'To call a tool, end the reply with the action object: write nothing after it. To show an example, put it in a code fence.',
  ],
  action_and_error: [
    'an action and an error stand in the same reply; neither was taken',
    'Write either one action or one error, not both.',
  ],
  several_errors: ['several errors stand in the reply', 'Write exactly one error object.'],
  listed: [
    'the action stands in a list; it was not taken',
    'Write exactly one action object per reply, without a list around it.',
  ],
  duplicate_key: [
    'a key of the action is written twice; it was not taken',
    'Write each key of the action object once.',
  ],
  two_forms: [
    'the action names its tool in two ways; it was not taken',
    'Name the tool once: {"type": "action", "tool": …, "args": {…}}.',
  ],
}

/** What can be wrong with a reply, beside its JSON and its arguments. The comment above a row documents its code. */
export const replyIssues = defineIssues('reply', {
  /** There is no reply: nothing, or reasoning only, or a text object without text. */
  empty: kind({
    severity: 'error',
    message: 'the reply is empty',
    hint: 'Your reply was empty. Write an answer, an action or an error.',
  }),
  /** The stream broke off: whoever read it said so. Whatever stands there, it is not the whole reply. */
  cut_off: kind({
    severity: 'error',
    message: 'the stream broke off before the reply was complete',
    hint: 'Your reply broke off. Write it again from the beginning, and keep it short.',
  }),
  /** The reply is longer than `maxLength`; what lies beyond was not read. */
  too_long: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the reply is longer than ${p.limit} characters; the rest was not read`,
    hint: 'Write a much shorter reply.',
  }),
  /** The reply ends within an action, or within an object or fence that may have become one. */
  truncated: kind({
    severity: 'error',
    message: 'the reply ends before its JSON object does',
    hint: 'Your reply broke off within a JSON object. Write the whole object again.',
  }),
  /** The reply ends within the model's reasoning. */
  unclosed_reasoning: kind({
    severity: 'error',
    message: 'the reasoning has no end; there is no reply',
    hint: 'You only wrote your reasoning. End it, then write your reply.',
  }),
  /** A JSON value in a text is not closed: the text was probably cut off. */
  unclosed_value: kind({
    severity: 'warning',
    message: 'a JSON value is not closed; the text was probably cut off',
    hint: 'Close every JSON value that you write.',
  }),
  /** It is not clear which action is meant, or whether one is meant at all; none is taken. */
  ambiguous: kind<{ reason: AmbiguousReason; count: number; spans: readonly Span[] }>({
    severity: 'error',
    message: (p) => doubts[p.reason]?.[0] ?? `the reply is ambiguous: ${p.reason}`,
    hint: (p) => doubts[p.reason]?.[1] ?? 'Write one action at the end of the reply, or none.',
  }),
  /** An action that does not stand at the top level. It is text: an example, a quotation, a thought. */
  embedded_action: kind<{ where: EmbeddedWhere; last: boolean }>({
    severity: 'warning',
    message: (p) => `an action stands ${places[p.where] ?? p.where}; it is text, and was not taken`,
    hint: 'If you meant to call a tool, end your reply with the plain action object on its own line, without a fence, quotes or anything else around it.',
  }),
  /** The action follows a text that is written as an object on the same line. After plain words it is text. */
  inline_action: kind({
    severity: 'warning',
    message: 'the action follows text on the same line',
    hint: 'Write the action object on a line of its own.',
  }),
  /** The JSON of an action is damaged so that something of it may be lost; it is not taken. */
  damaged_action: kind({
    severity: 'error',
    message: 'the JSON of the action is damaged, and something of it may be lost',
    hint: 'Write the action again as valid, complete JSON.',
  }),
  /** The reply ends with an object, a list or a tag that asks for a tool, but does not say `"type": "action"`; it is not taken. */
  untyped_action: kind<{ name: string }>({
    severity: 'error',
    message: (p) => `the reply asks for the tool ${quoted(p.name)} but does not say "type": "action"`,
    hint: 'To call a tool, write "type": "action" in the object, {"type": "action", "tool": …, "args": {…}}, and nothing around it: no list, no tag.',
  }),
  /** The whole reply is one fenced object, which was taken out of its fence, closed or not. */
  fenced_reply: kind({
    severity: 'repair',
    message: 'the whole reply stands in a code fence',
    hint: 'Write the object without a code fence.',
  }),
  /** Brackets that close nothing, or the end of a fence, stand behind an object that is the whole reply. */
  stray_end: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.text)} follows the object and was left out`,
    hint: 'Write nothing after the object.',
  }),
  /** The text of the reply was written as an object: `{"type": "text", "text": …}`. */
  wrapped_text: kind({
    severity: 'repair',
    message: 'the text was written as a JSON object, and was taken out of it',
    hint: 'Write text as it is, without JSON around it.',
  }),
  /** The whole reply is an object of a type that is neither action nor error nor text: it is text. */
  unknown_type: kind<{ type: string }>({
    severity: 'warning',
    message: (p) => `${quoted(p.type)} is no type of reply; the object was taken for text`,
    hint: 'Reply with plain text, with {"type": "action", …} or with {"type": "error", …}.',
  }),
  /** An error of the model lacks its code or its message. */
  incomplete_error: kind<{ missing: 'code' | 'message' }>({
    severity: 'repair',
    message: (p) => `the error has no ${p.missing}`,
    hint: (p) => `Write a ${p.missing} into the error.`,
  }),
  /** Text follows an error of the model. */
  text_after_error: kind({
    severity: 'repair',
    message: 'text follows the error',
    hint: 'Write nothing after the error object.',
  }),
  /** There were more issues than `maxIssues`; the rest are counted here. */
  more_issues: kind<{ count: number }>({
    severity: 'warning',
    message: (p) => `${p.count} more issues are not listed`,
  }),
})
