/** Names that text within a section may not use as they are, whoever reads it: the sections of agents. */
export const reservedNames: readonly string[] = [
  'thinking',
  'think',
  'action',
  'answer',
  'observation',
  'error',
  'instructions',
  'result',
]
