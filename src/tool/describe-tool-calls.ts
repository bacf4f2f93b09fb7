import type { CallForm, Dialect } from '../dialects/dialect.ts'
import { rowToWrite } from '../dialects/write/row-to-write.ts'
import { writeCalls } from '../dialects/write/write-calls.ts'
import { writeTools } from '../dialects/write/write-tools.ts'
import { exampleOf } from '../schema/example-of.ts'
import type { Schema } from '../schema/schema.ts'
import { toJsonSchema } from '../schema/to-json-schema.ts'
import { formatYaml } from '../section/yaml/format-yaml.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { type DeclaredTool, type DeclaredTools, declaredTools } from './declared-tools.ts'

/**
 * The part of a prompt that lists the tools and shows how a call is written in a dialect. The same tools give the same
 * text, always; without tools there is nothing to say.
 */
export function describeToolCalls(
  tools: readonly DeclaredTool[] | ToolRegistry,
  options: { readonly dialect: string | Dialect },
): string {
  const row = rowToWrite(options.dialect)
  const known = declaredTools(tools)
  const [first, second = first] = known.names
  if (first === undefined || second === undefined) return ''
  const list = known.names.map((name) => ({
    name,
    description: known.descriptionOf(name),
    parameters: toJsonSchema(known.schemaOf(name) as Schema),
  }))
  const write = (...names: string[]) =>
    writeCalls(
      names.map((name, index) => example(known, name, index)),
      row,
      { formatYaml, shapeOf: known.shapeOf },
    )
  const note = notes[row.form.kind === 'tool-tag' && row.form.yaml ? 'yaml' : row.form.kind]
  return [
    'You can call these tools. Each is given with its name, what it does, and the JSON Schema of its arguments.',
    writeTools(list, row),
    `To call a tool, write the call in exactly this form, with values of your own:${note}`,
    write(first),
    'Several calls at once look like this:',
    write(first, second),
    'After the calls, stop: their results come next. If no tool is needed, answer without a call.',
  ].join('\n\n')
}

const asTags = '\nText stands in its tag as it is, without quotes; everything else is JSON.'
const notes: Readonly<Record<CallForm['kind'] | 'yaml', string>> = {
  json: '',
  named: '',
  tagged: asTags,
  'tool-tag': asTags,
  yaml: '\nThe arguments are YAML.',
  pythonic: '\nEvery argument has its name.',
  brace: '\nText stands between the marks that are shown, everything else is plain.',
}

function example(tools: DeclaredTools, name: string, index: number) {
  const given = exampleOf(tools.schemaOf(name) as Schema)
  return { id: `call0000${index}`, name, arguments: { ...(given as Record<string, unknown>) } }
}
