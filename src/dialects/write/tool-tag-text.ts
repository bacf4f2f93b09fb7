import type { TaggedForm, ToolTagForm } from '../dialect.ts'
import { objectShape } from '../literal/arguments-of.ts'
import { json, valueText } from './notation.ts'
import { argumentText, isTagName, type NamedArguments, type Scribe } from './tagged-text.ts'

/** A call whose tag is the name of the tool. */
export function toolTagText(call: NamedArguments, form: ToolTagForm, scribe: Scribe): string {
  const { name } = call
  const entries = Object.entries(call.arguments)
  if (entries.length === 0) return `<${name}>\n</${name}>`
  const body = form.yaml ? yamlBody(call, scribe) : tagBody(call, scribe)
  return `<${name}>\n${body ?? valueText(call.arguments, json(ends(name, scribe.marks)))}\n</${name}>`
}

const tags: TaggedForm = {
  kind: 'tagged',
  parameter: ['<{key}>', '</{key}>'],
  space: 'word',
  untyped: 'json',
  entities: true,
}

function tagBody(call: NamedArguments, scribe: Scribe): string | undefined {
  const entries = Object.entries(call.arguments)
  if (!entries.every(([key]) => isTagName(key))) return undefined
  const shape = scribe.shapeOf && objectShape(scribe.shapeOf(call.name))
  const lines = entries.map(([key, value]) => {
    const below = shape?.fields.get(key)?.shape.kind
    const typed = !scribe.shapeOf || (below !== undefined && below !== 'any' && below !== 'union')
    const inner = argumentText(
      value,
      tags,
      { ...scribe, marks: ends(call.name, scribe.marks, key) },
      {
        typed,
        pair: [`<${key}>`, `</${key}>`],
      },
    )
    return `<${key}>${inner}</${key}>`
  })
  return lines.join('\n')
}

/** YAML has no way to write an end of the tag so that it is none: then it is JSON, which YAML is as well. */
function yamlBody(call: NamedArguments, { formatYaml }: Scribe): string | undefined {
  const text = formatYaml?.(call.arguments)
  if (text === undefined || text.includes('</') || text.includes('<![CDATA[')) return undefined
  return /^[\p{L}_][\p{L}\w.-]*:/u.test(text) ? text : undefined
}

/** The marks, and the tags that end the call or the argument. */
function ends(name: string, marks: RegExp, key = name): RegExp {
  const words = [name, key].map((word) => word.replace(/[.-]/g, '\\$&'))
  return new RegExp(`${marks.source}|</ ?(?:${words.join('|')})>`, marks.flags)
}
