import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { damages, type Played, play, policies, seeds, tableOf } from './agent-outcomes.ts'

const all: Played[] = []
/** These leave what the model wants as it is: whoever reads them right makes the same calls as without them. */
const harmless = ['fence', 'prose', 'quotes', 'example', 'reasoning', 'break']
/** What a run may end with. */
const clear = ['answered', 'limit', 'unfinished', 'failed']

const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

for (const policy of policies.keys())
  test(policy, async () => {
    for (const seed of seeds) {
      const clean = await play(policy, 'none', seed)
      for (const damage of damages) {
        const played = damage === 'none' ? clean : await play(policy, damage, seed)
        all.push(played)
        const { outcome, events, ran } = played
        const what = `${policy}, ${damage}, seed ${seed}: ${JSON.stringify(outcome).slice(0, 400)}`
        expect(clear, what).toContain(outcome.kind)
        if (damage !== 'mixed') expect(outcome.kind, what).toBe('answered')
        expect(ran.join(), what).not.toContain('EXAMPLE')
        expect(new Set(ran).size, what).toBe(ran.length)
        if (harmless.includes(damage)) expect([...ran].sort(), what).toEqual([...clean.ran].sort())

        // What was damaged on the way is the answer all the same. Wrong types change what is asked, and so what is found.
        if (outcome.kind === 'answered' && damage !== 'types' && damage !== 'mixed')
          expect(written(outcome.value), what).toContain(written((clean.outcome as typeof outcome).value))

        // Each call that began has ended, each that ended well has run, and each has its result in the conversation.
        const began = events.flatMap((event) => (event.type === 'call-start' ? [event.call] : []))
        const ended = events.flatMap((event) => (event.type === 'call-end' ? [event] : []))
        expect(ended, what).toHaveLength(began.length)
        expect(
          ended.filter(({ ok }) => ok),
          what,
        ).toHaveLength(ran.length)
        const told = outcome.messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
        for (const one of ran) {
          const [name] = one.split(' ')
          const found = `${name} found ${one.slice(`${name} `.length)}`
          expect(told, what).toContainEqual(expect.objectContaining({ name, output: found }))
        }
      }
    }
  }, 60_000)

test('the table in docs/outcomes.md is what came of it', () => {
  console.log(tableOf(all))
  expect(readFileSync(new URL('../docs/outcomes.md', import.meta.url), 'utf8')).toContain(tableOf(all))
})
