import { createInterface } from 'node:readline'

/** Lines that come in, kept until somebody asks for them. */
export class InputLines {
  private readonly waiting: ((line: string | undefined) => void)[] = []
  private readonly lines: string[] = []
  private ended = false
  private readonly onLine: (line: string) => boolean

  /** `onLine`: whether it has taken the line, which is not kept then. */
  constructor(input: NodeJS.ReadableStream, onLine: (line: string) => boolean = () => false) {
    this.onLine = onLine
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
    lines.on('line', (line) => this.add(line))
    lines.on('close', () => this.end())
  }

  /** The next line; nothing comes when there are no more. */
  next(): Promise<string | undefined> {
    const line = this.lines.shift()
    if (line !== undefined) return Promise.resolve(line)
    if (this.ended) return Promise.resolve(undefined)
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  get isAtEnd(): boolean {
    return this.ended
  }

  /** When nothing more comes in, though lines may be left. */
  onEnd(listener: () => void): void {
    if (this.ended) listener()
    else this.waitingForEnd.push(listener)
  }

  private readonly waitingForEnd: (() => void)[] = []

  private add(line: string): void {
    if (this.onLine(line)) return
    const next = this.waiting.shift()
    if (next) next(line)
    else this.lines.push(line)
  }

  private end(): void {
    this.ended = true
    for (const resolve of this.waiting.splice(0)) resolve(undefined)
    for (const listener of this.waitingForEnd.splice(0)) listener()
  }
}
