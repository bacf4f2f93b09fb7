import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { suggestRetry } from '../core/suggest-retry.ts'
import type { PlannedCall } from './plan.ts'
import { createTodo, type Todo } from './todo.ts'

const runs = {
  numRuns: Number(process.env.PROPERTY_RUNS ?? 300),
  seed: Number(process.env.PROPERTY_SEED ?? 1),
}

const call = (id: string, dependsOn: readonly string[] = [], args: unknown = {}): PlannedCall => ({
  id,
  name: 'now',
  arguments: args,
  dependsOn,
})
const ready = (todo: Todo) => todo.ready.map(({ id }) => id)
const statuses = (todo: Todo) => Object.fromEntries(todo.steps.map(({ call, status }) => [call.id, status]))

describe('createTodo', () => {
  it('has ready what waits for nothing, all at once, in the order of the plan', () => {
    const todo = createTodo([call('d', ['b', 'a']), call('b'), call('c', ['a']), call('a')])
    expect(ready(todo)).toEqual(['b', 'a'])
    expect(todo.steps[0]).toMatchObject({ status: 'waiting', why: 'it waits for "b" and "a"' })
    todo.start('a')
    expect(ready(todo)).toEqual(['b'])
    todo.finish('a', 1)
    expect(ready(todo)).toEqual(['b', 'c'])
    todo.finish('b', 2)
    expect(ready(todo)).toEqual(['d', 'c'])
    todo.finish('c', 3)
    expect(todo.isFinished).toBe(false)
    expect(todo.unfinished).toMatchObject([{ call: { id: 'd' }, status: 'ready', why: 'it was not started' }])
    todo.start('d')
    expect(todo.isFinished).toBe(false)
    todo.finish('d', undefined)
    expect(todo.isFinished).toBe(true)
    expect(todo.unfinished).toEqual([])
    expect([...todo.results]).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', undefined],
    ])
    expect(todo.steps[3]).toMatchObject({ status: 'done', value: 1 })
  })

  it('skips what depends on a failure, at any distance, and nothing else', () => {
    const todo = createTodo([call('a'), call('b', ['a']), call('c', ['b']), call('d'), call('e', ['d', 'c'])])
    const error = new Error('no')
    todo.fail('a', error)
    expect(statuses(todo)).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', d: 'ready', e: 'skipped' })
    todo.finish('d', 1)
    expect(statuses(todo).e).toBe('skipped')
    expect(todo.isFinished).toBe(true)
    expect(todo.unfinished.map(({ call, why, error }) => [call.id, why, error])).toEqual([
      ['a', 'it failed', error],
      ['b', 'it depends on "a", which failed', undefined],
      ['c', 'it depends on "b", which was skipped', undefined],
      ['e', 'it depends on "c", which was skipped', undefined],
    ])
  })

  it('waits for calls whose results are used', () => {
    const todo = createTodo([call('2', [], { list: ['see {{1.items.0}}'] }), call('1')])
    expect(ready(todo)).toEqual(['1'])
    expect(todo.steps[0]?.call.dependsOn).toEqual(['1'])
    expect(todo.steps[1]?.call).not.toHaveProperty('dependsOn')
  })

  it('finds what is not there at once, and runs the rest', () => {
    const todo = createTodo([call('1', ['9']), call('2', [], '{{8.x}}'), call('3', ['1']), call('4')])
    expect(todo.issues.map(({ code }) => code)).toEqual(['plan.unknown_dependency', 'plan.unknown_reference'])
    expect(statuses(todo)).toEqual({ 1: 'skipped', 2: 'skipped', 3: 'skipped', 4: 'ready' })
    expect(todo.unfinished.map(({ why }) => why)).toEqual([
      'it depends on "9", which the plan does not have',
      'it uses {{8.x}}, which is the result of no call',
      'it depends on "1", which was skipped',
      'it was not started',
    ])
    expect(suggestRetry(todo.issues)).toContain('It does not have "9".')
  })

  it('names the calls of each cycle', () => {
    const circle = [call('a', ['b']), call('b', ['c']), call('c', ['a'])]
    const todo = createTodo([...circle, call('d', ['a']), call('e', ['e']), call('f')])
    expect(todo.issues.map(({ code, params }) => [code, params])).toEqual([
      ['plan.cycle', { ids: ['a', 'b', 'c'] }],
      ['plan.cycle', { ids: ['e'] }],
    ])
    expect(ready(todo)).toEqual(['f'])
    expect(todo.steps[4]?.why).toBe('it depends on itself')
    expect(todo.steps[3]?.why).toBe('it depends on "a", which was skipped')
    todo.finish('f', 1)
    expect(todo.isFinished).toBe(true)
    expect(todo.unfinished).toHaveLength(5)
  })

  it('knows no names but those of its calls', () => {
    const todo = createTodo([call('__proto__'), call('constructor', ['__proto__']), call('x', ['toString'])])
    expect(ready(todo)).toEqual(['__proto__'])
    todo.finish('__proto__', 1)
    expect(ready(todo)).toEqual(['constructor'])
    expect(todo.issues).toMatchObject([{ params: { unknown: ['toString'] } }])
  })

  it('is finished when there is nothing to do', () => {
    expect(createTodo([])).toMatchObject({ isFinished: true, unfinished: [], issues: [] })
  })

  it('tells a program what it does wrong', () => {
    const code = (code: string) => expect.objectContaining({ name: 'LegibleError', code })
    const many = Array.from({ length: 65 }, (_, i) => call(String(i)))
    expect(() => createTodo(many)).toThrow(code('plan.too_many_calls'))
    expect(() => createTodo([call('a'), call('a')])).toThrow(code('plan.duplicate_id'))
    const todo = createTodo([call('a'), call('b', ['a'])])
    expect(() => todo.start('c')).toThrow(code('plan.unknown_step'))
    for (const act of ['start', 'finish', 'fail'] as const)
      expect(() => todo[act]('b', 1)).toThrow(code('plan.step_not_ready'))
    todo.start('a')
    expect(() => todo.start('a')).toThrow(code('plan.step_not_ready'))
    todo.finish('a', 1)
    expect(() => todo.fail('a')).toThrow(code('plan.step_not_ready'))
  })
})

/** Calls in any order that depend on others before them in another order: never in a circle. */
const acyclic = fc
  .array(fc.array(fc.nat(63), { maxLength: 4 }), { minLength: 1, maxLength: 64 })
  .chain((links) => {
    const calls = links.map((numbers, i) => {
      const ids = i === 0 ? [] : [...new Set(numbers.map((n) => `n${n % i}`))]
      // Half of them say so, half of them use the result.
      return i % 2 === 0 ? call(`n${i}`, ids) : call(`n${i}`, [], { of: ids.map((id) => `{{${id}}}`) })
    })
    return fc.shuffledSubarray(calls, { minLength: calls.length, maxLength: calls.length })
  })

const needsOf = (todo: Todo) =>
  new Map(todo.steps.map(({ call }) => [call.id, call.dependsOn ?? []] as const))

describe('random plans', () => {
  it('without a cycle: all steps run, each after what it depends on', () => {
    fc.assert(
      fc.property(acyclic, fc.infiniteStream(fc.nat()), (calls, choices) => {
        const todo = createTodo(calls)
        expect(todo.issues).toEqual([])
        const needs = needsOf(todo)
        const order: string[] = []
        while (!todo.isFinished) {
          // Any of them may be the next to end, started or not.
          const next = todo.ready
          expect(next.length).toBeGreaterThan(0)
          const { id } = next[(choices.next().value as number) % next.length] as PlannedCall
          for (const one of needs.get(id) ?? []) expect(order).toContain(one)
          order.push(id)
          todo.finish(id, id)
        }
        expect(order).toHaveLength(calls.length)
        expect(todo.unfinished).toEqual([])

        const again = createTodo(calls)
        for (const id of order) again.finish(id, id)
        expect(again.steps).toEqual(todo.steps)
      }),
      runs,
    )
  })

  it('with a step that depends on one of its followers: the cycle is named, and nothing in it runs', () => {
    fc.assert(
      fc.property(acyclic, fc.nat(), fc.nat(), (calls, from, to) => {
        const todo = createTodo(calls)
        const needs = needsOf(todo)
        const last = calls[from % calls.length] as PlannedCall
        const before = [...reachable(last.id, needs)]
        const first = before[to % before.length] as string
        const broken = calls.map((one) =>
          one.id === first ? { ...one, dependsOn: [...(one.dependsOn ?? []), last.id] } : one,
        )
        const knotted = createTodo(broken)
        const links = needsOf(knotted)
        expect(knotted.issues.length).toBeGreaterThan(0)
        for (const { code, params } of knotted.issues) {
          expect(code).toBe('plan.cycle')
          const ids = params.ids as string[]
          for (const [i, id] of ids.entries()) expect(links.get(id)).toContain(ids[(i + 1) % ids.length])
          expect(ids).toContain(first)
        }
        for (let wave = 0; wave < broken.length; wave++)
          for (const { id } of knotted.ready) knotted.finish(id, 1)
        expect(knotted.isFinished).toBe(true)
        const isStuck = (id: string) => reachable(id, links).has(first)
        expect(knotted.unfinished.map(({ call }) => call.id)).toEqual(
          broken.map(({ id }) => id).filter(isStuck),
        )
        for (const { status } of knotted.unfinished) expect(status).toBe('skipped')
      }),
      runs,
    )
  })

  it('with failures: done, failed and skipped are all there is, and what is skipped has a reason', () => {
    fc.assert(
      fc.property(acyclic, fc.infiniteStream(fc.boolean()), (calls, luck) => {
        const todo = createTodo(calls)
        const needs = needsOf(todo)
        // No more waves than calls: a list that never ends would show below.
        for (let wave = 0; wave < calls.length; wave++)
          for (const { id } of todo.ready) luck.next().value ? todo.finish(id, 1) : todo.fail(id)
        expect(todo.isFinished).toBe(true)
        const end = statuses(todo)
        for (const [id, status] of Object.entries(end)) {
          const lacks = (needs.get(id) ?? []).some((one) => end[one] !== 'done')
          expect(status === 'skipped').toBe(lacks)
        }
      }),
      runs,
    )
  })
})

/** A step and all that it depends on. */
function reachable(id: string, needs: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set([id])
  for (const one of seen) for (const next of needs.get(one) ?? []) seen.add(next)
  return seen
}
