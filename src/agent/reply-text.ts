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
 * The last section of a reply, in the light of how the reply ended. A model that has ended by itself has also ended its last
 * section, whether it wrote the end or not: many stop before the closing tag, or are stopped there. If it was cut off,
 * the section is whole only if its end was written: behind a header or a label there is none.
 */
export function settleLast(read: PartsRead, cut: boolean): PartsRead {
  const { all } = read.value
  const last = all.at(-1)
  if (last?.kind !== 'section') return read
  const complete = !cut || (last.complete && last.span[1] > last.inner[1])
  return complete === last.complete
    ? read
    : { ...read, value: new PartList([...all.slice(0, -1), { ...last, complete }]) }
}
