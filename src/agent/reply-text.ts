import type { PartsRead } from '../text/format.ts'
import { PartList } from '../text/part-list.ts'

/**
 * The reply as it goes back to the model: without its reasoning, which models do not expect to see again, and which takes
 * room.
 */
export function withoutReasoning(text: string, { value }: PartsRead): string {
  let rest = ''
  let from = 0
  for (const part of value.all) {
    if (part.kind !== 'reasoning') continue
    rest += text.slice(from, part.span[0])
    from = part.span[1]
  }
  return (rest + text.slice(from)).trim()
}

/**
 * A model that has ended by itself has also ended its last section, whether it wrote the end or not: many stop before
 * the closing tag, or are stopped there.
 */
export function closeLast(read: PartsRead): PartsRead {
  const { all } = read.value
  const last = all.at(-1)
  if (last?.kind !== 'section' || last.complete) return read
  return { ...read, value: new PartList([...all.slice(0, -1), { ...last, complete: true }]) }
}
