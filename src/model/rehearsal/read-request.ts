import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isRecord } from '../../core/is-record.ts'
import { exampleOf } from '../../schema/example-of.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Contract, OfferedTool } from './contract.ts'
import { Conversation, type Turn } from './conversation.ts'
import { isFreeSchema } from './read-dialect.ts'

/** A prompt as the rehearsal model understands it. */
export interface Request {
  readonly contract: Contract
  /** Tools that are called by means of the API. */
  readonly native: readonly OfferedTool[]
  /** What the user wants now, without what is said about the form of the reply. */
  readonly task: string
  /** What the system says beside the form. */
  readonly system: string
  readonly turns: readonly Turn[]
  /** How many replies in a row, up to the last, were of no use. */
  readonly failures: number
  /** The reply has to call a tool, whatever it has called before. */
  readonly mustCall: boolean
}

export function readRequest(options: LanguageModelV4CallOptions): Request {
  const conversation = new Conversation()
  for (const message of options.prompt) conversation.add(message)
  const { contract, task, system, turns } = conversation
  const { responseFormat, tools = [], toolChoice } = options
  const offered = tools.flatMap((tool): OfferedTool[] =>
    tool.type === 'function' ? [toolOf(tool.name, tool.inputSchema)] : [],
  )
  const native =
    toolChoice?.type === 'none'
      ? []
      : toolChoice?.type === 'tool'
        ? offered.filter(({ name }) => name === toolChoice.toolName)
        : offered
  const json: Contract | undefined =
    responseFormat?.type === 'json'
      ? { kind: 'json', template: templateOf(responseFormat.schema ?? {}), tools: [] }
      : undefined
  const forced = toolChoice?.type === 'required' || toolChoice?.type === 'tool'
  const mustCall = native.length > 0 ? forced : isDuty(system, contract)
  const failures = conversation.failures()
  return {
    contract: json ?? contract,
    native,
    task: task.trim(),
    system: system.trim(),
    turns,
    failures,
    mustCall,
  }
}

/** A prompt can demand a call in words, or by leaving no room for anything else. */
function isDuty(system: string, contract: Contract): boolean {
  if (contract.tools.length === 0) return false
  if (/\bYou must call (?:at least one tool|the tool \S+) now\./.test(system)) return true
  return contract.kind === 'sections' && contract.sections.every(({ holds }) => holds === 'calls')
}

function templateOf(schema: unknown) {
  try {
    return { example: exampleOf(schema as Schema), free: isFreeSchema(schema) }
  } catch {
    // What is wrong with a schema is for others to say.
    return { example: {}, free: true }
  }
}

function toolOf(name: string, schema: unknown): OfferedTool {
  const { example, free } = templateOf(schema)
  return { name, example: isRecord(example) ? example : {}, free }
}
