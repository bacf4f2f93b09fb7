import type { Dialect, Pair, TaggedForm } from '../dialect.ts'
import { dialects } from '../dialects.ts'
import { literally } from '../read/marks.ts'
import { template } from '../read/template.ts'
import { callLayout, resultLayout, toolLayout } from './layouts.ts'

/** What must not stand in a value as it is: found wherever such a mark begins. */
interface RowMarks {
  /** Within a call: the marks of every dialect, since whoever reads may not know which one it is. */
  readonly inCalls: RegExp
  /** Elsewhere: the marks and tags of this dialect, and all that looks like a token of a chat template. */
  readonly elsewhere: RegExp
}

const made = new WeakMap<Dialect, RowMarks>()

export function marksOf(row: Dialect): RowMarks {
  const known = made.get(row)
  if (known) return known
  const own = marks(row)
  const written = layoutMarks(row).filter(isMark)
  const others = dialects.flatMap((one) => [...marks(one), ...tagLeads(one)])
  const result = {
    inCalls: pattern([...own, ...written, ...tagLeads(row), ...others.filter(isMark)]),
    elsewhere: pattern([...own.filter(isMark), ...written, ...tagLeads(row)]),
  }
  made.set(row, result)
  return result
}

function marks(row: Dialect): string[] {
  const { headers, form } = row
  const pairs = [...(row.reasoning ?? []), ...(row.answer ?? [])].flat()
  const quote = form.kind === 'brace' ? [form.quote] : []
  const around = headers ? [headers.start, headers.message, ...headers.end] : []
  return [
    ...(row.open ?? []),
    ...(row.close ?? []),
    ...(row.separators ?? []),
    ...(row.tokens ?? []),
    ...(row.write?.marks ?? []),
    ...pairs,
    ...quote,
    ...around,
  ]
}

/** `<parameter`: the beginning and the end of the tags of a form. */
function tagLeads({ form }: Dialect): string[] {
  if (form.kind !== 'tagged') return []
  return tagsOf(form).flatMap(([open, close]) => [template(open).lead, close.replace(/\{key\}.*$/, '')])
}

function tagsOf({ call, parameter, also }: TaggedForm): Pair[] {
  return [...(call ? [call] : []), parameter, ...(also?.calls ?? []), ...(also?.parameters ?? [])]
}

/** What the layouts write around their places, tag by tag. */
function layoutMarks(row: Dialect): string[] {
  return [callLayout(row), resultLayout(row), toolLayout(row)]
    .flatMap(({ each, all }) => [each, all])
    .flatMap((text) => text.split(/\{\w+\}|\s+|(?=<)|(?<=>)|(?=\[)|(?<=\])/))
}

/** Words stand in every text, and so do short marks: outside of their own dialect they are none. */
const isMark = (mark: string) => mark.length > 2 && /^[^\p{L}\p{N}\s`"{}]/u.test(mark) && mark !== '>>>'

function pattern(all: readonly string[]): RegExp {
  const unique = [...new Set(all.map((mark) => mark.trim()))].filter((mark) => mark !== '')
  // Most templates write their tokens in this way, also those that no row knows.
  return new RegExp(['</?[|｜]', '<!\\[CDATA\\[', ...unique.map(literally)].join('|'), 'gu')
}
