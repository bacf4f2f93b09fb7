import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { columns } from '../../core/columns.ts'
import { cleanInput } from './clean-input.ts'
import { completeLine } from './complete-line.ts'
import { EditorScreen, type NodeEditor } from './editor-screen.ts'
import type { InputEvent } from './key-splitter.ts'
import { PastedTexts } from './pasted-texts.ts'

/** What came of asking for a line. */
export type LineRead =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'end' }
  /** `dropped`: something was written, and is gone. */
  | { readonly kind: 'interrupt'; readonly dropped?: boolean }

export interface EditorOptions {
  readonly output: NodeJS.WriteStream
  readonly prompt: string
  /** Oldest first. */
  readonly history?: readonly string[]
  readonly complete?: (line: string) => readonly string[]
  /** An answer that permits something is typed, not pasted, and has one line. */
  readonly isAnswer?: boolean
  readonly done: (read: LineRead) => void
}

const CONTINUED = '… '
const BELL = '\x07'
// The keys that Node's editor reads as a whole; of others it would take a part for text. Ctrl-_ and Ctrl-^ are undo and redo.
const nodeKey =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
  /^(?:[\x01-\x1a\x1e\x1f\x7f]|\x1b[^[O\x1b]|\x1bO\d?[A-Za-z]|\x1b\[\[?(?:\d\d?(?:;\d)?[~^$]|(?:(?:\d;)?\d)?[A-Za-z]))$/u

/** One message while it is written. Node's own `readline` edits each row of it; what it cannot do is done here. */
export class LineEditor {
  private readonly options: EditorOptions
  private readonly keys = new PassThrough()
  private readonly pastes = new PastedTexts()
  private readonly screen: EditorScreen
  private readonly editor: NodeEditor
  /** Rows that are done, of a message that goes on. */
  private readonly rows: string[] = []
  private continues = false
  private isDone = false

  constructor(options: EditorOptions) {
    this.options = options
    const { output, prompt, history = [] } = options
    this.screen = new EditorScreen(output)
    this.editor = createInterface({
      input: this.keys,
      output: this.screen,
      terminal: true,
      prompt,
      history: history.map((line) => (line.includes('\n') ? this.pastes.recall(line) : line)).reverse(),
      historySize: history.length + 1,
    })
    this.screen.serve(this.editor)
    this.editor.on('line', (row) => this.endRow(row))
    this.editor.prompt()
  }

  take(event: InputEvent): void {
    if (event.kind === 'text') this.editor.write(event.text)
    else if (event.kind === 'paste') this.paste(event.text, event.isCut)
    else if (!this.screen.takes(event.text)) this.press(event.name, event.text)
  }

  /** Ends it from without, whatever is written so far. */
  finish(read: LineRead): void {
    if (this.isDone) return
    this.isDone = true
    if (read.kind !== 'line') {
      // Behind all that is written, so that nothing is written over it.
      this.editor.write(null, { ctrl: true, name: 'e' })
      this.options.output.write('\n')
    }
    this.screen.release()
    this.editor.close()
    this.options.done(read)
  }

  /** The cursor is somewhere else: the row is written again. */
  redraw(): void {
    this.editor.prevRows = 0
    this.editor.prompt(true)
  }

  private press(name: string | undefined, text: string): void {
    const { line, cursor } = this.editor
    const { isAnswer, complete } = this.options
    if (name === 'ctrl-c')
      this.finish({ kind: 'interrupt', ...((line !== '' || this.rows.length > 0) && { dropped: true }) })
    else if (name === 'ctrl-d' && line === '') {
      if (this.rows.length === 0) this.finish({ kind: 'end' })
    } else if (name === 'tab') {
      if (complete && this.rows.length === 0) this.complete(complete)
    } else if (name === 'alt-enter' && !isAnswer) {
      this.continues = true
      this.feed('\r')
    } else if (name === 'backspace') this.feed(text, this.pastes.markBefore(line, cursor)?.length)
    else if (name === 'delete') this.feed(text, this.pastes.markAt(line, cursor)?.length)
    else if (nodeKey.test(text)) this.feed(text)
  }

  /** To Node's editor, at once: what comes of it is known when this returns. */
  private feed(key: string, times = 1): void {
    for (let i = 0; i < times; i++) this.keys.emit('data', key)
  }

  private paste(pasted: string, isCut: boolean): void {
    if (this.options.isAnswer) {
      this.options.output.write(BELL)
      return
    }
    const text = cleanInput(pasted)
    if (text === '') return
    const isShort = !text.includes('\n') && !isCut && text.length <= SHORT
    this.editor.write(isShort ? text : this.pastes.paste(text, isCut))
  }

  private endRow(row: string): void {
    const { isAnswer } = this.options
    if (this.continues || (!isAnswer && endsOpen(row))) {
      this.rows.push(this.continues ? row : row.slice(0, -1))
      this.continues = false
      this.editor.setPrompt(CONTINUED)
      this.editor.prompt()
      return
    }
    this.finish({
      kind: 'line',
      text: [...this.rows, row].map((each) => this.pastes.expand(each)).join('\n'),
    })
  }

  private complete(candidates: (line: string) => readonly string[]): void {
    const { output } = this.options
    const line = this.editor.line.slice(0, this.editor.cursor)
    const { added, choices } = completeLine(line, candidates(line))
    if (added !== '') this.editor.write(added)
    if (choices.length === 0) return
    const { cursor } = this.editor
    this.editor.write(null, { ctrl: true, name: 'e' })
    output.write(`\n${choices.map((choice) => columns(choice).text).join('  ')}\n`)
    this.editor.cursor = cursor
    this.redraw()
  }
}

/** A backslash at the end: the message goes on. Two of them are a text that ends so. */
function endsOpen(row: string): boolean {
  let slashes = 0
  while (row.at(-1 - slashes) === '\\') slashes++
  return slashes % 2 === 1
}

/** A pasted line that is longer would push what is written out of sight. */
const SHORT = 1000
