import type {
  Comment,
  InputStatement,
  Limit,
  Name,
  Prompt,
  RunStatement,
  SecurityStatement,
  Statement,
  Value,
} from './agentfile.ts'
import { formatValue } from './format-value.ts'
import { isSupervisionWord } from './keywords.ts'
import { type Clauses, parseClauses, parseNames, readSupervision } from './parse-clauses.ts'
import { parseType } from './parse-type.ts'
import { parseValue } from './parse-value.ts'
import type { Token } from './token.ts'
import type { TokenCursor } from './token-cursor.ts'

type Surroundings = 'span' | 'comments' | 'trailing' | 'blankBefore'
type Said<S> = S extends Statement ? Omit<S, Surroundings> : never

/** What a statement says. Some old ones say nothing: they are comments. */
export type SaidStatement = Said<Statement> | { readonly kind: 'comment'; readonly comment: Comment }

/** Reads the statement whose keyword was taken, up to the next. Undefined if nothing can be made of it. */
export function parseStatement(cursor: TokenCursor, keyword: Token): SaidStatement | undefined {
  const { text } = keyword
  if (isSupervisionWord(text)) return parseSupervision(cursor, keyword)
  if (text === 'NAME' || text === 'WORKFLOW') return parseName(cursor, keyword)
  if (text === 'INPUT') return parseInput(cursor)
  if (text === 'AGENT') return parseAgent(cursor, keyword)
  if (text === 'GOAL' || text === 'CONVERGE') return parseGoal(cursor, keyword)
  if (text === 'RUN' || text === 'LOOP') return parseRun(cursor, keyword)
  if (text === 'SECURITY') return parseSecurity(cursor)
  return parseVersion(cursor, keyword)
}

function parseSupervision(cursor: TokenCursor, keyword: Token): SaidStatement {
  const supervision = readSupervision(cursor, keyword)
  parseClauses(cursor, keyword.text, [])
  return { kind: 'supervision', supervision }
}

function parseName(cursor: TokenCursor, keyword: Token): SaidStatement | undefined {
  const name = takeNameOrString(cursor)
  parseClauses(cursor, keyword.text, [])
  if (!name) return undefined
  if (keyword.text === 'WORKFLOW') cursor.report.add('old_workflow', { name: name.text }, keyword.span)
  return { kind: 'name', name }
}

/** NAME "demo" is a name in quotes: wrong, and clear. */
function takeNameOrString(cursor: TokenCursor): Name | undefined {
  const { kind, text, span, startsLine } = cursor.next
  if (kind !== 'string' || startsLine) return cursor.takeName()
  cursor.take()
  cursor.report.add('invalid_name', { name: text }, span)
  return { text, span }
}

/** `INPUT x`, `INPUT x integer`, `INPUT x DEFAULT 1`; older: `INPUT x="v"`, `INPUT x "v"`. */
function parseInput(cursor: TokenCursor): SaidStatement | undefined {
  const name = takeNameOrString(cursor)
  const input: { -readonly [K in keyof Said<InputStatement>]?: Said<InputStatement>[K] } = { kind: 'input' }
  const giveDefault = (value: Value | undefined): void => {
    if (input.default && value)
      cursor.report.add('duplicate_clause', { statement: 'INPUT', clause: 'DEFAULT' }, value.span)
    else if (value) input.default = value
  }
  while (!cursor.isStatementOver) {
    const { kind, text, span, startsLine } = cursor.next
    if (cursor.takeIf('DEFAULT')) giveDefault(parseValue(cursor))
    else if (cursor.isNext('=') || (kind === 'string' && !startsLine)) {
      cursor.takeIf('=')
      const value = parseValue(cursor)
      if (value && name)
        cursor.report.add('old_default', { name: name.text, value: formatValue(value.value) }, [
          span[0],
          value.span[1],
        ])
      giveDefault(value)
    } else if (!input.type && ((kind === 'word' && !startsLine) || cursor.isNext('{'))) {
      const type = parseType(cursor)
      if (type) input.type = type
    } else {
      const expected = cursor.isNext(':')
        ? 'a type, without a colon'
        : 'a type, DEFAULT or the next statement'
      cursor.report.add(
        'unexpected',
        { found: kind === 'string' ? 'a string' : JSON.stringify(text), expected },
        span,
      )
      if (cursor.takeIf(':')) continue
      // Of the rest of the line nothing is known.
      do cursor.skip()
      while (!cursor.isStatementOver && !cursor.next.startsLine && !cursor.isNext('DEFAULT'))
      if (cursor.next.startsLine) break
    }
  }
  return name && ({ ...input, name } as Said<InputStatement>)
}

function parseAgent(cursor: TokenCursor, keyword: Token): SaidStatement | undefined {
  const name = cursor.takeName()
  const clauses = parseClauses(cursor, 'AGENT', ['prompt', 'outputs', 'requires', 'supervision'])
  if (!name) return undefined
  const { outputs = [], requires, supervision } = clauses
  const prompt = promptOf(cursor, keyword, clauses)
  return {
    kind: 'agent',
    name,
    prompt,
    outputs,
    ...(requires && { requires }),
    ...(supervision && { supervision }),
  }
}

function parseGoal(cursor: TokenCursor, keyword: Token): SaidStatement | undefined {
  const isConverge = keyword.text === 'CONVERGE'
  // GOAL "Answer the question"
  //      ^ the name is missing: one is made later
  const name = cursor.next.kind === 'string' ? { text: '', span: keyword.span } : cursor.takeName()
  const clauses = parseClauses(cursor, keyword.text, [
    'prompt',
    'outputs',
    'using',
    ...(isConverge ? (['within'] as const) : []),
    'supervision',
  ])
  if (!name) return undefined
  const { outputs = [], using = [], within, supervision, tried } = clauses
  const prompt = promptOf(cursor, keyword, clauses)
  const said = { name, prompt, outputs, using, ...(supervision && { supervision }) }
  if (!isConverge) return { kind: 'goal', ...said }
  if (!tried.has('within'))
    cursor.report.add('missing_clause', { statement: 'CONVERGE', clause: 'WITHIN' }, keyword.span)
  return { kind: 'converge', ...said, within: within ?? { kind: 'number', value: 1, span: cursor.here } }
}

/** The prompt; an empty one where it is missing, which is said. */
function promptOf(cursor: TokenCursor, keyword: Token, { prompt, tried }: Clauses): Prompt {
  if (prompt) return prompt
  if (!tried.has('prompt'))
    cursor.report.add('missing_clause', { statement: keyword.text, clause: 'a prompt or FROM' }, keyword.span)
  return { kind: 'text', text: '', raw: false, span: cursor.here, offsets: [[0, cursor.end]] }
}

/** `RUN x USING a, b`; older: `RUN a THEN b`, `LOOP x USING a, b WITHIN 3`. */
function parseRun(cursor: TokenCursor, keyword: Token): SaidStatement | undefined {
  const isLoop = keyword.text === 'LOOP'
  const name = cursor.takeName()
  const goals = name && !cursor.next.startsLine && parseOldGoals(cursor, name)
  const {
    using = goals || [],
    thenSpan,
    within,
    supervision,
    tried,
  } = parseClauses(cursor, keyword.text, ['using', 'within', 'supervision'])
  if (!name) return undefined
  const { report } = cursor
  const goalNames = using.map(({ text }) => text)
  if (isLoop)
    report.add('old_loop', { name: name.text, goals: goalNames, within: limitText(within) }, keyword.span)
  if (isLoop && !tried.has('within'))
    report.add('missing_clause', { statement: 'LOOP', clause: 'WITHIN' }, keyword.span)
  if (using.length === 0 && !tried.has('using'))
    report.add('missing_clause', { statement: keyword.text, clause: 'USING' }, keyword.span)
  if (thenSpan) report.add('old_then', { name: name.text, goals: goalNames }, thenSpan)
  const runName: Name = goals ? { text: '', span: keyword.span } : name
  const said: Said<RunStatement> = { kind: 'run', name: runName, using }
  return { ...said, ...(within && { within }), ...(supervision && { supervision }) }
}

function limitText(limit: Limit | undefined): string {
  return limit?.kind === 'variable' ? `$${limit.name}` : String(limit?.value ?? '…')
}

/** Goals without USING, with THEN between them: `a THEN b`, `a, b THEN c`. */
function parseOldGoals(cursor: TokenCursor, first: Name): Name[] | undefined {
  if (!cursor.isNext('THEN') && !cursor.isNext(',')) return undefined
  const goals = [first]
  while (cursor.takeIf('THEN') ?? cursor.takeIf(',')) parseNames(cursor, goals)
  return goals
}

function parseSecurity(cursor: TokenCursor): SaidStatement | undefined {
  const mode = cursor.takeName('a security mode')
  const { next } = cursor
  const scope = next.kind === 'string' ? next.string : undefined
  if (scope) cursor.take()
  parseClauses(cursor, 'SECURITY', [])
  const said: Said<SecurityStatement> | undefined = mode && { kind: 'security', mode }
  return said && (scope ? { ...said, scope } : said)
}

/** A version has no effect. It is kept as a comment. */
function parseVersion(cursor: TokenCursor, keyword: Token): SaidStatement | undefined {
  const { kind, text, startsLine } = cursor.next
  const version =
    /^(?:rest|string|word|number)$/.test(kind) && !startsLine ? text.replace(/\s+/g, ' ').trim() : ''
  if (version) cursor.take()
  else cursor.unexpected('a version')
  parseClauses(cursor, 'VERSION', [])
  const span = [keyword.span[0], cursor.end] as const
  cursor.report.add('old_version', { version }, span)
  const comment = { text: ` version ${version}`, blankBefore: keyword.blankBefore, span }
  return version ? { kind: 'comment', comment } : undefined
}
