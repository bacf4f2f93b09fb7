import { median } from '../measure.ts'
import type { Contender } from './contenders.ts'
import { checkCompleted, onEngine, timesOf } from './on-engine.ts'

/**
 * The median of milliseconds of runs that have the engine for themselves, by contender. They take turns on one engine, so that whatever
 * slows the machine down for a while slows all of them alike.
 */
export function measureAlone(
  contenders: readonly Contender[],
  count: number,
  workers: number,
): Promise<number[]> {
  return onEngine(contenders, workers, async (server) => {
    const warmUp = Math.ceil(count / 3)
    for (let i = 0; i < warmUp + count; i++)
      for (const { service, requestOf } of contenders) {
        const id = `${i < warmUp ? 'warm' : 'alone'}${i}`
        await server.submit(service, id, requestOf(id))
        await server.ended(service, id)
      }
    return Promise.all(
      contenders.map(async (contender) => {
        await checkCompleted(server, contender, warmUp + count)
        const times = (await timesOf(server, contender)).filter(({ id }) => id.startsWith('alone'))
        return median(times.map(({ created, ended }) => ended - created))
      }),
    )
  })
}
