import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
} from '@ai-sdk/provider'
import { isRecord } from '../../core/is-record.ts'
import type { CallToWrite } from '../../dialects/index.ts'
import type { Calling, FunctionTool, ResultText } from './calling.ts'
import { resultText } from './result-text.ts'

type MessageOf<Role> = Extract<LanguageModelV4Message, { role: Role }>
type AssistantPart = MessageOf<'assistant'>['content'][number]
type UserPart = MessageOf<'user'>['content'][number]

/** The conversation for a model that knows nothing but text: calls and their results are written out. */
export function textPrompt(
  prompt: LanguageModelV4Prompt,
  calling: Calling,
  tools: readonly FunctionTool[],
  instructions: string,
): LanguageModelV4Prompt {
  const messages: LanguageModelV4Message[] = []
  // Whether the last message is one of results: models want the turns to alternate, so what the user says goes there.
  let results = false
  const say = (content: UserPart[], providerOptions: LanguageModelV4Message['providerOptions']) => {
    const last = messages.at(-1)
    if (results && last?.role === 'user')
      messages[messages.length - 1] = { ...last, content: [...last.content, ...content] }
    else messages.push({ role: 'user', content, ...(providerOptions && { providerOptions }) })
  }
  for (const message of prompt) {
    switch (message.role) {
      case 'system':
        messages.push(message)
        break
      case 'user':
        say(message.content, message.providerOptions)
        results = false
        break
      case 'assistant': {
        const content = assistantContent(message.content, calling, tools)
        if (content.length > 0) messages.push({ ...message, content })
        results = false
        break
      }
      case 'tool': {
        const content = resultContent(message, calling, tools)
        if (content.length > 0) {
          say(content, message.providerOptions)
          results = true
        }
        // Answers to a provider that asked for an approval are its own affair.
        const others = message.content.filter((part) => part.type !== 'tool-result')
        if (others.length > 0) messages.push({ ...message, content: others })
      }
    }
  }
  return withInstructions(messages, instructions)
}

function withInstructions(messages: LanguageModelV4Prompt, instructions: string): LanguageModelV4Prompt {
  if (instructions === '') return messages
  const at = messages.findIndex(({ role }) => role === 'system')
  const system = messages[at]
  if (system?.role !== 'system') return [{ role: 'system', content: instructions }, ...messages]
  const content = [system.content, instructions].filter((text) => text.trim() !== '').join('\n\n')
  return messages.with(at, { ...system, content })
}

function assistantContent(
  parts: readonly AssistantPart[],
  calling: Calling,
  tools: readonly FunctionTool[],
): AssistantPart[] {
  const content: AssistantPart[] = []
  const answers = !parts.some(isOurs)
  let written: string[] = []
  let text = ''
  let calls: CallToWrite[] = []
  const endText = () => {
    if (text.trim() !== '') written.push(answers ? calling.formatText(text) : text)
    text = ''
  }
  const endCalls = () => {
    if (calls.length > 0) written.push(calling.formatCalls(calls, tools))
    calls = []
  }
  const flush = () => {
    endText()
    endCalls()
    if (written.length > 0) content.push({ type: 'text', text: written.join('\n') })
    written = []
  }
  for (const part of parts) {
    if (part.type === 'text' && part.providerOptions === undefined) {
      endCalls()
      text += part.text
    } else if (isOurs(part)) {
      endText()
      const { toolCallId: id, toolName: name, input } = part
      calls.push({ id, name, arguments: isRecord(input) ? input : {} })
    } else if (part.type !== 'reasoning' || part.providerOptions !== undefined) {
      // What a provider has marked for itself it wants back as it was. Other thoughts are over: no template keeps them.
      flush()
      content.push(part)
    }
  }
  flush()
  return content
}

/** A call that was read from text, and goes back as text. */
const isOurs = (part: AssistantPart): part is LanguageModelV4ToolCallPart =>
  part.type === 'tool-call' && part.providerExecuted !== true

function resultContent(
  { content }: MessageOf<'tool'>,
  calling: Calling,
  tools: readonly FunctionTool[],
): UserPart[] {
  const results: ResultText[] = []
  const files: UserPart[] = []
  for (const part of content) {
    if (part.type !== 'tool-result') continue
    const { text, files: attached } = resultText(part)
    results.push({ id: part.toolCallId, name: part.toolName, content: text })
    files.push(...attached)
  }
  if (results.length === 0) return []
  return [{ type: 'text', text: calling.formatResults(results, tools) }, ...files]
}
