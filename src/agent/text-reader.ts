import { createTagSplitter } from '../text/tag-splitter.ts'
import type { PolicyEvent } from './event.ts'
import type { ReplyReader } from './loop.ts'

/** Reads a reply that is text alone: without its reasoning, told while it arrives. */
export function textReader(onEvent: (event: PolicyEvent) => void): ReplyReader<string> {
  const splitter = createTagSplitter({
    onEvent(event) {
      if (event.type === 'outside-delta') onEvent({ type: 'text-delta', text: event.text })
      else if (event.type === 'tag-start') onEvent({ type: 'reasoning-start', tag: event.tag })
      else if (event.type === 'tag-delta') onEvent({ type: 'reasoning-delta', text: event.text })
      else if (event.type === 'tag-end') onEvent({ type: 'reasoning-end', complete: event.complete })
      else onEvent({ type: 'reasoning-implied', tag: event.tag })
    },
  })
  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      const { ok, value } = splitter.end()
      return ok ? value.outside.trim() : ''
    },
  }
}
