/** FNV-1a: short, and good enough to tell texts apart. `seed`: another number gives other ones. */
export function hashText(text: string, seed = 0): number {
  let sum = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return sum >>> 0
}
