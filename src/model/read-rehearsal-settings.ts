import { closestName } from '../core/closest-name.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { RehearsalDamage } from './rehearsal/rehearsal-damages.ts'
import type { RehearsalOptions } from './rehearsal/rehearsal-model.ts'

type Setting = (text: string) => unknown

const settings: ReadonlyMap<string, Setting> = new Map<keyof RehearsalOptions, Setting>([
  ['seed', Number],
  // What there is, the model knows.
  ['damage', (text) => text.split('+').map((one) => one.trim()) as RehearsalDamage[]],
  ['rate', Number],
  ['chunk', Number],
  ['delay', Number],
])

/** `seed=3,damage=fence+prose,rate=0.5` → what the rehearsal model is made with. */
export function readRehearsalSettings(text: string): RehearsalOptions {
  const options: Record<string, unknown> = {}
  for (const setting of text.split(',')) {
    if (setting.trim() === '') continue
    const [key = '', value = ''] = setting.split('=', 2).map((one) => one.trim())
    const read = settings.get(key)
    if (!read) {
      const meant = closestName(key, settings.keys())
      const advice = meant ? `did you mean ${meant}?` : `there are ${[...settings.keys()].join(', ')}.`
      throw invalid(`${JSON.stringify(key.slice(0, 40))} is no setting; ${advice}`)
    }
    options[key] = value === '' ? Number.NaN : read(value)
    if (Number.isNaN(options[key])) throw invalid(`${key} needs a ${key === 'damage' ? 'name' : 'number'}.`)
  }
  return options
}

const invalid = (problem: string) =>
  new LegibleError(
    'model.invalid_option',
    `The rehearsal model: ${problem} As in rehearsal:seed=3,damage=fence+prose,rate=0.5.`,
  )
