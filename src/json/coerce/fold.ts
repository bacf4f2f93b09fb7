/** The words of a text without case, accents and punctuation: `userName`, `User-Name` → `['user', 'name']`. */
export function foldWords(text: string): string[] {
  return text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** A name without case, accents and punctuation, to compare with others. */
export function fold(text: string): string {
  return foldWords(text).join('')
}
