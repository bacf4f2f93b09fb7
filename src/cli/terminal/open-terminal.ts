import { StringDecoder } from 'node:string_decoder'
import { LegibleError } from '../../core/legible-error.ts'
import { type AnswerRead, AnswerReader } from './answer-reader.ts'
import { holdModes } from './hold-modes.ts'
import { type InputEvent, KeySplitter } from './key-splitter.ts'
import { LineEditor, type LineRead } from './line-editor.ts'
import type { LineHistory } from './line-history.ts'
import type { Choices } from './match-answer.ts'
import { TypeAhead } from './type-ahead.ts'

export interface TerminalOptions {
  readonly input?: NodeJS.ReadStream
  readonly output?: NodeJS.WriteStream
  /** What a terminal in its usual mode does at Ctrl-C and Ctrl-Z: a signal to all that runs in the foreground. */
  readonly raise?: (signal: NodeJS.Signals) => void
}

interface LineOptions {
  /** What was written before; a line that is sent is added to it. */
  readonly history?: LineHistory
  /** What the line up to the cursor could become, whole. */
  readonly complete?: (line: string) => readonly string[]
  readonly signal?: AbortSignal
}

type KeyName = `ctrl-${string}`

export interface Terminal {
  /** Asks for a message. Ctrl-C is an interrupt, and drops what was typed. */
  readLine(prompt: string, options?: LineOptions): Promise<LineRead>
  /** Asks for one of some words. A paste is no answer, nor what was typed before the choices are shown. */
  readAnswer<T extends string>(
    question: string,
    choices: Choices<T>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<AnswerRead<T>>
  /** Hears a key while no line is asked for. Gives the way to stop it. */
  onKey(key: KeyName, listener: () => void): () => void
  /** Gives the terminal back. Whoever still waits for a line is told that there is none. */
  close(): void
}

/** Who gets the keys. */
interface KeyReader {
  take(event: InputEvent): void
  finish(read: { readonly kind: 'end' | 'interrupt' }): void
  redraw(): void
}

/** The rest of a sequence is there by then, also over a slow line. */
const SEQUENCE_TIME = 100

/** Takes over a terminal: every key comes here, until it is closed. */
export function openTerminal(options: TerminalOptions = {}): Terminal {
  const { input = process.stdin, output = process.stdout } = options
  const { raise = (signal) => process.kill(0, signal) } = options
  const splitter = new KeySplitter()
  const decoder = new StringDecoder('utf8')
  const ahead = new TypeAhead()
  const listeners = new Map<string, Set<() => void>>()
  let reader: KeyReader | undefined
  let hasEnded = false
  let sequenceTimer: NodeJS.Timeout | undefined

  const modes = holdModes({ input, output, raise, onReturn: () => reader?.redraw() })

  function take(event: InputEvent): void {
    const name = event.kind === 'key' ? event.name : undefined
    const heard = name === undefined ? undefined : listeners.get(name)
    if (name === 'ctrl-z') {
      if (process.platform !== 'win32') modes.suspend()
    } else if (reader) reader.take(event)
    else if (heard?.size) for (const listener of [...heard]) listener()
    else if (name === 'ctrl-c') interrupt()
    else ahead.add(event)
  }

  /** Nobody wants to hear of Ctrl-C: it does what it does in any program. */
  function interrupt(): void {
    if (process.listenerCount('SIGINT') === 0) modes.release()
    raise('SIGINT')
  }

  const onData = (bytes: Buffer | string) => {
    clearTimeout(sequenceTimer)
    splitter.push(typeof bytes === 'string' ? bytes : decoder.write(bytes)).forEach(take)
    if (splitter.isUndecided) sequenceTimer = setTimeout(() => splitter.flush().forEach(take), SEQUENCE_TIME)
  }
  const onEnd = () => {
    hasEnded = true
    reader?.finish({ kind: 'end' })
  }
  input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd)
  input.resume()

  /** Makes a reader the one that gets the keys, until it is done. */
  function read<R>(
    signal: AbortSignal | undefined,
    start: (done: (read: R) => void) => KeyReader,
  ): Promise<R> {
    if (reader)
      throw new LegibleError('terminal.busy', 'A terminal reads one line at a time: await the other first.')
    return new Promise((resolve) => {
      const stop = () => reader?.finish({ kind: 'interrupt' })
      reader = start((result) => {
        reader = undefined
        signal?.removeEventListener('abort', stop)
        resolve(result)
      })
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
    })
  }

  return {
    async readLine(prompt, { history, complete, signal } = {}) {
      if (hasEnded && !ahead.hasMore) return { kind: 'end' }
      const line = read<LineRead>(signal, (done) => {
        const lines = history && { history: history.lines }
        return new LineEditor({ output, prompt, ...lines, ...(complete && { complete }), done })
      })
      while (reader && ahead.hasMore) reader.take(ahead.next()!)
      if (hasEnded) reader?.finish({ kind: 'end' })
      const result = await line
      if (result.kind === 'line') history?.add(result.text)
      return result
    },

    async readAnswer(question, choices, { signal } = {}) {
      if (hasEnded) return { kind: 'end' }
      return read(signal, (done) => {
        return new AnswerReader({ output, question, choices, keep: (event) => ahead.add(event), done })
      })
    },

    onKey(key, listener) {
      const heard = listeners.get(key) ?? new Set()
      listeners.set(key, heard.add(listener))
      return () => void heard.delete(listener)
    },

    close() {
      clearTimeout(sequenceTimer)
      onEnd()
      input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd)
      input.pause()
      modes.release()
    },
  }
}
