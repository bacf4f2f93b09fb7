import type { Target } from '../targets.ts'

export const targets: Target[] = [
  {
    what: 'time of a turn with a call, by that of the AI SDK, worst policy',
    limit: 1,
    unit: 'x',
    figures: ['turn, react', 'turn, chat', 'turn, chat with native calls'],
  },
  {
    what: 'time of a streamed reply, by that of the AI SDK, worst policy',
    limit: 1,
    unit: 'x',
    figures: ['token, react', 'token, chat', 'token, chat with native calls'],
  },
]
