import type { ApprovalRequest, Verdict } from '../../agent/approval.ts'
import type { Agent } from '../../agent/define-agent.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Outcome } from '../../agent/outcome.ts'
import type { Run } from '../../agent/run.ts'
import type { Issue } from '../../core/issue.ts'
import type { Message } from '../../model/message.ts'
import { Told } from './told.ts'

/** A reply of the model as it came, and what reading it brought up. */
export interface Reply {
  readonly text: string
  readonly finish: string
  readonly issues: readonly Issue[]
}

/** One message of the user, and what came of it. */
export interface Turn {
  readonly text: string
  /** The conversation before it. */
  readonly before: readonly Message[]
  readonly replies: readonly Reply[]
  readonly outcome: Outcome<string>
  readonly reasoning: string
}

export interface ChatSessionOptions {
  readonly agent: (approve: Approve) => Agent<string>
  readonly show: (event: AgentEvent) => void
  readonly ask: Approve
}

type Approve = (request: ApprovalRequest, signal: AbortSignal) => Promise<Verdict | 'later'>

/** A conversation: what was said, and what can be done about the last turn. */
export class ChatSession {
  messages: readonly Message[] = []
  last: Turn | undefined
  private readonly options: ChatSessionOptions
  private running: Run<string> | undefined
  private told = new Told()

  constructor(options: ChatSessionOptions, messages: readonly Message[] = []) {
    this.options = options
    this.messages = messages
  }

  /** The user says something. */
  send(text: string): Promise<Outcome<string>> {
    this.told = new Told()
    // A message that was not answered would stand before the next one as if both were one.
    const last = this.messages.at(-1)?.role
    if (last === 'user' || last === 'tool')
      this.messages = [...this.messages, { role: 'assistant', content: '(This reply was stopped.)' }]
    return this.play(text, this.messages, this.agent().start(text, { history: this.messages }))
  }

  /** The last turn again: from where it broke off, or anew if it came to an answer. Nothing comes of it when there is none. */
  async retry(): Promise<Outcome<string> | undefined> {
    if (!this.last) return undefined
    const { text, before, outcome } = this.last
    const { kind, saved } = outcome
    if (kind === 'answered' || kind === 'reported' || !saved) {
      this.messages = before
      return this.send(text)
    }
    // What was told of it already is not told again.
    this.told.repeat()
    return this.play(text, before, this.agent().resume(saved))
  }

  cancel(): void {
    this.running?.cancel('interrupted')
  }

  private agent(): Agent<string> {
    return this.options.agent(async (request, signal) => {
      // Events are on their way while the loop asks already: what was said before comes before the question.
      await this.told.about(request.id)
      return this.options.ask(request, signal)
    })
  }

  private async play(text: string, before: readonly Message[], run: Run<string>): Promise<Outcome<string>> {
    this.running = run
    const replies: { text: string; finish: string; issues: Issue[] }[] = []
    let reasoning = ''
    try {
      for await (const event of run) {
        if (event.type === 'turn-start') reasoning = ''
        if (event.type === 'reasoning-delta') reasoning += event.text
        if (event.type === 'turn-end' && !event.aside)
          replies.push({ text: event.text, finish: event.finish, issues: [] })
        if (event.type === 'issues') replies.at(-1)?.issues.push(...event.issues)
        if (this.told.isNew(event)) this.options.show(event)
      }
      const outcome = await run.outcome
      if (outcome.kind === 'failed' && outcome.partial !== '')
        replies.push({ text: outcome.partial, finish: 'broken off', issues: [] })
      this.last = { text, before, replies, outcome, reasoning }
      this.messages = outcome.messages
      return outcome
    } finally {
      this.running = undefined
    }
  }
}
