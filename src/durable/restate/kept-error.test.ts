import { expect, test } from 'vitest'
import { type Json, Suspension } from '../../agent/durable.ts'
import { Stop } from '../../agent/stop.ts'
import { Halt } from '../../agentfile/run/halt.ts'
import { ModelError } from '../../model/model-error.ts'
import { errorFromJson, errorToJson } from './kept-error.ts'

const kept = (error: unknown): unknown =>
  errorFromJson(JSON.parse(JSON.stringify(errorToJson(error))) as Json)

test('what loops decide on ends a run in another process, too', () => {
  const waits = kept(new Suspension('approval:1'))
  expect(waits).toBeInstanceOf(Suspension)
  expect(waits).toMatchObject({ waitsFor: 'approval:1' })

  const limit = kept(new Halt({ kind: 'limit', limit: 'turns', most: 3, path: 'main/one' }))
  expect(limit).toBeInstanceOf(Halt)
  expect((limit as Halt).why).toEqual({ kind: 'limit', limit: 'turns', most: 3, path: 'main/one' })

  const failed = kept(
    new Stop({ kind: 'failed', error: new ModelError(new Error('busy'), 'half'), partial: 'half' }),
  )
  expect(failed).toBeInstanceOf(Stop)
  const { why } = failed as Stop
  expect(why).toMatchObject({ kind: 'failed', partial: 'half' })
  expect(why.kind === 'failed' && why.error.message).toBe('The provider failed: busy')
})

test('mistakes keep their name and their words', () => {
  expect(kept(new TypeError('x is not a function'))).toMatchObject({
    name: 'TypeError',
    message: 'x is not a function',
  })
  expect(kept('only words')).toMatchObject({ name: 'Error', message: 'only words' })
  expect(kept(undefined)).toMatchObject({ message: 'undefined' })
})

test.each([null, 7, [], {}, { kind: 'stop', why: {} }])('%j is an error all the same', (given) => {
  expect(errorFromJson(given as Json)).toBeInstanceOf(Error)
})
