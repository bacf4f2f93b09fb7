import type { Span } from '../../core/span.ts'

/** An Agentfile as plain data: what it says, in the order it says it, each part with its place in the text. */
export interface Agentfile {
  readonly statements: readonly Statement[]
  /** Comments behind the last statement. */
  readonly comments: readonly Comment[]
  readonly span: Span
}

export type Statement =
  | NameStatement
  | InputStatement
  | AgentStatement
  | GoalStatement
  | ConvergeStatement
  | RunStatement
  | SupervisionStatement
  | SecurityStatement

interface StatementParts {
  readonly span: Span
  /** On lines of their own before it. Comments between its clauses are kept here too. */
  readonly comments: readonly Comment[]
  /** Behind it, on its last line. */
  readonly trailing?: Comment
  /** A blank line stands before it, behind its comments. */
  readonly blankBefore: boolean
}

export interface Comment {
  /** Without the `#`, and without blanks at the end. */
  readonly text: string
  readonly blankBefore: boolean
  readonly span: Span
}

export interface Name {
  readonly text: string
  readonly span: Span
}

export interface NameStatement extends StatementParts {
  readonly kind: 'name'
  readonly name: Name
}

export interface InputStatement extends StatementParts {
  readonly kind: 'input'
  readonly name: Name
  /** Without a type, any value will do. */
  readonly type?: Type
  /** An input without a default is required. */
  readonly default?: Value
}

export interface AgentStatement extends StatementParts {
  readonly kind: 'agent'
  readonly name: Name
  readonly prompt: Prompt
  readonly outputs: readonly Field[]
  /** The capability profile. */
  readonly requires?: Text
  readonly supervision?: Supervision
}

interface GoalParts extends StatementParts {
  readonly name: Name
  readonly prompt: Prompt
  readonly outputs: readonly Field[]
  /** Agents. */
  readonly using: readonly Name[]
  readonly supervision?: Supervision
}

export interface GoalStatement extends GoalParts {
  readonly kind: 'goal'
}

export interface ConvergeStatement extends GoalParts {
  readonly kind: 'converge'
  readonly within: Limit
}

export interface RunStatement extends StatementParts {
  readonly kind: 'run'
  readonly name: Name
  /** Goals. */
  readonly using: readonly Name[]
  /** The goals are repeated, at most so often. */
  readonly within?: Limit
  readonly supervision?: Supervision
}

/** Holds for all goals that say nothing else. */
export interface SupervisionStatement extends StatementParts {
  readonly kind: 'supervision'
  readonly supervision: Supervision
}

export interface SecurityStatement extends StatementParts {
  readonly kind: 'security'
  readonly mode: Name
  readonly scope?: Text
}

export interface Supervision {
  /** `human`: a person decides. */
  readonly mode: 'supervised' | 'human' | 'unsupervised'
  readonly span: Span
}

/** How often something may be repeated: a number, or the value of a variable. */
export type Limit =
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  | { readonly kind: 'variable'; readonly name: string; readonly span: Span }

export type Prompt =
  | ({ readonly kind: 'text' } & Text)
  | { readonly kind: 'file'; readonly path: string; readonly span: Span }

/** A string, as it is meant and as it is written. */
export interface Text {
  readonly text: string
  /** Written between `"""`. */
  readonly raw: boolean
  /** With its quotes. */
  readonly span: Span
  /** From each of these places in `text` on, characters stand in the file from that place on. See `spanInSource`. */
  readonly offsets: readonly (readonly [inText: number, inSource: number])[]
}

/** An output, or a field of an object. Without a type, any value will do. */
export interface Field {
  readonly name: Name
  readonly type?: Type
  readonly span: Span
}

export type PlainType = 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'duration'

export type Type =
  | { readonly kind: PlainType; readonly span: Span }
  | { readonly kind: 'list'; readonly of: Type; readonly span: Span }
  | { readonly kind: 'object'; readonly fields: readonly Field[]; readonly span: Span }
  | { readonly kind: 'enum'; readonly values: readonly string[]; readonly span: Span }

export type JsonValue =
  | string
  | number
  | boolean
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export interface Value {
  readonly value: JsonValue
  readonly span: Span
}
