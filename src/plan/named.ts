/** Ids in a sentence: `"1", "2" and "3"`; of many, the first. */
export function named(ids: readonly string[]): string {
  const most = 8
  const texts = ids.slice(0, most).map((id) => JSON.stringify(id.length > 60 ? `${id.slice(0, 57)}…` : id))
  if (ids.length > most) texts.push(`${ids.length - most} more`)
  return [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text !== '').join(' and ')
}
