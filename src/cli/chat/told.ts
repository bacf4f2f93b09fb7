import type { AgentEvent } from '../../agent/event.ts'

/**
 * What was told of a turn already. A run that is taken up again tells everything from its beginning; people have seen it.
 */
export class Told {
  /** Questions to the model that came to an end. */
  private turns = 0
  private readonly calls = new Set<string>()
  private readonly requests = new Map<string, { promise: Promise<void>; resolve: () => void }>()
  /** How many ended turns are still told again. */
  private again = 0
  private callsAgain = new Set<string>()

  /** All that is told from now on was told before, up to where it broke off. */
  repeat(): void {
    this.again = this.turns
    this.turns = 0
    this.callsAgain = new Set(this.calls)
    this.requests.clear()
  }

  isNew(event: AgentEvent): boolean {
    // Providers give ids, and may give one twice.
    const key = (call: { readonly id: string }) => `${this.turns} ${call.id}`
    switch (event.type) {
      case 'approval-request':
        this.request(event.request.id).resolve()
        return !this.callsAgain.has(key(event.request.call))
      case 'approval-verdict':
        return !this.callsAgain.has(key(event.request.call))
      case 'call-start':
        return !this.callsAgain.has(key(event.call))
      case 'call-refused':
      case 'call-end':
        this.calls.add(key(event.call))
        return !this.callsAgain.has(key(event.call))
      case 'turn-end': {
        this.turns++
        return this.turns > this.again
      }
      default:
        return this.turns >= this.again
    }
  }

  /** When it was told that a call waits for permission. */
  about(id: string): Promise<void> {
    return this.request(id).promise
  }

  private request(id: string) {
    const known = this.requests.get(id)
    if (known) return known
    let resolve = () => {}
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    const made = { promise, resolve }
    this.requests.set(id, made)
    return made
  }
}
