import { reasoningTags } from '../../core/reasoning-tag.ts'
import { fold } from '../../json/coerce/fold.ts'
import type { Dialect, Headers, Pair } from '../dialect.ts'
import { type CallKeys, usualKeys } from './json-calls.ts'
import { Marks } from './marks.ts'
import type { Role } from './role.ts'
import { addTags, type TagGrammar, tagGrammars } from './tag-grammar.ts'

export type ReasoningMode = 'auto' | 'open' | 'none'

/** Several dialects as one: everything that may begin, separate or end something. */
export interface Grammar {
  readonly roles: ReadonlyMap<string, Role>
  /** What counts in plain text, in reasoning, where calls stand, within a body, and in a message with a header. */
  readonly inText: Marks
  readonly inReasoning: Marks
  readonly inSection: Marks
  readonly boundaries: Marks
  readonly inMessage: Marks
  /** What may stand around the arguments of a call. */
  readonly around: Marks
  readonly headers: Headers | undefined
  readonly headerEnd: Marks
  /** Arguments in pairs of tags behind a name that stands alone. */
  readonly pairs: TagGrammar | undefined
  readonly quotes: readonly string[]
  /** Calls without marks count among words too: it is the one dialect that is meant, and has no marks. */
  readonly amongWords: boolean
  /** A list of calls in Python counts without any mark. */
  readonly pythonic: boolean
  /** A line with the name of a tool begins a call. */
  readonly lines: boolean
  /** The tags of calls may be the names of tools. */
  readonly toolTags: boolean
  readonly callKeys: CallKeys
  /** There is a way to write calls. Otherwise a code block is text, whatever stands in it. */
  readonly calls: boolean
  /** Reasoning is read as such. */
  readonly reasons: boolean
  readonly reasoningHeads: readonly string[]
}

/** What stands between these is shown or quoted, and nothing that is meant. */
const quotations: readonly Pair[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<code>', '</code>'],
  ['<pre>', '</pre>'],
  ['<example>', '</example>'],
  ['<tool_response>', '</tool_response>'],
  ['<function_results>', '</function_results>'],
]

const made = new WeakMap<readonly Dialect[], Map<ReasoningMode, Grammar>>()

/** Made once for each list of rows. */
export function grammarOf(rows: readonly Dialect[], reasoning: ReasoningMode): Grammar {
  const modes = made.get(rows) ?? new Map<ReasoningMode, Grammar>()
  made.set(rows, modes)
  const grammar = modes.get(reasoning) ?? build(rows, reasoning)
  modes.set(reasoning, grammar)
  return grammar
}

function build(rows: readonly Dialect[], reasoning: ReasoningMode): Grammar {
  const roles = new RoleTable()
  const tags: TagGrammar[] = []
  for (const row of rows) {
    addPlaces(row, roles)
    if (reasoning !== 'none') addReasoning(row, roles)
    for (const kind of row.bare ?? []) {
      if (kind === 'line') continue
      roles.of('[').bare = 'list'
      if (kind === 'json') roles.of('{').bare = 'json'
    }
    if (row.form.kind !== 'tagged') continue
    for (const grammar of tagGrammars(row.form)) {
      const added = addTags(tags, grammar)
      if (added?.call) {
        const role = roles.of(added.call.lead)
        role.tags ??= []
        role.tags.push(added)
      }
      if (grammar.callClose !== '') roles.of(grammar.callClose).close = true
      for (const { open } of grammar.parameters) if (open) roles.of(open.lead).parameter = true
    }
  }
  roles.loosen(rows)
  if (reasoning !== 'none') addUsualReasoning(roles)
  roles.of('```').fence = true
  roles.of('~~~').fence = true
  for (const [open, close] of quotations) {
    roles.of(open).quotes = close
    roles.of(close).unquotes = true
  }
  const headers = rows.flatMap((row) => row.headers ?? []).reduce<Headers | undefined>(merge, undefined)
  return {
    roles: roles.byMark,
    inText: roles.select(({ separator, stray, ...one }) => Object.keys(one).length > 0),
    inReasoning: roles.select(
      (one) =>
        one.reasoningClose ||
        one.reasoningOpen ||
        one.open ||
        one.close ||
        one.tags ||
        one.header ||
        one.answer,
    ),
    inSection: roles.select(
      (one) =>
        one.open ||
        one.close ||
        one.token ||
        one.separator ||
        one.fence ||
        one.tags ||
        one.header ||
        one.stray,
    ),
    boundaries: roles.select((one) => one.open || one.close || one.token || one.header || one.stray),
    inMessage: new Marks(headers ? [headers.start, ...headers.end] : []),
    around: roles.select(
      (one) =>
        (one.close && !one.looseClose) || (one.open && !one.loose) || one.header || one.tags || one.stray,
    ),
    headers,
    headerEnd: new Marks(headers ? [headers.message] : []),
    pairs: tags.find((tag) => tag.call === undefined),
    quotes: rows.flatMap(({ form }) => (form.kind === 'brace' ? form.quote : [])),
    amongWords: rows.length === 1 && rows.some((row) => row.bare !== undefined),
    pythonic: rows.some((row) => row.form.kind === 'pythonic' && row.bare),
    lines: rows.some((row) => row.bare?.includes('line')),
    toolTags: rows.some(({ form }) => form.kind === 'tool-tag'),
    callKeys: keysOf(rows),
    calls: rows.some((row) => row.open || row.bare || row.headers || row.form.kind !== 'json'),
    reasons: reasoning !== 'none',
    reasoningHeads: rows.flatMap((row) => row.reasoningHead ?? []),
  }
}

class RoleTable {
  readonly byMark = new Map<string, Role>()

  /** Space around a mark is written, and not looked for. */
  of(mark: string): Role {
    const key = mark.trim() === '' ? mark : mark.trim()
    const known = this.byMark.get(key)
    if (known) return known
    const role: Role = {}
    this.byMark.set(key, role)
    return role
  }

  /** Marks of places for calls that only loose dialects have. */
  loosen(rows: readonly Dialect[]): void {
    const firm = rows.filter((row) => !row.loose)
    const opens = marksOf(firm, 'open')
    const closes = marksOf(firm, 'close')
    const loose = marksOf(
      rows.filter((row) => row.loose),
      'close',
    )
    for (const [mark, role] of this.byMark) {
      if (role.open && !opens.has(mark)) role.loose = true
      if (loose.has(mark) && !closes.has(mark)) role.looseClose = true
    }
  }

  select(test: (role: Role) => unknown): Marks {
    return new Marks([...this.byMark].flatMap(([mark, role]) => (test(role) ? [mark] : [])))
  }
}

function marksOf(rows: readonly Dialect[], field: 'open' | 'close'): Set<string> {
  return new Set(rows.flatMap((row) => row[field] ?? []).map((mark) => mark.trim()))
}

function addPlaces(row: Dialect, roles: RoleTable): void {
  for (const mark of row.open ?? []) {
    const role = roles.of(mark)
    role.open = true
    if (row.spaceBefore) role.spaceBefore = true
    if (row.nameBefore) role.nameBefore = true
    if (row.form.kind === 'tagged' && !row.form.call) role.pairs = true
    if (row.form.kind === 'json' && row.form.id !== undefined) role.lateId = true
    if (row.callsWhileReasoning) role.callsWhileReasoning = true
  }
  // A fence is read as such wherever it stands.
  for (const mark of row.close ?? []) if (mark.trim() !== '```') roles.of(mark).close = true
  for (const mark of row.tokens ?? []) roles.of(mark).token = true
  // Without reasoning there is no other answer than the content.
  for (const mark of (row.answer ?? []).flat()) if (mark.startsWith('<|')) roles.of(mark).token = true
  for (const mark of row.separators ?? []) roles.of(mark).separator = true
  for (const [, close] of row.reasoning ?? []) roles.of(close).stray = true
  if (!row.headers) return
  roles.of(row.headers.start).header = true
  roles.of('<|channel|>').header = true
  for (const mark of row.headers.end) if (mark !== row.headers.start) roles.of(mark).close = true
}

function addReasoning(row: Dialect, roles: RoleTable): void {
  for (const [open, close] of row.reasoning ?? []) {
    const opening = roles.of(open)
    opening.reasoningOpen = true
    if (/^[A-Z][a-z]/.test(open)) opening.prose = true
    if (open.endsWith('\n')) opening.lineBreak = true
    roles.of(close).reasoningClose = true
  }
  for (const mark of (row.answer ?? []).flat()) roles.of(mark).answer = true
}

function addUsualReasoning(roles: RoleTable): void {
  for (const tag of reasoningTags) {
    const bracketed = tag.startsWith('◁')
    roles.of(bracketed ? tag : `<${tag}>`).reasoningOpen = true
    roles.of(bracketed ? tag.replace('◁', '◁/') : `</${tag}>`).reasoningClose = true
  }
}

/** What calls are made of as JSON: the usual words, and those of the rows. */
function keysOf(rows: readonly Dialect[]): CallKeys {
  const forms = rows.flatMap(({ form }) => (form.kind === 'json' ? form : []))
  const add = (words: readonly string[], own: (string | undefined)[]) => [
    ...new Set([...own.flatMap((word) => (word === undefined ? [] : fold(word))), ...words]),
  ]
  return {
    // A row of its own comes first; among all rows, the usual words do.
    names:
      rows.length === 1
        ? add(
            usualKeys.names,
            forms.map(({ name }) => name),
          )
        : usualKeys.names,
    arguments:
      rows.length === 1
        ? add(
            usualKeys.arguments,
            forms.map((form) => form.arguments),
          )
        : usualKeys.arguments,
    ids:
      rows.length === 1
        ? add(
            usualKeys.ids,
            forms.map(({ id }) => id),
          )
        : usualKeys.ids,
    tools: forms.some(({ keyed }) => keyed),
  }
}

function merge(a: Headers | undefined, b: Headers): Headers {
  if (!a) return b
  return {
    start: a.start,
    message: a.message,
    end: [...new Set([...a.end, ...b.end])],
    reasoning: [...a.reasoning, ...b.reasoning],
    answer: [...a.answer, ...b.answer],
  }
}
