import { LegibleError } from '../core/legible-error.ts'
import type { AgentEvent } from './event.ts'
import type { Outcome } from './outcome.ts'

/**
 * One run of an agent. It begins when its events are read or its outcome is asked for, and always ends with an outcome;
 * only a mistake in the program (a missing key, a broken tool, a policy that throws) rejects it. Its events are read once;
 * whoever stops reading before the end cancels it.
 */
export interface Run<T> extends EventedRun<AgentEvent, Outcome<T>> {}

/** Something that takes its time, tells what happens, and comes to an outcome. */
export interface EventedRun<E, O> extends AsyncIterable<E> {
  readonly outcome: Promise<O>
  /** What runs is stopped, and the outcome is `cancelled`. */
  cancel(reason?: unknown): void
}

/** `work` does everything; it tells what happens, and heeds the signal. */
export function createRun<E, O>(
  work: (onEvent: (event: E) => void, signal: AbortSignal) => Promise<O>,
): EventedRun<E, O> {
  const controller = new AbortController()
  const events = new EventQueue<E>()
  let outcome: Promise<O> | undefined
  const begin = (): Promise<O> => {
    if (outcome) return outcome
    outcome = work((event) => events.add(event), controller.signal)
    outcome.then(
      () => events.end(),
      (error) => events.end(error),
    )
    return outcome
  }
  const cancel = (reason: unknown = new DOMException('The run was cancelled.', 'AbortError')) =>
    controller.abort(reason)
  return {
    get outcome() {
      return begin()
    },
    cancel,
    [Symbol.asyncIterator]() {
      events.open()
      begin()
      return {
        async next() {
          const value = await events.next()
          return value === undefined ? { done: true, value } : { done: false, value }
        },
        async return() {
          if (!events.ended) cancel()
          events.close()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** Events on their way from the loop to whoever reads them. Where nobody does, they are not kept. */
class EventQueue<E> {
  ended = false
  private isRead = false
  private events: E[] = []
  private at = 0
  private error: { readonly thrown: unknown } | undefined
  /** Who waits for the next event. */
  private readonly waiting: (() => void)[] = []

  open(): void {
    if (this.isRead) throw new LegibleError('agent.events_read', 'The events of a run can be read once.')
    this.isRead = true
  }

  /** Nobody reads any more. */
  close(): void {
    this.isRead = false
    this.events = []
    this.at = 0
    this.end()
  }

  add(event: E): void {
    if (!this.isRead) return
    this.events.push(event)
    this.waiting.shift()?.()
  }

  end(...thrown: readonly unknown[]): void {
    this.ended = true
    if (thrown.length > 0) this.error = { thrown: thrown[0] }
    for (const wake of this.waiting.splice(0)) wake()
  }

  async next(): Promise<E | undefined> {
    for (;;) {
      if (this.at < this.events.length) return this.events[this.at++]
      this.events = []
      this.at = 0
      if (this.error) throw this.error.thrown
      if (this.ended) return undefined
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }
}
