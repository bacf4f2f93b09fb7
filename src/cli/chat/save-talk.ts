import { readFileSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { keepMessages, recallMessages } from '../../agent/kept-content.ts'
import { isRecord } from '../../core/is-record.ts'
import type { Message } from '../../model/message.ts'
import { fileError, UsageError } from '../usage-error.ts'

/**
 * Writes a conversation to a file that is not there yet: as JSON, which `--continue` takes up again, or as Markdown for people.
 * Throws what the system says.
 */
export function saveTalk(file: string, messages: readonly Message[]): void {
  const text =
    extname(file).toLowerCase() === '.json'
      ? `${JSON.stringify({ messages: keepMessages([...messages]) }, null, 2)}\n`
      : messages.map(asMarkdown).filter(Boolean).join('\n\n')
  writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
}

/** Throws a UsageError when there is no conversation in it. */
export function loadTalk(file: string): Message[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw fileError(file, error)
  }
  try {
    const { messages } = JSON.parse(text)
    const list = recallMessages(messages)
    const isMessage = (one: unknown) =>
      isRecord(one) && /^(system|user|assistant|tool)$/.test(String(one.role))
    if (!Array.isArray(list) || !list.every(isMessage)) throw new Error('it holds no messages')
    return list
  } catch (cause) {
    throw new UsageError('cli.invalid_talk', `${file}: this is no conversation that /save has written`, {
      cause,
    })
  }
}

function asMarkdown(message: Message): string {
  const { role, content } = message
  if (role === 'system') return ''
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : `(${part.mediaType})`)).join('\n')
  return `## ${{ user: 'You', assistant: 'Model', tool: 'Tools' }[role]}\n\n${text}\n`
}
