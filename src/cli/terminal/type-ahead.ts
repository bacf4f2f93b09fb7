import type { InputEvent } from './key-splitter.ts'

/** More than anybody types while a reply arrives. */
const MOST_TYPED = 10_000
/** Texts that were pasted meanwhile. */
const MOST_PASTES = 10

/** What was typed while nobody asked for it: kept for the next line, up to a bound. */
export class TypeAhead {
  private readonly events: InputEvent[] = []
  private typed = 0
  private pastes = 0

  get hasMore(): boolean {
    return this.events.length > 0
  }

  add(event: InputEvent): void {
    if (event.kind === 'paste' ? this.pastes >= MOST_PASTES : this.typed + event.text.length > MOST_TYPED)
      return
    this.events.push(event)
    this.count(event, 1)
  }

  next(): InputEvent | undefined {
    const event = this.events.shift()
    if (event) this.count(event, -1)
    return event
  }

  private count(event: InputEvent, sign: 1 | -1): void {
    if (event.kind === 'paste') this.pastes += sign
    else this.typed += sign * event.text.length
  }
}
