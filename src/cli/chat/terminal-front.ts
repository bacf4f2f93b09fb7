import type { AgentEvent } from '../../agent/event.ts'
import type { Outcome } from '../../agent/outcome.ts'
import { columns } from '../../core/columns.ts'
import { callLine, errorLine, isCut, questionLines, resultLine } from '../describe-call.ts'
import { type Paint, paintOf } from '../paint.ts'
import { formatScope, keptScope } from '../permission/parse-scope.ts'
import type { Answer, Question } from '../permission/question.ts'
import { wantsColor } from '../print-issues.ts'
import { openHistory } from '../terminal/line-history.ts'
import { MarkdownStream } from '../terminal/markdown-stream.ts'
import { openTerminal } from '../terminal/open-terminal.ts'
import { ReasoningFold } from '../terminal/reasoning-fold.ts'
import type { ChatAbout, ChatFront, Said } from './chat-front.ts'
import { outcomeLine, usedText } from './outcome-line.ts'
import { WaitingLine } from './waiting-line.ts'

export interface TerminalFrontOptions {
  /** Where lines are kept between runs. */
  readonly historyFile: string
  /** What a line that begins with a slash could become. */
  readonly complete: (line: string) => readonly string[]
}

/** There is nothing to go on with. */
const isOver = ({ kind }: Outcome<string>) => kind === 'answered' || kind === 'reported'

/** How many letters of an answer are enough. What counts for ever takes more than a slip of the finger. */
const answers = { yes: 1, no: 1, tell: 1, always: 3, never: 3 } as const
/** Where not all could be shown. */
const carefulAnswers = { ...answers, yes: 3 } as const

/** A person at a terminal. */
export class TerminalFront implements ChatFront {
  readonly isPerson = true
  private readonly output = process.stdout
  private readonly paint: Paint
  private readonly color: boolean
  private readonly terminal = openTerminal()
  private readonly history: ReturnType<typeof openHistory>
  private readonly markdown: MarkdownStream
  private readonly fold: ReasoningFold
  private readonly options: TerminalFrontOptions
  /** Calls that a person was asked about: they were shown then. */
  private readonly asked = new WeakSet<object>()
  /** What happens while a question stands there is shown behind it: nothing moves it away, or looks like it. */
  private held: AgentEvent[] | undefined
  private atStart = true
  private refused = false
  private hasText = false
  private readonly waiting: WaitingLine

  constructor(options: TerminalFrontOptions) {
    this.options = options
    this.color = wantsColor(true, process.env)
    this.paint = paintOf(this.color)
    this.markdown = new MarkdownStream({ color: this.color })
    this.fold = new ReasoningFold({ output: this.output, color: this.color, folded: true })
    this.history = openHistory(options.historyFile, { warn: (message) => this.notice(message, 'problem') })
    this.waiting = new WaitingLine(this.output, this.paint)
    this.terminal.onKey('ctrl-t', () => this.fold.toggle())
  }

  begin({ model, from, root, tools, messages }: ChatAbout): void {
    const { bold, dim } = this.paint
    const why = from === 'default' ? 'offline, no language model: see /model' : `from ${from}`
    this.line(`${bold(columns(model).text)} ${dim(columns(`(${why})`).text)}`)
    if (messages > 0) this.line(dim(`${messages} messages of an earlier conversation`))
    if (tools.length > 0) this.line(dim(columns(`${root}: ${tools.join(', ')}`).text))
    this.line(dim('/help tells what else can be done; Ctrl-C stops a reply, Ctrl-D leaves.'))
  }

  async next(): Promise<Said> {
    this.lineStart()
    const { complete } = this.options
    return this.terminal.readLine(this.paint.cyan('you › '), { history: this.history, complete })
  }

  show(event: AgentEvent): void {
    if (this.held) {
      this.held.push(event)
      return
    }
    this.waiting.stop()
    switch (event.type) {
      case 'turn-start':
        this.refused = false
        this.hasText = false
        this.waiting.start()
        return
      case 'reasoning-delta':
        this.lineStart()
        this.fold.push(event.text)
        return
      case 'reasoning-end':
        this.fold.end()
        return
      case 'reasoning-implied':
        this.endText()
        this.line(this.paint.dim('(what stands above was reasoning)'))
        return
      case 'text-delta':
        this.hasText = true
        this.write(this.markdown.push(event.text))
        return
      case 'turn-retry':
        this.endText()
        this.problem(
          `${event.error.message}${this.hasText ? '; what stands above does not count' : ''}; asking again`,
        )
        return
      case 'turn-idle':
        // That nothing ran because the person said no is no news to them.
        if (this.refused) return
        this.endText()
        this.line(
          this.paint.dim(columns(`the reply was not usable; the model is told: ${event.reason}`).text),
        )
        return
      case 'turn-end':
        this.endText()
        return
      case 'call-start':
        if (!this.asked.has(event.call))
          this.line(`${this.paint.cyan('→')} ${this.paint.dim(callLine(event.call))}`)
        return
      case 'call-end':
        if (event.ok) this.line(`${this.paint.green('✓')} ${this.paint.dim(resultLine(event.result))}`)
        else this.line(`${this.paint.red('✗')} ${this.paint.dim(errorLine(event.error))}`)
        return
      case 'call-refused':
        this.refused = true
        this.line(
          `${this.paint.red('✗')} ${this.paint.dim(`${callLine(event.call)}: not run: ${columns(event.reason).text}`)}`,
        )
        return
      case 'compaction':
        this.line(this.paint.dim(`${event.removed} old messages left out of the conversation`))
        return
    }
  }

  finish(outcome: Outcome<string>): void {
    this.waiting.stop()
    this.endText()
    const text = outcomeLine(outcome)
    if (text !== undefined) this.problem(`${text}${isOver(outcome) ? '' : '; /retry goes on from there'}`)
    this.line(this.paint.dim(usedText(outcome)))
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    this.held = []
    try {
      return await this.askAlone(question, signal)
    } finally {
      const { held } = this
      this.held = undefined
      for (const event of held) this.show(event)
    }
  }

  private async askAlone(question: Question, signal: AbortSignal): Promise<Answer> {
    this.waiting.stop()
    this.endText()
    this.asked.add(question.request.call)
    for (const line of questionLines(question, this.paint)) this.line(line)
    const { needs, request } = question
    const kept = needs.map((need) => formatScope(keptScope(need))).join(', ')
    const scope = `(tell: no, and why; always, never: ${kept}, kept for later)`
    const name = columns(`Run ${request.tool} (${needs.map(formatScope).join(', ')})?`).text
    const said = await this.terminal.readAnswer(
      `${name} ${this.paint.dim(columns(scope).text)}`,
      isCut(question) ? carefulAnswers : answers,
      { signal },
    )
    this.atStart = true
    if (said.kind === 'interrupt') return 'interrupt'
    if (said.kind === 'end') return 'no'
    if (said.answer !== 'tell') return said.answer
    const line = await this.terminal.readLine('tell the model › ', { signal })
    return line.kind === 'line' && line.text.trim() !== '' ? { because: line.text.trim() } : 'no'
  }

  notice(text: string, kind?: 'problem'): void {
    this.lineStart()
    for (const line of text.split('\n')) {
      if (kind === 'problem') this.problem(line)
      else this.line(line)
    }
  }

  onInterrupt(listener: () => void): () => void {
    return this.terminal.onKey('ctrl-c', listener)
  }

  close(): void {
    this.waiting.stop()
    this.terminal.close()
  }

  private problem(text: string): void {
    for (const [i, line] of text.split('\n').entries())
      this.line(`${i === 0 ? this.paint.yellow('!') : ' '} ${columns(line).text}`)
  }

  /** Whatever ends a text: it is written to its end, with its styles closed. */
  private endText(): void {
    this.fold.end()
    this.write(this.markdown.end())
    this.lineStart()
  }

  private lineStart(): void {
    if (!this.atStart) this.write('\n')
  }

  private line(text: string): void {
    this.lineStart()
    this.write(`${text}\n`)
  }

  private write(text: string): void {
    if (text === '') return
    this.output.write(text)
    this.atStart = text.endsWith('\n')
  }
}
