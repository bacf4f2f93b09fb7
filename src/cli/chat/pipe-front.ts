import type { AgentEvent } from '../../agent/event.ts'
import type { Outcome } from '../../agent/outcome.ts'
import { columns } from '../../core/columns.ts'
import { callLine, errorLine, resultLine } from '../describe-call.ts'
import { paintOf } from '../paint.ts'
import { formatScope } from '../permission/parse-scope.ts'
import type { Answer, Question } from '../permission/question.ts'
import { wantsColor } from '../print-issues.ts'
import { SafeText } from '../terminal/safe-text.ts'
import type { ChatAbout, ChatFront, Said } from './chat-front.ts'
import { InputLines } from './input-lines.ts'
import { outcomeLine } from './outcome-line.ts'

/** Lines from a pipe or a file, each a message. Answers go to standard output, all else to standard error. */
export class PipeFront implements ChatFront {
  readonly isPerson = false
  private readonly lines = new InputLines(process.stdin, () =>
    this.notice('a line was too long, and left out', 'problem'),
  )
  private readonly paint = paintOf(wantsColor(process.stderr.isTTY, process.env))
  /** Of the reply that arrives: what is shown of it is not known to count until it ends. */
  private text = ''
  private refused = false

  begin({ model, from }: ChatAbout): void {
    const why = from === 'default' ? 'offline, no language model: see --model' : `from ${from}`
    this.notice(`${model} (${why})`)
  }

  async next(): Promise<Said> {
    for (;;) {
      const text = await this.lines.next()
      if (text === undefined) return { kind: 'end' }
      if (text.trim() !== '') return { kind: 'line', text }
    }
  }

  show(event: AgentEvent): void {
    switch (event.type) {
      case 'turn-start':
        this.text = ''
        this.refused = false
        return
      case 'text-delta':
        this.text += event.text
        return
      case 'reasoning-implied':
        this.text = ''
        return
      case 'turn-end':
        if (!event.aside) this.flush()
        return
      case 'turn-retry':
        this.text = ''
        this.notice(`${event.error.message}; asking again`, 'problem')
        return
      case 'turn-idle':
        // That nothing ran because it is not permitted was told.
        if (this.refused) return
        this.notice(`the reply was not usable; the model is told: ${event.reason}`, 'problem')
        return
      case 'call-start':
        this.notice(`→ ${callLine(event.call)}`)
        return
      case 'call-end':
        this.notice(event.ok ? `✓ ${resultLine(event.result)}` : `✗ ${errorLine(event.error)}`)
        return
      case 'call-refused':
        this.refused = true
        this.notice(`✗ ${callLine(event.call)}: not run: ${event.reason}`)
        return
    }
  }

  finish(outcome: Outcome<string>): void {
    this.text = ''
    const text = outcomeLine(outcome)
    if (text !== undefined) this.notice(text, 'problem')
  }

  async ask({ needs }: Question): Promise<Answer> {
    this.notice(
      `nobody can be asked; --allow ${needs.map(formatScope).join(' --allow ')} permits it`,
      'problem',
    )
    return 'nobody'
  }

  notice(text: string, kind?: 'problem'): void {
    for (const line of text.split('\n')) {
      const shown = columns(line).text
      process.stderr.write(`${kind === 'problem' ? `! ${shown}` : this.paint.dim(shown)}\n`)
    }
  }

  onInterrupt(listener: () => void): () => void {
    process.on('SIGINT', listener)
    return () => process.off('SIGINT', listener)
  }

  close(): void {
    process.stdin.destroy()
  }

  /** A text in a file or a pipe stays as it is; on a terminal nothing of it is obeyed. */
  private flush(): void {
    if (this.text === '') return
    const safe = new SafeText()
    const text = process.stdout.isTTY ? safe.push(this.text) + safe.end() : this.text
    process.stdout.write(`${text}\n`)
    this.text = ''
  }
}
