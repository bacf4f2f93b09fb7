import { closestName } from '../../core/closest-name.ts'
import type { Issue, ParamsOf } from '../../core/issue.ts'
import type { Span } from '../../core/span.ts'
import { agentfileIssues } from './issues.ts'

type Params = ParamsOf<typeof agentfileIssues>

/** Names that are compared for one suggestion, and suggestions that are made: files may be large and wrong all over. */
const MOST_NAMES = 1000
const MOST_SUGGESTIONS = 50

/** What is found wrong while a file is read. */
export class Report {
  /** More than is listed in the end. */
  readonly #issues: Issue[] = []
  #suggestions = 0

  add<C extends keyof Params & string>(code: C, params: Params[C], span: Span): void {
    this.#issues.push(agentfileIssues.issue(code, params, { span }))
  }

  /** The name that was probably meant. */
  suggest(name: string, names: Iterable<string>): string | undefined {
    if (++this.#suggestions > MOST_SUGGESTIONS) return undefined
    const some: string[] = []
    for (const one of names) {
      if (some.length === MOST_NAMES) break
      some.push(one)
    }
    return closestName(name, some)
  }

  get hasErrors(): boolean {
    return this.#issues.some(({ severity }) => severity === 'error')
  }

  /** In the order of the text. If there are too many, errors come before the others. */
  list(most: number): Issue[] {
    const all = [...this.#issues].sort(byPlace)
    if (all.length <= most) return all
    const isError = ({ severity }: Issue) => severity === 'error'
    const kept = [...all.filter(isError), ...all.filter((issue) => !isError(issue))].slice(0, most)
    const more = agentfileIssues.issue('more_issues', { count: all.length - kept.length })
    return [...kept.sort(byPlace), more]
  }
}

function byPlace(a: Issue, b: Issue): number {
  return (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0)
}
