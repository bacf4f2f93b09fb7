import { Turnstile } from '../../core/turnstile.ts'

/** A worker takes no more steps: the engine tries it again elsewhere. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/** The steps that one process carries out at the same time. A process that is about to end begins no more. */
export class StepRoom {
  private readonly turnstile: Turnstile
  private running = 0
  private isClosed = false
  private onEmpty: (() => void) | undefined

  constructor(most: number) {
    this.turnstile = new Turnstile(most)
  }

  readonly admit = <T>(run: () => Promise<T>): Promise<T> =>
    this.turnstile.pass(async () => {
      if (this.isClosed) throw new NoRoom('This worker is about to end.')
      this.running++
      try {
        return await run()
      } finally {
        this.running--
        if (this.running === 0) this.onEmpty?.()
      }
    })

  /** When all that runs has come to its end. */
  async close(): Promise<void> {
    this.isClosed = true
    if (this.running > 0) await new Promise<void>((resolve) => (this.onEmpty = resolve))
  }
}
