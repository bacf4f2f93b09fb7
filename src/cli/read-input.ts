import { createReadStream } from 'node:fs'
import { fileError, UsageError } from './usage-error.ts'

export interface Input {
  readonly text: string
  /** What the text is called in messages. */
  readonly name: string
  /** What is odd about its bytes; the text can be read all the same. */
  readonly warnings: readonly string[]
}

/** UTF-8 needs three bytes at the most for each unit of a string. */
const BYTES_PER_CHARACTER = 3
/** More characters than this that are no UTF-8, as a share of the text, and it is no text. */
const MOST_UNDECODED = 0.1

/** The text of a file or of standard input; of a text that is too long, enough to see that it is. */
export async function readInput(file: string, maxLength: number): Promise<Input> {
  const name = file === '-' ? 'stdin' : file
  const chunks: Buffer[] = []
  const enough = BYTES_PER_CHARACTER * (maxLength + 1)
  let size = 0
  for await (const chunk of open(file)) {
    chunks.push(chunk)
    size += chunk.length
    if (size > enough) break
  }
  return decode(Buffer.concat(chunks), name, size > enough)
}

/** `more`: the text goes on, so that a character at its end may be cut in two. */
function decode(bytes: Buffer, name: string, more = false): Input {
  const fail = (problem: string) => new UsageError('cli.not_text', `${name}: ${problem}`)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw fail('this text is UTF-16; convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8')
  if (bytes.includes(0)) throw fail('this is no text: it holds NUL bytes')
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: more })
  const undecoded = count(text, '\ufffd') - count(bytes, Buffer.from('\ufffd'))
  if (undecoded > 8 && undecoded > text.length * MOST_UNDECODED)
    throw fail('this is no text: most of it is not UTF-8')
  const places =
    undecoded === 1 ? '1 place is not UTF-8, and was' : `${undecoded} places are not UTF-8, and were`
  const warnings = undecoded > 0 ? [`${name}: ${places} read as \ufffd`] : []
  return { text, name, warnings }
}

function count<T extends string | Buffer>(text: T, part: T): number {
  let found = 0
  for (let at = text.indexOf(part as string); at >= 0; at = text.indexOf(part as string, at + part.length))
    found++
  return found
}

async function* open(file: string): AsyncGenerator<Buffer> {
  const { stdin, stderr, platform } = process
  if (file === '-' && stdin.isTTY)
    stderr.write(
      `Waiting for text on standard input. End it with ${platform === 'win32' ? 'Ctrl-Z and Enter' : 'Ctrl-D'}.\n`,
    )
  const stream = file === '-' ? stdin : createReadStream(file)
  try {
    yield* stream as AsyncIterable<Buffer>
  } catch (error) {
    throw fileError(file === '-' ? 'standard input' : file, error)
  }
}
