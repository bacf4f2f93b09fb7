import type { Fields } from './fields.ts'
import type { AssistantPart, FilePart, Prompt, ToolResultPart, UserPart } from './language-model.ts'

/** `messages` of Ollama's chat as a prompt. As lenient as Ollama is: a result may answer no call. */
export function readOllamaMessages(messages: readonly Fields[]): Prompt {
  const prompt: Prompt = []
  const calls = new NamedCalls()
  for (const message of messages) {
    const role = message.need('role', message.text('role'))
    const content = message.text('content') ?? ''
    if (role === 'system') prompt.push({ role, content })
    else if (role === 'user') prompt.push({ role, content: userContent(content, message) })
    else if (role === 'assistant') prompt.push({ role, content: assistantContent(content, message, calls) })
    else if (role === 'tool') addResult(prompt, calls.answer(message, content))
    else throw message.problem('role', 'must be system, user, assistant or tool')
  }
  return prompt
}

/** A text with images, which are base64. Their kind is not said. */
export function userContent(text: string, fields: Fields): UserPart[] {
  const images = (fields.list('images') ?? []).map((data): FilePart => {
    if (typeof data !== 'string') throw fields.problem('images', 'must be a list of images in base64')
    return { type: 'file', mediaType: 'image/*', data: { type: 'data', data } }
  })
  return [{ type: 'text', text }, ...images]
}

function assistantContent(text: string, message: Fields, calls: NamedCalls): AssistantPart[] {
  const parts: AssistantPart[] = []
  const thinking = message.text('thinking')
  if (thinking) parts.push({ type: 'reasoning', text: thinking })
  if (text !== '') parts.push({ type: 'text', text })
  for (const call of message.objects('tool_calls') ?? []) {
    const called = call.need('function', call.object('function'))
    const toolName = called.need('name', called.text('name'))
    const input = called.object('arguments') ? called.raw('arguments') : {}
    parts.push({ type: 'tool-call', toolCallId: calls.add(toolName, call.text('id')), toolName, input })
  }
  return parts
}

function addResult(prompt: Prompt, result: ToolResultPart): void {
  const last = prompt.at(-1)
  if (last?.role === 'tool') last.content.push(result)
  else prompt.push({ role: 'tool', content: [result] })
}

/** Calls of Ollama need no ids: a result belongs to the first open call of its name, or to the first that is open. */
class NamedCalls {
  #open: { id: string; name: string }[] = []
  #count = 0

  add(name: string, id = this.#nextId()): string {
    this.#open.push({ id, name })
    return id
  }

  answer(message: Fields, value: string): ToolResultPart {
    const id = message.text('tool_call_id')
    const name = message.text('tool_name') ?? message.text('name')
    const call =
      this.#open.find((one) => one.id === id) ??
      this.#open.find((one) => one.name === name) ??
      (name === undefined && id === undefined ? this.#open[0] : undefined)
    this.#open = this.#open.filter((one) => one !== call)
    return {
      type: 'tool-result',
      toolCallId: call?.id ?? id ?? this.#nextId(),
      toolName: call?.name ?? name ?? 'unknown',
      output: { type: 'text', value },
    }
  }

  #nextId(): string {
    this.#count++
    return `call_${this.#count}`
  }
}
