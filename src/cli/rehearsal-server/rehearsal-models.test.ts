import { describe, expect, it } from 'vitest'
import { rehearsalDamages } from '../../model/rehearsal/rehearsal-damages.ts'
import { damagesOf, rehearsalModels } from './rehearsal-models.ts'

describe('rehearsalModels', () => {
  it('has a name for each damage', () => {
    const { names, modelOf } = rehearsalModels()
    expect(names).toEqual(['rehearsal', ...rehearsalDamages.map((damage) => `rehearsal+${damage}`)])
    for (const name of names) expect(modelOf(name)?.modelId).toBe('rehearsal')
  })

  it.each([
    ['rehearsal', []],
    ['rehearsal:latest', []],
    ['rehearsal+fence', ['fence']],
    ['rehearsal+example+reasoning', ['example', 'reasoning']],
    ['rehearsal+unknown-tool:latest', ['unknown-tool']],
    ['rehearsal+', undefined],
    ['rehearsal+fire', undefined],
    ['rehearsal+constructor', undefined],
    ['rehearsals', undefined],
    [`rehearsal${'+fence'.repeat(50)}`, undefined],
    ['', undefined],
  ])('knows what %j means', (name, damages) => {
    expect(damagesOf(name)).toEqual(damages)
    expect(rehearsalModels().modelOf(name) !== undefined).toBe(damages !== undefined)
  })

  it('keeps the model of a name, and only so many', () => {
    const { modelOf } = rehearsalModels()
    const model = modelOf('rehearsal+break')
    expect(modelOf('rehearsal+break:latest')).toBe(model)
    expect(modelOf('rehearsal+break+fence')).not.toBe(model)
    for (const one of rehearsalDamages)
      for (const other of rehearsalDamages)
        for (const third of ['fence', 'prose']) modelOf(`rehearsal+${one}+${other}+${third}`)
    expect(modelOf('rehearsal+break')).not.toBe(model)
  })

  it('writes by the seed of the request, or else by its own', async () => {
    const textOf = async (options: { seed?: number }, seed?: number) => {
      const { modelOf } = rehearsalModels({ ...options, damage: 'prose' })
      const prompt = [
        { role: 'user' as const, content: [{ type: 'text' as const, text: 'Tell me of tea.' }] },
      ]
      const call = { prompt, ...(seed !== undefined && { seed }) }
      return JSON.stringify((await modelOf('rehearsal')?.doGenerate(call))?.content)
    }
    const bySeed = await Promise.all(Array.from({ length: 8 }, (_, seed) => textOf({ seed })))
    expect(new Set(bySeed).size).toBeGreaterThan(1)
    expect(await Promise.all(bySeed.map((_, seed) => textOf({ seed: 99 }, seed)))).toEqual(bySeed)
  })
})
