/** Words that begin a statement, wherever they stand. */
const statements = ['NAME', 'INPUT', 'AGENT', 'GOAL', 'CONVERGE', 'RUN', 'SECURITY']
/** They begin a statement too, but only at the start of a line: elsewhere they are names like others. */
const oldStatements = ['LOOP', 'WORKFLOW', 'VERSION']
/** They begin a statement, or a clause. */
const supervisions = ['SUPERVISED', 'UNSUPERVISED']
const clauses = ['FROM', 'USING', 'REQUIRES', 'WITHIN', 'DEFAULT', 'HUMAN', 'THEN']

const statementWords: ReadonlySet<string> = new Set(statements)
const oldWords: ReadonlySet<string> = new Set(oldStatements)
const supervisionWords: ReadonlySet<string> = new Set(supervisions)
const reservedWords: ReadonlySet<string> = new Set([...statements, ...supervisions, ...clauses])

/** All words that may begin a statement: for suggestions. */
export const statementKeywords: readonly string[] = [...statements, ...supervisions, ...oldStatements]

export const isStatementWord = (word: string): boolean => statementWords.has(word)
export const isOldStatementWord = (word: string): boolean => oldWords.has(word)
export const isSupervisionWord = (word: string): boolean => supervisionWords.has(word)
/** Whether a word cannot be a name. */
export const isReservedWord = (word: string): boolean => reservedWords.has(word)

const name = '[A-Za-z_][A-Za-z0-9_-]*'
const statementLine = new RegExp(
  `^[ \\t]*(?:(?:NAME|INPUT|WORKFLOW|SECURITY)[ \\t]+${name}[ \\t]*(?:DEFAULT\\b|[="#]|$)|` +
    `(?:AGENT|GOAL|CONVERGE|RUN|LOOP)[ \\t]+(?:"|${name}[ \\t]*(?:["#]|->|FROM\\b|USING\\b|THEN\\b)))`,
)

/** Whether a line looks like the start of a statement: a string that was not closed ends before it. */
export const looksLikeStatement = (line: string): boolean => statementLine.test(line)
