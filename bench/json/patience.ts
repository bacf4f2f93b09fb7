/** Keeps readings from being tried that would take too long, going by the time they took on the size before. */
export class Patience {
  readonly #tooLongMs: number
  readonly #last = new Map<string, number>()

  constructor(tooLongMs: number) {
    this.#tooLongMs = tooLongMs
  }

  note(reading: string, ms: number): void {
    this.#last.set(reading, ms)
  }

  /** Sizes grow by ten, and the worst readers are quadratic. */
  allows(reading: string): boolean {
    return (this.#last.get(reading) ?? 0) * 100 <= this.#tooLongMs
  }
}
