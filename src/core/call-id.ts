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
  const id = `call_${index + 1}_${hash(`${name}\n${text(args)}`)}`
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

// FNV-1a: short, and good enough to tell calls apart.
function hash(text: string): string {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return (sum >>> 0).toString(36).padStart(7, '0')
}
