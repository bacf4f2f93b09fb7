import type { Target } from '../targets.ts'

const peers = [
  'htmlparser2',
  'saxes',
  'fast-xml-parser',
  'fast-xml-parser, stopNodes',
  '@langchain/core XMLOutputParser',
  'a regular expression',
]

export const targets: Target[] = [
  ...peers.map((name): Target => {
    return {
      what: `time of legible by that of ${name}, chunks of 16 and 4`,
      limit: 1,
      unit: 'x',
      figures: [16, 4].map((chunkSize) => `tame ${name} / ${chunkSize}`),
    }
  }),
  {
    what: 'time of legible, parts only, by that of saxes, chunks of 16 and 4',
    limit: 1,
    unit: 'x',
    figures: [16, 4].map((chunkSize) => `tame saxes, parts only / ${chunkSize}`),
  },
  {
    what: 'growth exponent, worst of all formats',
    limit: 1.05,
    unit: '',
    figures: [
      '',
      ', as models write, xml()',
      ', as models write, markdown()',
      ', as models write, labels()',
    ].map((way) => `growth legible${way}`),
  },
  {
    what: 'peak live heap, events only, one answer of 1 MB',
    limit: 0.1,
    unit: ' MB',
    figures: ['heap legible, events only, answer'],
  },
  {
    what: 'peak live heap, events only, transcript of 1 MB',
    limit: 1,
    unit: ' MB',
    figures: ['heap legible, events only, tame', 'heap legible, events only, raw'],
  },
]
