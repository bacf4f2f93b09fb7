import type { Target } from '../targets.ts'

const larger = ['10 KB', '100 KB', '1 MB']
const withSchema = ['legible + zod', 'legible + JSON Schema']

export const targets: Target[] = [
  {
    what: 'clean, whole, 10 KB and more',
    limit: 1.1,
    unit: 'x',
    figures: larger.map((size) => `clean legible ${size}`),
  },
  ...withSchema.map((name): Target => {
    return {
      what: `clean, whole, 10 KB and more (${name.slice('legible + '.length)})`,
      limit: 2.5,
      unit: 'x',
      figures: larger.map((size) => `clean ${name} ${size}`),
    }
  }),
  {
    what: 'all damages at once, 10 KB and more',
    limit: 4,
    unit: 'x',
    figures: larger.map((size) => `damaged legible all at once ${size}`),
  },
  ...[16, 4].flatMap((chunkSize): Target[] => {
    const limit = chunkSize === 16 ? 6 : 14
    const target = (name: string, factor: number): Target => ({
      what: `stream of 100 KB, chunks of ${chunkSize}${factor > 1 ? ` (${name.slice('legible + '.length)})` : ''}`,
      limit: limit * factor,
      unit: 'x',
      figures: [`streaming ${name} 100 KB / ${chunkSize}`],
    })
    return [target('legible', 1), ...withSchema.map((name) => target(name, 2))]
  }),
  ...['legible', ...withSchema].map((name): Target => {
    return {
      what: `growth exponent, worst of whole, damaged and streams${name === 'legible' ? '' : ` (${name.slice('legible + '.length)})`}`,
      limit: 1.05,
      unit: '',
      figures: ['whole', 'whole, all damages', 'chunks of 16', 'chunks of 4'].map(
        (way) => `growth ${name}, ${way}`,
      ),
    }
  }),
  ...['legible', ...withSchema].map((name): Target => {
    return {
      what: `peak live heap, stream of 1 MB${name === 'legible' ? '' : ` (${name.slice('legible + '.length)})`}`,
      limit: 10,
      unit: ' MB',
      figures: [16, 4].map((chunkSize) => `heap ${name} / ${chunkSize}`),
    }
  }),
]
