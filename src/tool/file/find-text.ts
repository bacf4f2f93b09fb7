/** Finds a text in others from a position on; -1 if it is not there. */
export type FindText = (text: string, from?: number) => number

/** `indexOf` in time that grows with the texts alone, whatever a model looks for (Knuth, Morris, Pratt). */
export function findText(wanted: string): FindText {
  // For each place in what is wanted: how much of its beginning ends there.
  const back = new Int32Array(wanted.length)
  const step = (length: number, code: number): number => {
    let now = length
    while (now > 0 && code !== wanted.charCodeAt(now)) now = back[now - 1] as number
    return code === wanted.charCodeAt(now) ? now + 1 : now
  }
  for (let i = 1; i < wanted.length; i++) back[i] = step(back[i - 1] as number, wanted.charCodeAt(i))
  return (text, from = 0) => {
    let length = 0
    for (let i = from; i < text.length; i++) {
      length = step(length, text.charCodeAt(i))
      if (length === wanted.length) return i + 1 - length
    }
    return -1
  }
}
