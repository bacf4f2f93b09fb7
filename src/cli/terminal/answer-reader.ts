import type { InputEvent } from './key-splitter.ts'
import { LineEditor } from './line-editor.ts'
import { type Choices, formatChoices, matchAnswer, wordsOf } from './match-answer.ts'

/** What came of asking for an answer. Only `answer` permits anything. */
export type AnswerRead<T extends string> =
  | { readonly kind: 'answer'; readonly answer: T }
  | { readonly kind: 'end' }
  | { readonly kind: 'interrupt' }

export interface AnswerOptions<T extends string> {
  readonly output: NodeJS.WriteStream
  readonly question: string
  readonly choices: Choices<T>
  /** Gets what was typed too early to be an answer. */
  readonly keep: (event: InputEvent) => void
  readonly done: (read: AnswerRead<T>) => void
}

/** Who is in the middle of a word does not pause for so long; who has read a question has. */
const QUIET_TIME = 250

/**
 * A question whose answer has consequences. The choices are shown, and an answer is taken, once nothing was typed for a
 * moment: who was writing a message when the question came up has not answered it.
 */
export class AnswerReader<T extends string> {
  private readonly options: AnswerOptions<T>
  private editor: LineEditor | undefined
  private quiet: NodeJS.Timeout | undefined

  constructor(options: AnswerOptions<T>) {
    this.options = options
    options.output.write(`${options.question}\n`)
    this.wait()
  }

  take(event: InputEvent): void {
    if (this.editor) this.editor.take(event)
    else if (event.kind === 'key' && event.name === 'ctrl-c') this.finish({ kind: 'interrupt' })
    else {
      this.options.keep(event)
      this.wait()
    }
  }

  finish(read: { readonly kind: 'end' | 'interrupt' }): void {
    clearTimeout(this.quiet)
    if (this.editor) this.editor.finish(read)
    else this.options.done(read)
  }

  redraw(): void {
    this.editor?.redraw()
  }

  private wait(): void {
    clearTimeout(this.quiet)
    this.quiet = setTimeout(() => this.ask(), QUIET_TIME)
  }

  private ask(): void {
    const { output, choices, done } = this.options
    this.editor = new LineEditor({
      output,
      prompt: formatChoices(choices),
      isAnswer: true,
      done: (read) => {
        if (read.kind !== 'line') return done(read)
        const answer = matchAnswer(read.text, choices)
        if (answer !== undefined) return done({ kind: 'answer', answer })
        output.write(`Please type one of these: ${wordsOf(choices).join(', ')}.\n`)
        // What follows at once was not written for the next question.
        this.editor = undefined
        this.wait()
      },
    })
  }
}
