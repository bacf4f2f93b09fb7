import { describe, expect, test } from 'vitest'
import { Suspension } from './durable.ts'
import { memoryJournal } from './memory-journal.ts'

describe('a journal in memory', () => {
  test('keeps what came of a step, and runs it once', async () => {
    let runs = 0
    const journal = memoryJournal({ runId: 'r' })
    const step = () => journal.step('a', async ({ idempotencyKey }) => [++runs, idempotencyKey])
    expect(await step()).toEqual([1, 'r:a'])
    expect(await step()).toEqual([1, 'r:a'])
    expect(
      await memoryJournal({ runId: 'r', entries: journal.entries }).step('a', async () => 'new'),
    ).toEqual([1, 'r:a'])
  })

  test('does not keep a step that failed', async () => {
    const journal = memoryJournal()
    const failing = journal.step('a', () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await journal.step('a', async () => 2)).toBe(2)
  })

  test('refuses two steps of one name at once', async () => {
    const journal = memoryJournal()
    const first = journal.step('a', async () => 1)
    await expect(journal.step('a', async () => 2)).rejects.toThrow(/runs already/)
    expect(await first).toBe(1)
  })

  test('cannot wait for a word that is not there', async () => {
    const journal = memoryJournal()
    await expect(journal.signal('go')).rejects.toBeInstanceOf(Suspension)
    expect(await journal.signal('go', { timeoutMs: 0 })).toBeNull()
    journal.deliver('go', 'now')
    expect(await journal.signal('go')).toBe('now')
  })

  test('runs branches at once, their steps under their names, results in order', async () => {
    let done: string[] = []
    const journal = memoryJournal({
      runId: 'r',
      runBranch: async ({ input }, branch) => {
        await branch.sleep('wait', input === 'slow' ? 20 : 1)
        const said = await branch.step(
          'say',
          async ({ idempotencyKey }) => `${String(input)} ${idempotencyKey}`,
        )
        done = [...done, String(input)]
        return `${branch.runId}: ${said}`
      },
    })
    const branches = ['slow', 'quick'].map((input, i) => ({ key: `b${i}`, node: null, input }))
    const expected = ['r.b0: slow r:b0/say', 'r.b1: quick r:b1/say']
    expect(await journal.parallel(branches)).toEqual(expected)
    expect(done).toEqual(['quick', 'slow'])
    expect(journal.entries.map(({ key }) => key)).toContain('b0/say')
    // Once more: the branches come to the same by what is kept of them.
    const kept = [...journal.entries]
    expect(await journal.parallel(branches)).toEqual(expected)
    expect(journal.entries).toEqual(kept)
    await expect(memoryJournal().parallel(branches)).rejects.toThrow(/how branches run/)
  })

  test('a wait ends with its signal, and is not kept then', async () => {
    const controller = new AbortController()
    const journal = memoryJournal({ signal: controller.signal })
    const waiting = journal.sleep('a', 60_000)
    controller.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
    expect(journal.entries).toEqual([])
  })
})
