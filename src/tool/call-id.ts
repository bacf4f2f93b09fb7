/** An id for a call that has none: the same whenever the same call is read in the same place. */
export function callId(index: number, name: string, args: unknown): string {
  return `call_${index + 1}_${hash(`${name}\n${text(args)}`)}`
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
