const common = new Set(
  'a an and any are as at be but by can could do does find for from get give has have how i in into is it its me my of on or our please should show tell that the their them then there they this to use was we what when where which who why will with would you your not'.split(
    ' ',
  ),
)

/** A few words of a text that say what it is about. */
export function keyWords(text: string, count = 4): string {
  const words = text.slice(0, 2000).match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => word.length > 1 && !common.has(word.toLowerCase()))
  return (telling.length > 0 ? telling : words).slice(0, count).join(' ') || 'rehearsal'
}

/**
 * The beginning of a text in one line, without any character that could open, close or quote something: what is quoted
 * may come from anywhere.
 */
export function excerpt(text: string, most = 80): string {
  const safe = text
    .slice(0, 4000)
    .replace(/[^\p{L}\p{N}\p{Sc}.,;:!?%°'()+/ _-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (safe.length <= most) return safe
  // A word that is cut in two says something else.
  return `${safe.slice(0, most).replace(/ [^ ]*$/, '')} …`
}
