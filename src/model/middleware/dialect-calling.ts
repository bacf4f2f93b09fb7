import type { Limits } from '../../core/limits.ts'
import type { Dialect } from '../../dialects/dialect.ts'
import type { ReasoningMode } from '../../dialects/index.ts'
import { rowToWrite } from '../../dialects/write/row-to-write.ts'
import { createToolCallReader } from '../../tool/create-tool-call-reader.ts'
import type { DeclaredTool } from '../../tool/declared-tools.ts'
import { describeToolCalls } from '../../tool/describe-tool-calls.ts'
import { formatToolCalls } from '../../tool/format-tool-calls.ts'
import { formatToolResults } from '../../tool/format-tool-results.ts'
import { type Calling, describeDuty, type FunctionTool } from './calling.ts'

export interface DialectCallingOptions {
  readonly reasoning?: ReasoningMode | undefined
  readonly limits?: Partial<Limits> | undefined
}

/** Calls as the models of a dialect write them. */
export function dialectCalling(dialect: string | Dialect, options: DialectCallingOptions = {}): Calling {
  const row = rowToWrite(dialect)
  // What is found out when calls are written is a mistake of the program, and said at once.
  formatToolCalls([], { dialect: row })
  const silent = withoutCalls(row)
  return {
    describe: ({ tools, must, answer }) =>
      [describeToolCalls(declared(tools), { dialect: row }), tools.length > 0 && describeDuty(must), answer]
        .filter(Boolean)
        .join('\n\n'),
    formatCalls: (calls, tools) => formatToolCalls(calls, { dialect: row, tools: declared(tools) }),
    formatText: (text) => text,
    formatResults: (results) => formatToolResults(results, { dialect: row }),
    createReader({ tools, expect, onEvent }) {
      const reader = createToolCallReader({
        ...options,
        ...(tools.length > 0 ? { tools: declared(tools), dialect: row, expect } : { dialect: silent }),
        onEvent,
      })
      return { push: (chunk) => reader.push(chunk), end: () => reader.end().issues }
    },
  }
}

// The types of JSON Schema are stricter than what is read.
const declared = (tools: readonly FunctionTool[]) => tools as unknown as readonly DeclaredTool[]

/** The dialect of a model that has no tools: what looks like a call is text. */
function withoutCalls({ name, reasoning, reasoningHead, answer, tokens, headers }: Dialect): Dialect {
  return {
    name,
    form: { kind: 'json' },
    ...(reasoning && { reasoning }),
    ...(reasoningHead !== undefined && { reasoningHead }),
    ...(answer && { answer }),
    ...(tokens && { tokens }),
    ...(headers && { headers }),
  }
}
