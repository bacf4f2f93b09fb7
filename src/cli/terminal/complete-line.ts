/** What Tab does to a line: what is added to it, or which choices there are. */
export function completeLine(
  line: string,
  candidates: readonly string[],
): { added: string; choices: readonly string[] } {
  const fitting = candidates.filter((candidate) => candidate.startsWith(line))
  const [first] = fitting
  if (first === undefined) return { added: '', choices: [] }
  if (fitting.length === 1) return { added: `${first.slice(line.length)} `, choices: [] }
  let common = first
  for (const candidate of fitting) while (!candidate.startsWith(common)) common = common.slice(0, -1)
  const added = common.slice(line.length)
  return { added, choices: added === '' ? fitting : [] }
}
