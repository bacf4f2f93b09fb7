import { StringDecoder } from 'node:string_decoder'

/** Characters. */
const LONGEST_LINE = 4 * 1024 * 1024
/** Characters of lines that nobody has asked for yet: who sends more has to wait. */
const MOST_WAITING = 8 * 1024 * 1024

/** Lines that come in, kept until somebody asks for them. */
export class InputLines {
  private readonly input: NodeJS.ReadableStream
  private readonly onLine: (line: string) => boolean
  private readonly onTooLong: () => void
  private readonly decoder = new StringDecoder('utf8')
  private readonly asking: ((line: string | undefined) => void)[] = []
  private readonly lines: string[] = []
  private readonly waitingForEnd: (() => void)[] = []
  private size = 0
  private rest = ''
  private isTooLong = false
  private ended = false

  /** `onLine`: whether it has taken the line, which is not kept then. `onTooLong`: a line was left out. */
  constructor(
    input: NodeJS.ReadableStream,
    onTooLong: () => void,
    onLine: (line: string) => boolean = () => false,
  ) {
    this.input = input
    this.onLine = onLine
    this.onTooLong = onTooLong
    input.on('data', (chunk: Buffer) => this.take(this.decoder.write(chunk)))
    input.on('end', () => this.end())
    input.on('close', () => this.end())
    input.on('error', () => this.end())
  }

  /** The next line; nothing comes when there are no more. */
  next(): Promise<string | undefined> {
    const line = this.lines.shift()
    if (line !== undefined) {
      this.size -= line.length
      if (this.size < MOST_WAITING) this.input.resume()
      return Promise.resolve(line)
    }
    if (this.ended) return Promise.resolve(undefined)
    return new Promise((resolve) => this.asking.push(resolve))
  }

  /** When nothing more comes in, though lines may be left. */
  onEnd(listener: () => void): void {
    if (this.ended) listener()
    else this.waitingForEnd.push(listener)
  }

  private take(text: string): void {
    const [first = '', ...others] = text.split('\n')
    this.append(first)
    for (const piece of others) {
      this.endLine()
      this.append(piece)
    }
    if (this.size >= MOST_WAITING) this.input.pause()
  }

  private append(piece: string): void {
    if (this.rest.length + piece.length > LONGEST_LINE) {
      this.isTooLong = true
      this.rest = ''
    } else if (!this.isTooLong) this.rest += piece
  }

  private endLine(): void {
    const line = this.rest.replace(/\r$/, '')
    const { isTooLong } = this
    this.rest = ''
    this.isTooLong = false
    if (isTooLong) this.onTooLong()
    else this.add(line)
  }

  private add(line: string): void {
    if (this.onLine(line)) return
    const next = this.asking.shift()
    if (next) next(line)
    else {
      this.lines.push(line)
      this.size += line.length
    }
  }

  private end(): void {
    if (this.ended) return
    this.append(this.decoder.end())
    if (this.rest !== '' || this.isTooLong) this.endLine()
    this.ended = true
    for (const resolve of this.asking.splice(0)) resolve(undefined)
    for (const listener of this.waitingForEnd.splice(0)) listener()
  }
}
