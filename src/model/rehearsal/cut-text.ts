/** A text in pieces of these sizes. A character is never cut in two. */
export function cutText(text: string, size: () => number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    let end = at + Math.max(1, Math.floor(size()))
    if (/[\ud800-\udbff]/.test(text[end - 1] ?? '')) end++
    pieces.push(text.slice(at, end))
    at = end
  }
  return pieces
}
