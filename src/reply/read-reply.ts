import { checkText } from '../core/check-text.ts'
import type { Read } from '../core/read.ts'
import { createReplyReader, type ReplyOptions } from './create-reply-reader.ts'
import type { Reply } from './reply.ts'

/**
 * Reads the reply of a model: text, one action, or an error that the model reports. An action is read only if it is
 * explicit (`"type": "action"`), the only one, at the top level, behind no words on its line, and ends the reply; and
 * only if its tool exists and accepts the arguments. Never throws because of what the text says, and never runs anything.
 */
export function readReply(text: string, options: ReplyOptions): Read<Reply> {
  checkText(text, 'readReply')
  const reader = createReplyReader(options)
  reader.push(text)
  return reader.end()
}
