import type { Dialect } from '../dialects/dialect.ts'
import { rowToWrite } from '../dialects/write/row-to-write.ts'
import { type CallToWrite, writeCalls } from '../dialects/write/write-calls.ts'
import { formatYaml } from '../section/yaml/format-yaml.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { type DeclaredTool, declaredTools } from './declared-tools.ts'

export interface FormatToolCallsOptions {
  /** The name of a dialect, or a row of your own. Not `auto`: whoever writes has to choose. */
  readonly dialect: string | Dialect
  /** With them, text that only the schema tells from a number, a list or nothing is marked as text. */
  readonly tools?: readonly DeclaredTool[] | ToolRegistry | undefined
}

/**
 * Writes calls as the models of a dialect write them, for the history of a conversation that is rendered by hand.
 * `readToolCalls` gives the same calls back. No argument can end its call: what cannot stand as it is, is escaped as
 * JSON or Python do it, or stands in CDATA.
 */
export function formatToolCalls(calls: readonly CallToWrite[], options: FormatToolCallsOptions): string {
  const tools = options.tools && declaredTools(options.tools)
  return writeCalls(calls, rowToWrite(options.dialect), { formatYaml, shapeOf: tools?.shapeOf })
}
