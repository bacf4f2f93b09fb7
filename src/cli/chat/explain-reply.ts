import { columns } from '../../core/columns.ts'
import { defaultLimits } from '../../core/limits.ts'
import { createToolRegistry } from '../../tool/create-tool-registry.ts'
import type { Tool } from '../../tool/tool.ts'
import { explain } from '../explain.ts'
import { formatIssues } from '../print-issues.ts'
import { readAs } from '../read-as.ts'
import type { Reply } from './chat-session.ts'

/** Why a reply was read as it was: its parts, what was wrong, and where. */
export function explainReply(reply: Reply, tools: readonly Tool[], native: boolean, color: boolean): string {
  const { text, finish, issues } = reply
  const lines: string[] = []
  if (finish !== 'stop' && finish !== 'tool-calls')
    lines.push(`The reply did not end by itself (${columns(finish).text}): nothing of it counts as whole.`)
  if (text === '') return [...lines, 'The reply has no text.'].join('\n')
  if (native) {
    lines.push('The provider read the calls; the text is an answer as it stands:', '', ...safe(text))
    return lines.join('\n')
  }
  const { maxLength, maxDepth } = defaultLimits
  const { read, marks } = readAs('reply', text, {
    tools: createToolRegistry(tools),
    sections: [],
    limits: { maxLength, maxDepth },
  })
  // What was found when it arrived; reading it once more tells only where its parts stand.
  lines.push(takenAs(read), '', explain(text, marks(), issues, color).trimEnd())
  if (issues.length > 0) lines.push('', formatIssues(text, 'reply', issues, color).trimEnd())
  return lines.join('\n')
}

function takenAs(read: { readonly ok: boolean; readonly value?: unknown }): string {
  if (!read.ok) return 'The reply was not usable as it stands; the model was told why.'
  const { type, call, code } = read.value as { type: string; call?: { name: string }; code?: string }
  if (type === 'action') return columns(`The reply is an action: a call of ${call?.name}.`).text
  if (type === 'error') return columns(`The reply is an error that the model reports: ${code}.`).text
  return 'The reply is text.'
}

const safe = (text: string) => text.split('\n').map((line) => columns(line).text)
