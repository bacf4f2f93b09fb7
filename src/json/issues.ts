import { defineIssues, kind, type ParamsOf } from '../core/issue.ts'

const quoted = (text: string) =>
  text.length < 40 && /^[\w ]*$/.test(text)
    ? `"${text}"`
    : JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text)

/** Everything that can be wrong with JSON in model text. The comment above a row documents its code. */
export const jsonIssues = defineIssues('json', {
  /** No JSON value stands anywhere in the text. */
  not_found: kind({
    severity: 'error',
    message: 'no JSON value was found in the text',
    hint: 'Reply with the JSON value itself.',
  }),
  /** The text is longer than `maxLength`; what lies beyond was not read. */
  too_long: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the text is longer than ${p.limit} characters; the rest was not read`,
    hint: 'Write a much shorter reply.',
  }),
  /** Containers are nested deeper than `maxDepth`; what lies deeper was not read. */
  too_deep: kind<{ limit: number }>({
    severity: 'error',
    message: (p) => `the value is nested deeper than ${p.limit} levels`,
    hint: 'Nest the value less deeply.',
  }),
  /** More values were found in the text than `maxCandidates`; only the last ones were weighed. */
  too_many_candidates: kind<{ limit: number }>({
    severity: 'warning',
    message: (p) => `more than ${p.limit} values stand in the text; the earliest were not weighed`,
    hint: 'Write the JSON value once.',
  }),
  /** There were more issues than `maxIssues`; the rest are counted here. */
  more_issues: kind<{ count: number }>({
    severity: 'warning',
    message: (p) => `${p.count} more issues are not listed`,
  }),
  /** Several values of equal quality stand in the text; the last one was used. */
  several_values: kind<{ count: number }>({
    severity: 'warning',
    message: (p) => `${p.count} values stand in the text; the last one was used`,
    hint: 'Write the JSON value once.',
  }),
  /** The only value stands within the model's reasoning. */
  inside_reasoning: kind({
    severity: 'warning',
    message: 'the value stands within the reasoning of the model',
    hint: 'Write the JSON value after your reasoning.',
  }),
  /** Text stands around the value: prose, or a fence. */
  surrounded: kind<{ by: 'prose' | 'fence' }>({
    severity: 'repair',
    message: (p) => (p.by === 'fence' ? 'the value stands in a code fence' : 'text stands around the value'),
    hint: 'Write the JSON value and nothing else.',
  }),
  /** Several values in a row were read as the elements of the expected list. */
  joined_values: kind<{ count: number }>({
    severity: 'repair',
    message: (p) => `${p.count} values in a row were read as one list`,
    hint: 'Write one JSON array.',
  }),

  /** A string has no closing quote. */
  unclosed_string: kind({
    severity: 'repair',
    message: 'the string has no closing quote',
    hint: 'Close every string with a quote.',
  }),
  /** An object has no closing brace. */
  unclosed_object: kind({
    severity: 'repair',
    message: 'the object has no closing brace',
    hint: 'Close every object with }.',
  }),
  /** An array has no closing bracket. */
  unclosed_array: kind({
    severity: 'repair',
    message: 'the array has no closing bracket',
    hint: 'Close every array with ].',
  }),
  /** A comment has no end. */
  unclosed_comment: kind({
    severity: 'repair',
    message: 'the comment has no end',
    hint: 'Write no comments.',
  }),
  /** A number, or a word such as `true`, is the last thing in a text that was cut off: it may lack its end. */
  cut_off: kind<{ text: string }>({
    severity: 'warning',
    message: (p) => `the text ends at ${quoted(p.text)}, which may lack its end`,
    hint: 'Write the value to its end.',
  }),
  /** A key has no value. */
  missing_value: kind<{ key: string }>({
    severity: 'warning',
    message: (p) => `the key ${quoted(p.key)} has no value`,
    hint: (p) => `Write a value for ${quoted(p.key)}.`,
  }),
  /** A closing bracket closes nothing. */
  stray_closer: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${p.text} closes nothing`,
    hint: 'Balance brackets and braces.',
  }),
  /** A comma stands where no value follows. */
  extra_comma: kind({
    severity: 'repair',
    message: 'a comma with no value after it',
    hint: 'Write no comma before a closing bracket.',
  }),
  /** A comma is missing between two values. */
  missing_comma: kind({
    severity: 'repair',
    message: 'a comma is missing',
    hint: 'Separate values with commas.',
  }),
  /** A colon is missing, or written as `=` or `=>`. */
  missing_colon: kind({
    severity: 'repair',
    message: 'a colon is missing between key and value',
    hint: 'Write a colon between key and value.',
  }),
  /** Quotes other than `"` enclose a string. */
  wrong_quotes: kind<{ quote: string }>({
    severity: 'repair',
    message: (p) => `the string is written with ${p.quote}`,
    hint: 'Write strings with double quotes.',
  }),
  /** The quotes of a string are escaped, as in JSON within JSON. */
  escaped_quotes: kind({
    severity: 'repair',
    message: 'the quotes of the string are escaped',
    hint: 'Do not escape the quotes that enclose a string.',
  }),
  /** A quote within a string is not escaped. */
  unescaped_quote: kind({
    severity: 'repair',
    message: 'a quote within a string is not escaped',
    hint: 'Escape quotes within strings as \\".',
  }),
  /** A line break or control character within a string is not escaped. */
  unescaped_control: kind<{ code: number }>({
    severity: 'repair',
    message: (p) =>
      p.code === 10 ? 'a line break within a string is not escaped' : 'a control character is not escaped',
    hint: 'Escape line breaks within strings as \\n.',
  }),
  /** An escape that JSON does not have: read as other languages read it, or kept as it stands. */
  invalid_escape: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${p.text} is not an escape of JSON`,
    hint: 'Escape a backslash as \\\\.',
  }),
  /** A key has no quotes. */
  unquoted_key: kind<{ key: string }>({
    severity: 'repair',
    message: (p) => `the key ${quoted(p.key)} has no quotes`,
    hint: 'Write keys in double quotes.',
  }),
  /** Text has no quotes. */
  unquoted_text: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `the text ${quoted(p.text)} has no quotes`,
    hint: 'Write text in double quotes.',
  }),
  /** A word of another language, such as `True`, `None` or `NaN`. */
  foreign_word: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${p.text} is not JSON`,
    hint: 'Write true, false and null.',
  }),
  /** A number that is not written as JSON writes numbers: `+1`, `.5`, `1_000`. */
  loose_number: kind<{ text: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.text)} is not how JSON writes a number`,
    hint: 'Write numbers plainly, as in 1000 or 0.5.',
  }),
  /** A comment. */
  comment: kind({
    severity: 'repair',
    message: 'a comment within JSON',
    hint: 'Write no comments.',
  }),
  /** An ellipsis: the model left something out. */
  ellipsis: kind({
    severity: 'warning',
    message: 'an ellipsis: something was left out here',
    hint: 'Write everything out; leave nothing out with "...".',
  }),
  /** Strings joined with `+`. */
  joined_strings: kind({
    severity: 'repair',
    message: 'strings joined with +',
    hint: 'Write one string instead of joining several with +.',
  }),
  /** Characters within the value that belong to nothing; they were skipped. */
  unexpected_text: kind<{ text: string }>({
    severity: 'warning',
    message: (p) => `${quoted(p.text)} does not belong here and was skipped`,
    hint: 'Write nothing but JSON within the value.',
  }),

  /** A required field is missing. */
  missing_field: kind<{ field: string; expected: string }>({
    severity: 'error',
    message: (p) => `the field ${quoted(p.field)} is missing; expected ${p.expected}`,
    hint: (p) => `${p.field}: missing; write ${p.expected}.`,
  }),
  /** A value is of a type that cannot be read as the expected one. */
  wrong_type: kind<{ field: string; expected: string; found: string }>({
    severity: 'error',
    message: (p) => `expected ${p.expected}, got ${p.found}`,
    hint: (p) => `${p.field}: expected ${p.expected}, got ${p.found}.`,
  }),
  /** Two members of an enum, or two variants of a union, fit a text equally well. */
  ambiguous: kind<{ field: string; found: string; between: readonly string[] }>({
    severity: 'error',
    message: (p) => `${p.found} could be any of ${p.between.join(', ')}`,
    hint: (p) => `${p.field}: write exactly one of ${p.between.join(', ')}.`,
  }),
  /** A field is missing or null: the schema's default was used, or null, or it was left out. */
  used_default: kind<{ field: string; instead: string; value: string }>({
    severity: 'repair',
    message: (p) => `${quoted(p.field)}: ${p.value}${p.instead ? ` instead of ${p.instead}` : ' was used'}`,
  }),
  /** A key that the schema does not know was dropped. */
  extra_key: kind<{ field: string; key: string }>({
    severity: 'repair',
    message: (p) => `the schema has no field ${quoted(p.key)}; it was dropped`,
    hint: (p) => `${p.field}: leave this key out.`,
  }),
  /** A key was taken for a field of nearly the same name, or for one with this alias. */
  renamed_key: kind<{ key: string; field: string }>({
    severity: 'repair',
    message: (p) => `the key ${quoted(p.key)} was taken for ${quoted(p.field)}`,
    hint: (p) => `Write ${quoted(p.field)} instead of ${quoted(p.key)}.`,
  }),
  /** An element of a list that could not be read was dropped. */
  dropped_element: kind<{ field: string; found: string }>({
    severity: 'warning',
    message: (p) => `an element was dropped: ${p.found}`,
    hint: (p) => `${p.field}: leave this element out.`,
  }),
  /** A value of another type was converted: text to number, number to text, and so on. */
  converted: kind<{ field: string; from: string; to: string; value: string }>({
    severity: 'repair',
    message: (p) => `${p.from} was read as ${p.to}: ${p.value}`,
    hint: (p) => `${p.field}: write ${p.to}, not ${p.from}.`,
  }),
  /** A number with a fraction was rounded for an integer field. */
  rounded: kind<{ field: string; from: string; to: string }>({
    severity: 'repair',
    message: (p) => `${p.from} was rounded to ${p.to}`,
    hint: (p) => `${p.field}: write a whole number.`,
  }),
  /** An integer is too large for a JavaScript number: digits are lost. */
  lost_digits: kind<{ field: string; text: string }>({
    severity: 'warning',
    message: (p) => `${p.text} is too large for a number: digits are lost`,
    hint: (p) => `${p.field}: write this number as a string.`,
  }),
  /** A text was matched to an enum member or literal although it is not written exactly so. */
  matched: kind<{ field: string; found: string; to: string; how: 'folded' | 'alias' | 'word' | 'typo' }>({
    severity: 'repair',
    message: (p) => `${p.found} was taken for ${p.to}`,
    hint: (p) => `${p.field}: write exactly ${p.to}.`,
  }),
  /** One value was taken for a list of one. */
  single_to_list: kind<{ field: string }>({
    severity: 'repair',
    message: 'one value was read as a list of one',
    hint: (p) => `${p.field}: write a list, even for one value.`,
  }),
  /** A list was given for one value; its best element was taken. */
  list_to_single: kind<{ field: string; count: number }>({
    severity: 'repair',
    message: (p) => `one of ${p.count} list elements was taken`,
    hint: (p) => `${p.field}: write one value, not a list.`,
  }),
  /** A value was taken for the only field of the expected object. */
  implied_key: kind<{ field: string; key: string }>({
    severity: 'repair',
    message: (p) => `the value was taken for the field ${quoted(p.key)}`,
    hint: (p) => `${p.field}: write an object with the field ${quoted(p.key)}.`,
  }),
  /** The value was unwrapped: it stood alone in an object around it. */
  unwrapped: kind<{ field: string; key: string }>({
    severity: 'repair',
    message: (p) => `the value was taken out of ${quoted(p.key)}`,
    hint: (p) => `${p.field}: write the value without ${quoted(p.key)} around it.`,
  }),
  /** A string held the expected value as JSON text. */
  nested_json: kind<{ field: string }>({
    severity: 'repair',
    message: 'the value was written as JSON text within a string',
    hint: (p) => `${p.field}: write the value itself, not a string that holds it.`,
  }),
})

export type JsonIssueParams = ParamsOf<typeof jsonIssues>

export type JsonIssueCode = `json.${keyof JsonIssueParams & string}`
