import type { Paint } from '../paint.ts'

const PATIENCE = 800
const TICK = 1000

/** A line that says that the model was asked and has said nothing yet. It is gone when it speaks. */
export class WaitingLine {
  private readonly output: NodeJS.WriteStream
  private readonly paint: Paint
  private timer: NodeJS.Timeout | undefined
  private isShown = false

  constructor(output: NodeJS.WriteStream, paint: Paint) {
    this.output = output
    this.paint = paint
  }

  start(): void {
    const since = Date.now()
    const show = () => {
      const seconds = Math.round((Date.now() - since) / 1000)
      this.output.write(`\r\x1b[K${this.paint.dim(`… ${seconds} s`)}`)
      this.isShown = true
      this.timer = setTimeout(show, TICK)
    }
    this.stop()
    this.timer = setTimeout(show, PATIENCE)
  }

  stop(): void {
    clearTimeout(this.timer)
    if (this.isShown) this.output.write('\r\x1b[K')
    this.isShown = false
  }
}
