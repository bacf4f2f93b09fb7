import { readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { extname } from 'node:path'
import { keepMessages, recallMessages } from '../../agent/kept-content.ts'
import { isRecord } from '../../core/is-record.ts'
import type { Message } from '../../model/message.ts'
import { fileError, UsageError } from '../usage-error.ts'

/**
 * Writes a conversation to a file that is not there yet: as JSON, which `--continue` takes up again, or as Markdown for people.
 * Gives the name of the file. Throws what is wrong.
 */
export function saveTalk(given: string, messages: readonly Message[]): string {
  const file = given.replace(/^~(?=\/|$)/, homedir())
  const text =
    extname(file).toLowerCase() === '.json'
      ? `${JSON.stringify({ messages: keepMessages([...messages]) }, null, 2)}\n`
      : messages.map(asMarkdown).filter(Boolean).join('\n\n')
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(`${file} is there already; take another name`, { cause: error })
  }
  return file
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
      isRecord(one) &&
      /^(system|user|assistant|tool)$/.test(String(one.role)) &&
      [one.calls, one.results].every((list) => list === undefined || Array.isArray(list))
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
  const name = { user: 'You', assistant: 'Model', tool: 'Tools' }[role]
  // What tools gave is shown as it is: tags in it would vanish, and headers would part the page.
  return `## ${name}\n\n${role === 'tool' ? `\`\`\`\`\`text\n${text}\n\`\`\`\`\`` : text}\n`
}
