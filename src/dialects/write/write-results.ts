import type { Dialect } from '../dialect.ts'
import { fill } from './fill.ts'
import { resultLayout } from './layouts.ts'
import { marksOf } from './marks-of.ts'
import { braces, eachMark, json, type Notation } from './notation.ts'
import { plainId } from './write-calls.ts'

/** What a call came to. */
export interface ResultToWrite {
  readonly id?: string | undefined
  readonly name: string
  readonly content: string
}

/**
 * Results as the models of this dialect are used to get them. A mark within a content gets a backslash behind its
 * first character, so that no result can end itself, or begin anything else; what is written as a string needs none.
 */
export function writeResults(results: readonly ResultToWrite[], row: Dialect): string {
  if (results.length === 0) return ''
  const { each, between, all } = resultLayout(row)
  const marks = marksOf(row).elsewhere
  const notation: Notation = row.form.kind === 'brace' ? braces(marks, row.form.quote) : json(marks)
  const written = results.map(({ id, name, content }, index) =>
    fill(each, {
      name: plainName(name),
      id: plainId(id ?? String(index)),
      index: /:(\d+)$/.exec(id ?? '')?.[1] ?? String(index),
      number: String(index + 1),
      content: eachMark(
        content,
        marks,
        (text) => text,
        (first) => `${first}\\`,
      ),
      quoted: notation.text(content),
    }),
  )
  return fill(all, { all: written.join(between) })
}

const plainName = (name: string) => name.replace(/[^\p{L}\p{N}_.:/-]/gu, '_').slice(0, 128)
