// Folded: models agree on what a call has, not on what it is called.

export const nameWords: readonly string[] = [
  'name',
  'toolname',
  'functionname',
  'function',
  'tool',
  'action',
  'api',
  'apiname',
]

export const argumentWords: readonly string[] = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'toolinput',
  'actioninput',
  'argument',
  'kwargs',
]

export const idWords: readonly string[] = ['id', 'callid', 'toolcallid']
