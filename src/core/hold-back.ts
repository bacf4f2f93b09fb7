/**
 * How many characters at the end of `text` could be the beginning of one of the `delimiters`. A streaming
 * reader must not hand these on yet:
 *
 *     holdBack('… <thi', ['<think>'])   // 4
 *
 * A delimiter that stands there whole does not count: the caller has seen it already.
 */
export function holdBack(text: string, delimiters: readonly string[]): number {
  let held = 0
  for (const delimiter of delimiters) {
    const most = Math.min(delimiter.length - 1, text.length)
    for (let size = most; size > held; size--) {
      if (text.endsWith(delimiter.slice(0, size))) {
        held = size
        break
      }
    }
  }
  return held
}
