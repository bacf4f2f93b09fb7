const tag = /<\/?[|\w][^<>\n]{0,60}>/g
const fence = /`{3,}[ \t]*[\w+-]{0,20}/g
const comment = /^[ \t]*(?:#|\/\/)[ \t][^\n]*$/gm
const assignment = /^[ \t]*(?:(?:const|let|var)[ \t]+)?\w{1,60}[ \t]*=(?!=)/gm
const printing = /\b(?:print|await)\b/g
const bullet = /^[ \t]*(?:\d{1,3}[.)]|[a-z][.)])(?=\s|$)/gm

/** Whether a text only holds calls together or apart: brackets, commas, quotes, fences, tags, numbers of a list. */
export function isGlue(text: string): boolean {
  // A comparison: a test of what the call gives.
  if (text.includes('==')) return false
  if (!/[\p{L}\p{N}]/u.test(text)) return true
  const rest = text
    .replace(comment, '')
    .replace(tag, '')
    .replace(fence, '')
    .replace(assignment, '')
    .replace(printing, '')
    .replace(bullet, '')
  return !/[\p{L}\p{N}]/u.test(rest)
}
