import { forms } from '../calls/document.ts'
import type { Target } from '../targets.ts'

const calls = forms.filter(({ protocol }) => protocol).map(({ name }) => `one call, ${name}`)

export const targets: Target[] = [
  {
    what: 'time of @ai-sdk-tool/parser by that of legible, worst reply',
    least: 1,
    unit: 'x',
    figures: ['prose, with tools', ...calls].map((name) => `against the peer, ${name}`),
  },
]
