import { isRecord } from '../../core/is-record.ts'
import { readReply } from '../../reply/read-reply.ts'
import { readToolCalls } from '../../tool/read-tool-calls.ts'
import type { Contract, OfferedTool } from './contract.ts'
import { readNotation } from './template-in-text.ts'

/**
 * Whether a reply of ours did what its contract asks for: then what the user says next is a new task, and otherwise it is
 * about the reply. Our own words end with a full stop, so that those that were cut off can be told.
 */
export function isFinished(reply: string, contract: Contract): boolean {
  const text = reply.trim()
  if (text === '') return false
  switch (contract.kind) {
    case 'sections': {
      const { sections, format } = contract
      const parts = format.read(text, sections).value
      const answer = sections.find(({ answers }) => answers) ?? sections.at(-1)
      if (!answer) return false
      const [content] = parts.get(answer.name)
      if (content === undefined || parts.all.some((part) => part.kind === 'section' && !part.complete))
        return false
      if (sections.some(({ name, holds }) => holds === 'calls' && parts.get(name).length > 0)) return false
      return !answer.template || isAlike(readNotation(content, answer.notation), answer.template.example)
    }
    case 'reply':
      if (contract.answer && isAlike(readNotation(text, 'JSON'), contract.answer.example)) return true
      return isReplyFinished(text, contract.tools)
    case 'plan':
      return !isPlan(text) && (endsWell(text) || readNotation(text, 'JSON') !== undefined)
    case 'dialect':
      if (readToolCalls(text, { tools: contract.tools, dialect: contract.row }).value.calls.length > 0)
        return false
      return contract.answer ? isAlike(readNotation(text, 'JSON'), contract.answer.example) : endsWell(text)
    case 'json':
      return isAlike(readNotation(text, 'JSON'), contract.template.example)
    case 'plain':
      return !isPlan(text) && endsWell(text)
  }
}

function isReplyFinished(text: string, offered: readonly OfferedTool[]): boolean {
  const tools = offered.map(({ name }) => ({
    name,
    description: name,
    input: { type: 'object' },
    run: () => undefined,
  }))
  const { ok, value } = readReply(text, { tools })
  return ok && (value.type === 'error' || (value.type === 'text' && endsWell(text)))
}

const isPlan = (text: string) => /^(?:Intent|Plan):/m.test(text)
const endsWell = (text: string) => /[.!?…]\W*$/.test(text)

/** The same types in the same places. */
function isAlike(value: unknown, example: unknown): boolean {
  if (Array.isArray(example))
    return Array.isArray(value) && value.every((item, i) => isAlike(item, example[i] ?? example[0]))
  if (isRecord(example))
    return isRecord(value) && Object.keys(example).every((key) => isAlike(value[key], example[key]))
  return typeof value === typeof example
}
