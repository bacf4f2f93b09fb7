import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { isRecord } from '../core/is-record.ts'
import type { Media } from '../tool/tool.ts'
import type { ContentPart } from '../tool/tool-chain.ts'
import type { Message, MessageResult } from './message.ts'
import { plainJson } from './plain-json.ts'

/** A conversation as a model gets it. `native`: calls and results go as such, and not as the text they were written in. */
export function toPrompt(messages: readonly Message[], native = false): LanguageModelV4Prompt {
  return (native ? withFreeIds(messages) : messages).flatMap((message) => toMessages(message, native))
}

/** Ids are unique within a reply; an API wants them to be so within a conversation. Results go with their calls. */
function withFreeIds(messages: readonly Message[]): Message[] {
  const taken = new Set<string>()
  let renamed = new Map<string, string>()
  return messages.map((message) => {
    if (message.role === 'tool') {
      const results = message.results.map((result) => ({
        ...result,
        id: renamed.get(result.id) ?? result.id,
      }))
      return { ...message, results }
    }
    if (message.role !== 'assistant' || !message.calls) return message
    renamed = new Map()
    const calls = message.calls.map((call) => {
      let id = call.id
      for (let i = 2; taken.has(id); i++) id = `${call.id}_${i}`
      taken.add(id)
      renamed.set(call.id, id)
      return { ...call, id }
    })
    return { ...message, calls }
  })
}

function toMessages(message: Message, native: boolean): LanguageModelV4Message[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return fromUser(message.content)
    case 'assistant': {
      const { content, calls = [] } = message
      const text: LanguageModelV4TextPart[] = content === '' ? [] : [{ type: 'text', text: content }]
      const asked = calls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.id,
        toolName: call.name,
        // Providers refuse arguments that are no object; what is wrong with them, the result says.
        input: isRecord(call.arguments) ? plainJson(call.arguments) : {},
      }))
      const parts = native ? [...text, ...asked] : text
      return parts.length === 0 ? [] : [{ role: 'assistant', content: parts }]
    }
    case 'tool': {
      const { content, results } = message
      // A text that could not be read as calls has an observation, but no call that it could be the result of.
      if (!native || results.length === 0) return fromUser(content)
      const media = content.filter((part) => part.type !== 'text')
      const answers: LanguageModelV4Message = { role: 'tool', content: results.map(toResult) }
      // Not every provider takes media within a result; every one takes them from the user.
      return [answers, ...fromUser(media)]
    }
  }
}

/** Providers refuse a message without content, from whomever it is. */
function fromUser(content: string | readonly ContentPart[]): LanguageModelV4Message[] {
  const parts = toParts(content)
  return parts.length === 0 ? [] : [{ role: 'user', content: parts }]
}

function toResult({ id, name, output, failed }: MessageResult): LanguageModelV4ToolResultPart {
  const text = typeof output === 'string' ? output : JSON.stringify(plainJson(output))
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: name,
    // Many APIs have no way to say that a call failed: the text must say it.
    output: failed ? { type: 'error-text', value: `Error: ${text}` } : { type: 'text', value: text },
  }
}

function toParts(
  content: string | readonly ContentPart[],
): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : toFile(part)))
}

function toFile({ data, mediaType, name }: Media): LanguageModelV4FilePart {
  const isUrl = typeof data === 'string' && /^(https?|data):/i.test(data) && URL.canParse(data)
  return {
    type: 'file',
    mediaType,
    data: isUrl ? { type: 'url', url: new URL(data) } : { type: 'data', data },
    ...(name !== undefined && { filename: name }),
  }
}
