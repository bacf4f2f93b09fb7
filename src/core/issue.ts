import type { Span } from './span.ts'

/**
 * `error`: the reading is not usable as it stands. `warning`: it is usable, but look at it.
 * `repair`: the text was not as it should be, and was read all the same.
 */
export type Severity = 'error' | 'warning' | 'repair'

/** The facts of an issue: whatever its message and hint are made from. */
export type IssueParams = Readonly<Record<string, unknown>>

/** One thing that is wrong, as data: what, where, and in words for a developer and for a model. */
export interface Issue {
  /** `area.snake_case`, from a closed set: see docs/errors.md. */
  readonly code: string
  readonly severity: Severity
  /** Where in the original text. */
  readonly span?: Span
  /** Where in the value. */
  readonly path?: readonly PropertyKey[]
  readonly params: IssueParams
  /** For the developer. */
  readonly message: string
  /** For the model: what to write instead. */
  readonly hint?: string
}

/** One row of an area's table: how an issue of this kind is weighed and worded. */
export interface IssueKind<P extends IssueParams = IssueParams> {
  readonly severity: Severity
  readonly message: string | ((params: P) => string)
  readonly hint?: string | ((params: P) => string)
}

interface IssuePlace {
  readonly span?: Span | undefined
  readonly path?: readonly PropertyKey[] | undefined
}

/** Makes the issues of one area from its table of kinds. `P` maps each code to its facts. */
export interface IssueArea<P extends Record<string, IssueParams>> {
  readonly area: string
  readonly kinds: { readonly [C in keyof P]: IssueKind<P[C]> }
  issue<C extends keyof P & string>(code: C, params: P[C], place?: IssuePlace): Issue
}

/** Types one row of a table: `kind<{ key: string }>({ … })`. */
export function kind<P extends IssueParams = IssueParams>(row: IssueKind<P>): IssueKind<P> {
  return row
}

// The documentation line of a code is the comment above its row: it is for docs/errors.md and must not
// weigh on a bundle.
export function defineIssues<P extends Record<string, IssueParams>>(
  area: string,
  kinds: { readonly [C in keyof P]: IssueKind<P[C]> },
): IssueArea<P> {
  const codes = new Map(Object.keys(kinds).map((code) => [code, `${area}.${code}`]))
  return {
    area,
    kinds,
    issue(code, params, place) {
      const { severity, message, hint } = kinds[code]
      const issue: { -readonly [K in keyof Issue]: Issue[K] } = {
        code: codes.get(code) as string,
        severity,
        params,
        message: typeof message === 'function' ? message(params) : message,
      }
      if (place?.span) issue.span = place.span
      if (place?.path) issue.path = place.path
      const hintText = typeof hint === 'function' ? hint(params) : hint
      if (hintText) issue.hint = hintText
      return issue
    },
  }
}

/** The facts of each code of an area. */
export type ParamsOf<A> = A extends IssueArea<infer P> ? P : never
