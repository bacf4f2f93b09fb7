/** Tags between which models think, as far as known. `◁think▷` stands for a tag with these brackets. */
export const reasoningTags: readonly string[] = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reflection',
  'scratchpad',
  '◁think▷',
]

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
