import { isRecord } from '../../core/is-record.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { readLiteral } from '../../dialects/literal/read-literal.ts'
import { exampleOf } from '../../schema/example-of.ts'
import { describeToolCalls } from '../../tool/describe-tool-calls.ts'
import type { Contract, DialectTool } from './contract.ts'
import type { FoundContract } from './read-sections.ts'
import { templateInText } from './template-in-text.ts'

const first =
  'You can call these tools. Each is given with its name, what it does, and the JSON Schema of its arguments.'
const middle = '\n\nTo call a tool, write the call in exactly this form, with values of your own:'
const last = 'If no tool is needed, answer without a call.'

/** The tools of a prompt and the dialect in which it wants them called: the one for which the same prompt would be written. */
export function readDialect(text: string): FoundContract | undefined {
  const start = text.indexOf(first)
  const between = text.indexOf(middle, start)
  const end = text.indexOf(last, between)
  if (start < 0 || between < 0 || end < 0) return undefined
  const tools = declarations(text.slice(start + first.length, between))
  if (tools.length === 0) return undefined
  const told = text.slice(start, end + last.length)
  const stop = end + last.length
  const answer = templateInText(text.slice(stop))
  const alike = rowsFor(tools, told)
  const contract: Contract = { kind: 'dialect', row: alike[0] as Dialect, alike, tools, answer }
  return { contract, start, end: answer ? text.length : stop }
}

/** Dialects that are described alike are written alike as well. */
function rowsFor(tools: readonly DialectTool[], told: string): Dialect[] {
  const all = dialects.map((row) => ({ row, described: describe(tools, row) }))
  const same = all.filter(({ described }) => described === told)
  if (same.length > 0) return same.map(({ row }) => row)
  // A schema may have been written otherwise than we would: how calls look decides then.
  const calls = (text: string) => text.slice(text.indexOf(middle))
  const scores = all.map(({ described }) => sharedLength(calls(told), calls(described)))
  const most = Math.max(...scores)
  return all.filter((_, i) => scores[i] === most).map(({ row }) => row)
}

function describe(tools: readonly DialectTool[], row: Dialect): string {
  try {
    return describeToolCalls(tools, { dialect: row })
  } catch {
    // It has no calls.
    return ''
  }
}

function sharedLength(one: string, other: string): number {
  let size = 0
  while (size < one.length && one[size] === other[size]) size++
  return size
}

/** Brackets that are looked at: one that is no declaration costs a look at all that it holds. */
const MAX_TRIES = 1000

/** Declarations stand there as JSON, each of its own or as a list, or as literals with quotes of their own. */
function declarations(text: string): DialectTool[] {
  const found: DialectTool[] = []
  for (let at = 0, tries = 0; at < text.length && tries < MAX_TRIES; tries++) {
    const next = /declaration:([^\s{]+)(?=\{)|[[{]/g
    next.lastIndex = at
    const match = next.exec(text)
    if (!match) break
    const name = match[1]
    const literal = readLiteral(text, name === undefined ? match.index : next.lastIndex, {
      quotes: ['<|"|>', '<escape>'],
    })
    const values = literal ? [literal.value].flat() : []
    const tools = values.flatMap((value) =>
      toolIn(isRecord(value) && name !== undefined ? { name, ...value } : value),
    )
    found.push(...tools)
    at = tools.length > 0 && literal ? literal.end : match.index + 1
  }
  return found
}

function toolIn(value: unknown): DialectTool[] {
  if (!isRecord(value)) return []
  if (isRecord(value.function)) return toolIn(value.function)
  const { name, description = '', parameters } = value
  if (typeof name !== 'string' || !isRecord(parameters)) return []
  const example = exampleOf(parameters)
  return [
    {
      name,
      description: String(description),
      parameters,
      example: isRecord(example) ? example : {},
      free: isFreeSchema(parameters),
    },
  ]
}

/** Any words may stand where the schema wants text. */
export function isFreeSchema(schema: unknown): boolean {
  return !/"(?:minLength|maxLength|pattern|const)":/.test(JSON.stringify(schema))
}
