/** A path as people write it: `items[2].city`. The value itself has no path: an empty text. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else if (typeof key === 'string' && !/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key))
      text += `[${JSON.stringify(key)}]`
    else text += `${text && '.'}${String(key)}`
  }
  return text
}
