import type { Target } from '../targets.ts'
import { forms, shortCalls } from './document.ts'
import { ways } from './tables/many.ts'

const compared = forms.filter(({ protocol }) => protocol)

export const targets: Target[] = [
  {
    what: 'cases of other projects read as expected, dialect auto',
    least: 95,
    unit: '%',
    figures: ['cases auto'],
  },
  {
    what: 'cases of other projects read as expected, dialect named',
    least: 95,
    unit: '%',
    figures: ['cases named'],
  },
  { what: 'BFCL: calls right, micro average', least: 88, unit: '%', figures: ['bfcl micro'] },
  {
    what: 'BFCL: calls where none is written',
    limit: 0.3,
    unit: '%',
    figures: ['bfcl false positives'],
  },
  {
    what: 'BFCL: rows wrong that the decoder of the model has right',
    limit: 10,
    unit: ' rows',
    figures: ['bfcl lost'],
  },
  {
    what: 'time of @ai-sdk-tool/parser by that of legible, call of 20 KB',
    least: 50,
    unit: 'x',
    figures: compared.map(({ name }) => `streaming ${name}`),
  },
  {
    what: 'growth exponent, 20 KB to 1 MB, worst form',
    limit: 1.05,
    unit: '',
    figures: forms.map(({ name }) => `growth ${name}`),
  },
  {
    what: 'growth exponent, many short calls, 20 to 80 KB, worst form',
    limit: 1.2,
    unit: '',
    figures: Object.keys(shortCalls).flatMap((name) => ways.map((way) => `many ${name}, ${way}`)),
  },
]
