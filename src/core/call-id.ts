import { hashText } from './hash-text.ts'

/**
 * An id for a call that has none: the same whenever the same call is read in the same place. `taken`: ids that models
 * gave to calls before it, which may look like ours.
 */
export function callId(
  index: number,
  name: string,
  args: unknown,
  taken: ReadonlySet<string> = new Set(),
): string {
  const id = `call_${index + 1}_${hashText(`${name}\n${text(args)}`)
    .toString(36)
    .padStart(7, '0')}`
  let free = id
  for (let i = 2; taken.has(free); i++) free = `${id}_${i}`
  return free
}

function text(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
