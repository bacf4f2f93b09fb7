import type { Dialect } from '../dialect.ts'
import { fill } from './fill.ts'
import { toolLayout } from './layouts.ts'
import { marksOf } from './marks-of.ts'
import { braces, json, valueText } from './notation.ts'
import { plainValue } from './plain-value.ts'

/** A tool that a model is told of. */
export interface ToolToWrite {
  readonly name: string
  readonly description: string
  /** JSON Schema. */
  readonly parameters: unknown
}

/** The list of tools as it stands in the prompt of this dialect. */
export function writeTools(tools: readonly ToolToWrite[], row: Dialect): string {
  const { each, between, all } = toolLayout(row)
  const marks = marksOf(row).elsewhere
  const text = (value: unknown) => valueText(plainValue(value), json(marks))
  const quote = row.form.kind === 'brace' ? row.form.quote : '"'
  const written = tools.map(({ name, description, parameters }) => {
    const about = { ...(description === '' ? {} : { description }), parameters }
    return fill(each, {
      name,
      tool: text({ name, ...about }),
      function: text({ type: 'function', function: { name, ...about } }),
      braces: valueText(plainValue(about), braces(marks, quote)),
    })
  })
  return fill(all, { all: written.join(between) })
}
