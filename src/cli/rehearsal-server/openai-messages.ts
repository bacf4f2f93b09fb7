import type { Fields } from './fields.ts'
import type { AssistantPart, FilePart, Prompt, UserPart } from './language-model.ts'
import { readFileUrl } from './read-file-url.ts'
import { writtenInput } from './written-input.ts'

/** `messages` of OpenAI's chat as a prompt. As strict as OpenAI is, so that a rehearsal shows what would fail there. */
export function readOpenAiMessages(body: Fields): Prompt {
  const messages = body.need('messages', body.objects('messages'))
  if (messages.length === 0) throw body.problem('messages', 'must have at least one message')
  const prompt: Prompt = []
  const open = new OpenCalls()
  for (const message of messages) {
    const role = message.need('role', message.text('role'))
    if (role === 'tool') {
      addResult(prompt, message, open)
      continue
    }
    open.checkAnswered(message)
    if (role === 'system' || role === 'developer')
      prompt.push({ role: 'system', content: plainText(message) })
    else if (role === 'user') prompt.push({ role: 'user', content: userParts(message) })
    else if (role === 'assistant') prompt.push({ role: 'assistant', content: assistantParts(message, open) })
    else throw message.problem('role', 'must be system, developer, user, assistant or tool')
  }
  open.checkAnswered(messages.at(-1) as Fields)
  return prompt
}

/** The calls that a tool message may answer, and must, before another message comes. */
class OpenCalls {
  readonly #names = new Map<string, string>()

  add(id: string, name: string): void {
    this.#names.set(id, name)
  }

  answer(message: Fields): { id: string; name: string } {
    const id = message.need('tool_call_id', message.text('tool_call_id'))
    const name = this.#names.get(id)
    if (name === undefined)
      throw message.problem('tool_call_id', 'answers no call of the assistant message before it')
    this.#names.delete(id)
    return { id, name }
  }

  checkAnswered(message: Fields): void {
    const [id] = this.#names.keys()
    if (id !== undefined)
      throw message.problem('role', `the call ${id.slice(0, 100)} needs a tool message that answers it first`)
  }
}

/** Results of one turn stand in one message of the prompt. */
function addResult(prompt: Prompt, message: Fields, open: OpenCalls): void {
  const { id, name } = open.answer(message)
  const result = {
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type: 'text' as const, value: plainText(message) },
  }
  const last = prompt.at(-1)
  if (last?.role === 'tool') last.content.push(result)
  else prompt.push({ role: 'tool', content: [result] })
}

/** Content that is a text, or a list of texts. */
function plainText(message: Fields): string {
  const content = message.raw('content')
  if (typeof content === 'string') return content
  const parts = message.need('content', contentParts(message))
  return parts.map((part) => textOf(part, 'text')).join('')
}

function userParts(message: Fields): UserPart[] {
  const content = message.raw('content')
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return message.need('content', contentParts(message)).map(userPart)
}

function userPart(part: Fields): UserPart {
  const type = part.text('type')
  if (type === 'image_url') return imagePart(part)
  if (type === 'input_audio') return audioPart(part)
  if (type === 'file') return filePart(part)
  return { type: 'text', text: textOf(part, 'text, image_url, input_audio or file') }
}

function imagePart(part: Fields): FilePart {
  const image = part.need('image_url', part.object('image_url'))
  const file = readFileUrl(image.need('url', image.text('url')), 'image/*')
  if (!file) throw image.problem('url', 'must be a URL')
  return file
}

function audioPart(part: Fields): FilePart {
  const audio = part.need('input_audio', part.object('input_audio'))
  const format = audio.text('format') ?? 'wav'
  const data = audio.need('data', audio.text('data'))
  return { type: 'file', mediaType: `audio/${format}`, data: { type: 'data', data } }
}

function filePart(part: Fields): FilePart {
  const file = part.need('file', part.object('file'))
  const name = file.text('filename')
  if (file.has('file_id')) throw file.problem('file_id', 'no files are kept here: send file_data')
  const data = file.need('file_data', file.text('file_data'))
  const read = readFileUrl(data, 'application/octet-stream')
  if (!read) throw file.problem('file_data', 'must be a data: URL')
  return name === undefined ? read : { ...read, filename: name }
}

function assistantParts(message: Fields, open: OpenCalls): AssistantPart[] {
  const parts: AssistantPart[] = []
  const reasoning = message.text('reasoning_content') ?? message.text('reasoning')
  if (reasoning) parts.push({ type: 'reasoning', text: reasoning })
  const content = message.raw('content')
  const texts = typeof content === 'string' ? [content] : (contentParts(message) ?? []).map(spokenText)
  for (const text of texts) if (text !== '') parts.push({ type: 'text', text })
  const calls = message.objects('tool_calls') ?? []
  for (const call of calls) {
    const called = call.need('function', call.object('function'))
    const toolCallId = call.need('id', call.text('id'))
    const toolName = called.need('name', called.text('name'))
    open.add(toolCallId, toolName)
    const input = writtenInput(called.text('arguments') ?? '')
    parts.push({ type: 'tool-call', toolCallId, toolName, input })
  }
  if (content === undefined && calls.length === 0)
    throw message.problem('content', 'is missing, and there are no tool_calls')
  return parts
}

const spokenText = (part: Fields): string =>
  part.text('type') === 'refusal'
    ? part.need('refusal', part.text('refusal'))
    : textOf(part, 'text or refusal')

function contentParts(message: Fields): Fields[] | undefined {
  const content = message.raw('content')
  if (content !== undefined && !Array.isArray(content))
    throw message.problem('content', 'must be a string, or a list of parts')
  return message.objects('content')
}

function textOf(part: Fields, types: string): string {
  if (part.need('type', part.text('type')) !== 'text') throw part.problem('type', `must be ${types}`)
  return part.need('text', part.text('text'))
}
