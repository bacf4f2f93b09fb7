import type { AgentEvent } from '../../agent/event.ts'
import type { Outcome } from '../../agent/outcome.ts'
import type { Answer, Question } from '../permission/question.ts'

/** What the person, or the program, does next. */
export type Said =
  /** `literal`: a message, also if it begins like a command. */
  | { readonly kind: 'line'; readonly text: string; readonly literal?: boolean }
  | { readonly kind: 'end' }
  /** `dropped`: it took back what was written so far. */
  | { readonly kind: 'interrupt'; readonly dropped?: boolean }

export interface ChatAbout {
  readonly model: string
  /** Why it is this one. */
  readonly from: string
  readonly root: string
  readonly tools: readonly string[]
  /** Messages of a conversation that goes on. */
  readonly messages: number
}

/** Who talks with the model: a person at a terminal, lines from a pipe, or a program. */
export interface ChatFront {
  /** Whether a person is there, so that a turn which fails is no reason to end with a failure. */
  readonly isPerson: boolean
  begin(about: ChatAbout): void
  next(): Promise<Said>
  /** What happens while the model answers. */
  show(event: AgentEvent): void
  finish(outcome: Outcome<string>): void
  ask(question: Question, signal: AbortSignal): Promise<Answer>
  /** What the command has to say itself; `problem`: what went wrong. */
  notice(text: string, kind?: 'problem'): void
  /** While the model answers. Gives the way to stop listening. */
  onInterrupt(listener: () => void): () => void
  close(): void
}
