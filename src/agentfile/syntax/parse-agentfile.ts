import type { Agentfile, Comment, Statement } from './agentfile.ts'
import { isOldStatementWord, isStatementWord, isSupervisionWord, statementKeywords } from './keywords.ts'
import { lexAgentfile } from './lex-agentfile.ts'
import { makeNames } from './make-names.ts'
import { parseStatement, type SaidStatement } from './parse-statement.ts'
import type { Report } from './report.ts'
import { describeToken, type FoundComment, type Token } from './token.ts'
import { TokenCursor, withoutTrails } from './token-cursor.ts'

export interface ParsedAgentfile {
  readonly file: Agentfile
  /** The text ends within a string. */
  readonly isCut: boolean
}

/** Reads a file as far as it goes: what is wrong is reported, and reading goes on at the next statement. */
export function parseAgentfile(source: string, report: Report): ParsedAgentfile {
  const { tokens, isCut } = lexAgentfile(source, report)
  const cursor = new TokenCursor(source, tokens, report)
  const statements: Statement[] = []
  /** For the next statement. */
  let comments: Comment[] = []

  const place = (comment: FoundComment): void => {
    const last = statements.at(-1)
    // GOAL a "…"  # why
    //             ^^^^^ belongs to the statement on its line
    if (comment.trails && last && !last.trailing && comments.length === 0)
      statements[statements.length - 1] = { ...last, trailing: withoutTrails(comment) }
    else comments.push(withoutTrails(comment))
  }

  /** What stood before was no statement either, or a string without an end. */
  let isAgain = false
  for (;;) {
    cursor.next.comments.forEach(place)
    if (cursor.isAtEnd) break
    isAgain ||= cursor.isAfterOpenString
    const first = cursor.beginStatement()
    const found: SaidStatement | 'unknown' | undefined = isStatement(first)
      ? parseStatement(cursor, first)
      : skipUnknown(cursor, first, isAgain)
    isAgain = found === 'unknown'
    comments = comments.concat(cursor.innerComments)
    if (!found || found === 'unknown') continue
    if (found.kind === 'comment') {
      comments.push(found.comment)
      continue
    }
    const { blankBefore, span } = first
    statements.push({ ...found, span: [span[0], cursor.end], comments, blankBefore } as Statement)
    comments = []
  }
  const file = { statements: makeNames(statements, report), comments, span: [0, source.length] as const }
  return { file, isCut }
}

function isStatement({ kind, text, startsLine }: Token): boolean {
  if (kind !== 'word') return false
  return isStatementWord(text) || isSupervisionWord(text) || (isOldStatementWord(text) && startsLine)
}

/** What belongs to no statement is passed over. Lines of text are one mistake, unless one is almost a statement. */
function skipUnknown(cursor: TokenCursor, first: Token, isAgain: boolean): 'unknown' {
  const { kind, text, span } = first
  if (kind === 'word' || kind === 'illegal') {
    const suggestion = cursor.report.suggest(text, statementKeywords)
    if (suggestion !== undefined || !isAgain)
      cursor.report.add('unknown_statement', { word: text, suggestion }, span)
  } else if (!isAgain)
    cursor.report.add('unexpected', { found: describeToken(first), expected: 'a statement' }, span)
  while (!cursor.isStatementOver) cursor.skip()
  return 'unknown'
}
