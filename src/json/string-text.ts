/** What the character behind a backslash stands for, where that is one character. */
export const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\n', '\n'],
])

/** The quote that closes what this quote opens. */
export function closingQuote(open: number): number {
  if (open === 0x201e) return 0x201c
  if (open === 0x201c || open === 0x201d) return 0x201d
  if (open === 0x2018 || open === 0x2019) return 0x2019
  return open === 0xab ? 0xbb : open
}

/** The text of a triple-quoted block without the indentation that its lines share, and without a fence's language. */
export function blockText(block: string, fence: boolean): string {
  const lines = (fence ? block.replace(/^[\w+-]{0,20}(?=\r?\n)/, '') : block).split('\n')
  if (lines.length === 1) return lines[0] as string
  if (lines[0]?.trim() === '') lines.shift()
  if (lines.at(-1)?.trim() === '') lines.pop()
  let common = Number.POSITIVE_INFINITY
  for (const line of lines)
    if (line.trim() !== '') common = Math.min(common, line.length - line.trimStart().length)
  return lines.map((line) => line.slice(Math.min(common, line.length))).join('\n')
}
