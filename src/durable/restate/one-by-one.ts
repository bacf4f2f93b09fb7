import { setImmediate } from 'node:timers/promises'
import { RestatePromise } from '@restatedev/restate-sdk'

/** Waits for something at the engine. */
export type Wait = <T>(operation: RestatePromise<T>) => Promise<T>

/** Something that is waited for. */
interface Operation {
  /** Never fails: gives how it ended, and whose end that is. */
  readonly ended: RestatePromise<Ended>
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

interface Ended {
  readonly of: () => Operation
  readonly value?: unknown
  readonly failure?: unknown
}

/**
 * Lets a program wait for several things at once. The SDK waits for one promise at a time, and replays an invocation by the order in
 * which things began and ended. So all that is waited for is one race, again and again; what has ended is handed on alone, and what
 * follows from it has begun before the race goes on: that is the same order in every try.
 */
export function oneByOne(onCancel?: (error: unknown) => void): Wait {
  let open: Operation[] = []
  let isRacing = false

  const race = async (): Promise<void> => {
    while (open.length > 0) {
      // All that begins at the same time is in the race.
      await setImmediate()
      try {
        const ended = await RestatePromise.race(open.map((one) => one.ended))
        const operation = ended.of()
        open = open.filter((one) => one !== operation)
        if (ended.failure === undefined) operation.resolve(ended.value as never)
        else operation.reject(ended.failure)
      } catch (error) {
        // Whatever is waited for, the invocation is cancelled.
        const all = open
        open = []
        onCancel?.(error)
        for (const { reject } of all) reject(error)
      }
    }
    // At once: whoever comes now begins another race.
    isRacing = false
  }

  return <T>(operation: RestatePromise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const one: Operation = {
        ended: operation.map((value, failure) => ({ of: () => one, value, failure })),
        resolve,
        reject,
      }
      open.push(one)
      if (isRacing) return
      isRacing = true
      void race()
    })
}
