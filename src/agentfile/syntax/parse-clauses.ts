import type { Span } from '../../core/span.ts'
import type { Field, Limit, Name, Prompt, Supervision, Text } from './agentfile.ts'
import { parseFields, parseList } from './parse-type.ts'
import type { Token } from './token.ts'
import type { TokenCursor } from './token-cursor.ts'

/** What may stand behind the name of a statement, in any order. */
export interface Clauses {
  prompt?: Prompt
  outputs?: Field[]
  using?: Name[]
  requires?: Text
  within?: Limit
  supervision?: Supervision
  /** Clauses that are there, though perhaps nothing could be made of them. */
  readonly tried: Set<Clause>
  /** Where THEN stands, if it does. */
  thenSpan?: Span
}

type Clause = 'prompt' | 'outputs' | 'using' | 'requires' | 'within' | 'supervision'

/** How a clause is called in messages. */
const titles: Record<Clause, string> = {
  prompt: 'prompt',
  outputs: '->',
  using: 'USING',
  requires: 'REQUIRES',
  within: 'WITHIN',
  supervision: 'supervision',
}

/** Reads clauses up to the next statement. `statement` is the keyword, for messages. */
export function parseClauses(cursor: TokenCursor, statement: string, allowed: readonly Clause[]): Clauses {
  const clauses: Clauses = { tried: new Set() }
  while (!cursor.isStatementOver) {
    const { next } = cursor
    // RUN x USING a THEN b: an older spelling.
    if (clauses.using && /^(?:RUN|LOOP)$/.test(statement) && cursor.takeIf('THEN')) {
      clauses.thenSpan ??= next.span
      parseNames(cursor, clauses.using)
      continue
    }
    const clause = clauseOf(next)
    if (!clause) {
      // "he said "hi" to me"
      //           ^^
      const advice = '\\" for a quote within the string, or a blank behind it'
      cursor.unexpected(cursor.touchesString ? advice : expectedAfter(allowed, clauses))
      skipToClause(cursor, allowed.includes('prompt') && !clauses.prompt)
      continue
    }
    const read = readers[clause](cursor)
    clauses.tried.add(clause)
    const clauseName = titles[clause]
    const span: Span = next.kind === 'string' ? next.span : [next.span[0], Math.max(cursor.end, next.span[1])]
    if (!allowed.includes(clause))
      cursor.report.add('misplaced_clause', { statement, clause: clauseName }, span)
    else if (clauses[clause]) cursor.report.add('duplicate_clause', { statement, clause: clauseName }, span)
    else if (read) Object.assign(clauses, { [clause]: read })
  }
  return clauses
}

function clauseOf(token: Token): Clause | undefined {
  if (token.kind === 'string') return 'prompt'
  if (token.kind === 'symbol') return token.text === '->' ? 'outputs' : undefined
  if (token.kind !== 'word') return undefined
  return clauseWords.get(token.text)
}

const clauseWords = new Map<string, Clause>([
  ['FROM', 'prompt'],
  ['USING', 'using'],
  ['REQUIRES', 'requires'],
  ['WITHIN', 'within'],
  ['SUPERVISED', 'supervision'],
  ['UNSUPERVISED', 'supervision'],
])

const readers: { [C in Clause]: (cursor: TokenCursor) => Clauses[C] } = {
  prompt: readPrompt,
  outputs(cursor) {
    cursor.take()
    return parseFields(cursor)
  },
  using(cursor) {
    cursor.take()
    return parseNames(cursor, [])
  },
  requires(cursor) {
    cursor.take()
    return takeText(cursor)
  },
  within: readLimit,
  supervision: (cursor) => readSupervision(cursor, cursor.take()),
}

/** `"…"`, `FROM path` or `FROM "path"`. */
function readPrompt(cursor: TokenCursor): Prompt | undefined {
  const first = cursor.take()
  if (first.kind === 'string') return { kind: 'text', ...first.string }
  const { kind, text, span, startsLine } = cursor.next
  if (kind === 'rest' || (kind === 'string' && !startsLine)) {
    cursor.take()
    return { kind: 'file', path: text, span }
  }
  cursor.unexpected('a path')
  return undefined
}

export function parseNames(cursor: TokenCursor, names: Name[]): Name[] {
  parseList(cursor, () => {
    const name = cursor.takeName()
    if (name) names.push(name)
    return name !== undefined
  })
  return names
}

/** A string, if it is next; otherwise says that it is missing. */
function takeText(cursor: TokenCursor): Text | undefined {
  const { next } = cursor
  if (next.kind === 'string') {
    cursor.take()
    return next.string
  }
  cursor.unexpected('a string')
  skipWord(cursor)
  return undefined
}

/** REQUIRES fast: the word was meant, and is not to be complained of again. */
function skipWord(cursor: TokenCursor): void {
  const { kind, text, startsLine } = cursor.next
  const isWord = kind === 'word' ? !clauseWords.has(text) : kind === 'illegal'
  if (isWord && !startsLine && !cursor.isStatementOver) cursor.take()
}

function readLimit(cursor: TokenCursor): Limit | undefined {
  cursor.take()
  const { kind, text, span } = cursor.next
  if (kind === 'variable') {
    cursor.take()
    return { kind: 'variable', name: text.slice(1), span }
  }
  if (kind === 'number') {
    cursor.take()
    const value = Number(text)
    if (Number.isSafeInteger(value) && value >= 1) return { kind: 'number', value, span }
    cursor.report.add('invalid_limit', { value: text }, span)
    return { kind: 'number', value: 1, span }
  }
  cursor.unexpected('a number or a $variable')
  skipWord(cursor)
  return undefined
}

/** SUPERVISED was taken; HUMAN may follow. */
export function readSupervision(cursor: TokenCursor, { text, span }: Token): Supervision {
  if (text === 'UNSUPERVISED') return { mode: 'unsupervised', span }
  const human = cursor.takeIf('HUMAN')
  return human ? { mode: 'human', span: [span[0], human.span[1]] } : { mode: 'supervised', span }
}

function expectedAfter(allowed: readonly Clause[], clauses: Clauses): string {
  const open = allowed.filter((clause) => !clauses[clause])
  const listed = [
    ...open.map((clause) => (clause === 'prompt' ? 'a prompt' : titles[clause])),
    'the next statement',
  ]
  return listed.join(', ').replace(/, ([^,]*)$/, ' or $1')
}

/** Passes over what has no meaning here, up to a clause or a statement. Strings in it are text like the rest. */
function skipToClause(cursor: TokenCursor, needsPrompt: boolean): void {
  const isClause = () => (cursor.next.kind === 'string' ? needsPrompt : clauseOf(cursor.next) !== undefined)
  do cursor.skip()
  while (!cursor.isStatementOver && !isClause())
}
