import type { AgentEvent } from '../../agent/event.ts'
import type { Outcome } from '../../agent/outcome.ts'
import { isRecord } from '../../core/is-record.ts'
import { eventLine, outcomeLine } from '../ask-output.ts'
import type { Answer, Question } from '../permission/question.ts'
import type { ChatAbout, ChatFront, Said } from './chat-front.ts'
import { InputLines } from './input-lines.ts'

const verdicts: ReadonlyMap<unknown, Answer> = new Map([
  ['allow', 'yes'],
  ['deny', 'no'],
  ['always', 'always'],
  ['never', 'never'],
])

/**
 * A program. One event a line goes out. What comes in is a line of text, or an object on a line: `{"type": "user", "text": …}`, and
 * `{"type": "verdict", "id": …, "verdict": "allow" | "deny" | "always" | "never"}` for a call that waits.
 */
export class JsonFront implements ChatFront {
  readonly isPerson = false
  private questions = 0
  private readonly waiting = new Map<string, (answer: Answer) => void>()
  private readonly lines = new InputLines(
    process.stdin,
    () => this.notice('a line was too long, and left out', 'problem'),
    (line) => this.takeVerdict(line),
  )

  begin(about: ChatAbout): void {
    this.write({ type: 'session-start', ...about })
  }

  async next(): Promise<Said> {
    for (;;) {
      const line = await this.lines.next()
      if (line === undefined) return { kind: 'end' }
      if (line.trim() === '') continue
      const given = objectIn(line)
      // A line that looks like an object and is none was not meant as text.
      if (!given && !line.trimStart().startsWith('{')) return { kind: 'line', text: line }
      if (!given) {
        this.notice('this line begins like an object, and is none; nothing was sent', 'problem')
        continue
      }
      if (given.type === 'user' && typeof given.text === 'string')
        return { kind: 'line', text: given.text, literal: true }
      this.notice(
        'expected a line of text, or an object with "type": "user" and a text, or with "type": "verdict"',
        'problem',
      )
    }
  }

  show(event: AgentEvent): void {
    process.stdout.write(`${eventLine(event)}\n`)
  }

  finish(outcome: Outcome<string>): void {
    process.stdout.write(`${outcomeLine(outcome)}\n`)
  }

  ask({ request, needs, preview }: Question, signal: AbortSignal): Promise<Answer> {
    // Of our own: a provider may give the same id to another call.
    const id = `q${++this.questions}`
    this.write({ type: 'question', id, tool: request.tool, call: request.call, needs, preview })
    return new Promise((answer) => {
      const resolve = (one: Answer) => {
        this.waiting.delete(id)
        answer(one)
      }
      this.waiting.set(id, resolve)
      this.lines.onEnd(() => resolve('nobody'))
      signal.addEventListener('abort', () => resolve('no'), { once: true })
    })
  }

  notice(text: string, kind?: 'problem'): void {
    this.write({ type: 'notice', text, ...(kind && { kind }) })
  }

  onInterrupt(listener: () => void): () => void {
    process.on('SIGINT', listener)
    return () => process.off('SIGINT', listener)
  }

  close(): void {
    process.stdin.destroy()
  }

  private takeVerdict(line: string): boolean {
    const given = objectIn(line)
    if (given?.type !== 'verdict') return false
    const answer = verdicts.get(given.verdict)
    const resolve = this.waiting.get(String(given.id))
    if (answer === undefined) this.notice('a verdict is allow, deny, always or never', 'problem')
    else if (!resolve) this.notice(`no call waits for a verdict on ${JSON.stringify(given.id)}`, 'problem')
    else resolve(answer)
    return true
  }

  private write(event: object): void {
    process.stdout.write(`${JSON.stringify(event)}\n`)
  }
}

function objectIn(line: string): Record<string, unknown> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) && typeof value.type === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
