import type { AgentEvent } from './event.ts'
import type { Outcome } from './outcome.ts'

/**
 * One run of an agent. It begins when its events are read or its outcome is asked for, and always ends with an outcome;
 * only a mistake in the program (a missing key, a broken tool, a policy that throws) rejects it. Whoever stops reading the
 * events before the end cancels it.
 */
export interface Run<T> extends AsyncIterable<AgentEvent> {
  readonly outcome: Promise<Outcome<T>>
  /** What runs is stopped, and the outcome is `cancelled`. */
  cancel(reason?: unknown): void
}

/** `work` does everything; it tells what happens, and heeds the signal. */
export function createRun<T>(
  work: (onEvent: (event: AgentEvent) => void, signal: AbortSignal) => Promise<Outcome<T>>,
): Run<T> {
  const controller = new AbortController()
  let queue: EventQueue | undefined
  let outcome: Promise<Outcome<T>> | undefined
  const begin = (): Promise<Outcome<T>> => {
    if (outcome) return outcome
    outcome = work((event) => queue?.add(event), controller.signal)
    outcome.then(
      () => queue?.end(),
      (error) => queue?.end(error),
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
    async *[Symbol.asyncIterator]() {
      queue = new EventQueue()
      const events = queue
      begin()
      try {
        for (;;) {
          const event = await events.next()
          if (event === undefined) return
          yield event
        }
      } finally {
        if (!events.ended) cancel()
      }
    },
  }
}

/** Events from the loop to its reader. */
class EventQueue {
  ended = false
  private events: AgentEvent[] = []
  private at = 0
  private error: { readonly thrown: unknown } | undefined
  private wake: (() => void) | undefined

  add(event: AgentEvent): void {
    this.events.push(event)
    this.wake?.()
  }

  end(...thrown: readonly unknown[]): void {
    this.ended = true
    if (thrown.length > 0) this.error = { thrown: thrown[0] }
    this.wake?.()
  }

  async next(): Promise<AgentEvent | undefined> {
    for (;;) {
      if (this.at < this.events.length) return this.events[this.at++]
      this.events = []
      this.at = 0
      if (this.error) throw this.error.thrown
      if (this.ended) return undefined
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }
}
