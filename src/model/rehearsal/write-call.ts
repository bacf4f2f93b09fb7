import { formatYaml } from '../../section/yaml/format-yaml.ts'
import { formatToolCalls } from '../../tool/format-tool-calls.ts'
import type { Contract } from './contract.ts'
import type { Call } from './read-steering.ts'
import { excerpt } from './words.ts'

/** How values are written: as they are, or damaged. */
export type WriteValue = (value: unknown, notation: 'JSON' | 'YAML') => string

export const writePlainly: WriteValue = (value, notation) =>
  notation === 'YAML' ? formatYaml(value) : JSON.stringify(value)

/** One call or several in the form of the contract, without anything around them. */
export function writeCallsAs(contract: Contract, calls: readonly Call[], write: WriteValue): string {
  switch (contract.kind) {
    case 'sections': {
      const chain = contract.sections.find(({ holds }) => holds === 'calls')
      if (!chain) return write(listed(calls), 'JSON')
      const content = write(listed(calls), chain.notation)
      return contract.format.formatSection({ name: chain.name, content })
    }
    case 'plan':
      return `Tool Calls: ${write(plannedCalls(calls, false), 'JSON')}`
    case 'dialect':
      return writeInDialect(contract, calls)
    default: {
      const [first] = calls
      return write({ type: 'action', tool: first?.tool, args: first?.args }, 'JSON')
    }
  }
}

function writeInDialect(
  { row, tools }: Extract<Contract, { kind: 'dialect' }>,
  calls: readonly Call[],
): string {
  const written = calls.map(({ tool, args }, i) => ({ id: `call0000${i}`, name: tool, arguments: args }))
  try {
    return formatToolCalls(written, { dialect: row, tools })
  } catch {
    // A task can demand calls with names that no tag can have.
    const names = calls.map(({ tool }) => excerpt(tool)).join(', ')
    return `This is a rehearsal: in ${row.name} there is no way to write a call of ${names}.`
  }
}

/** One call stands alone, several as a list. */
export const listed = (calls: readonly Call[]) => (calls.length === 1 ? calls[0] : calls)

export function plannedCalls(calls: readonly Call[], dependent: boolean) {
  return calls.map(({ tool, args }, i) => ({
    callId: String(i + 1),
    toolName: tool,
    arguments: args,
    ...(dependent && i > 0 && { dependsOn: [String(i)] }),
  }))
}
