import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { isAboutOldTurns, isComplaint, wantsNewPlan } from '../loop-words.ts'
import { type Contract, plain } from './contract.ts'
import { isFinished } from './is-finished.ts'
import { readContract } from './read-contract.ts'
import { type Results, readResults, resultsOf } from './read-results.ts'

/** One reply since the task was given, and what came of it: results of calls, or words that say what was wrong. */
export interface Turn {
  readonly reply: string
  /** It has called tools by means of the API. */
  readonly calls: boolean
  outcome?: 'results' | 'failed' | 'complaint'
  /** What was said behind the results, message by message. */
  readonly notes: string[]
  readonly outputs: string[]
}

/** A reply that is not there. */
const silence = (outcome?: Turn['outcome']): Turn => ({
  reply: '',
  calls: true,
  notes: [],
  outputs: [],
  ...(outcome && { outcome }),
})

/**
 * Walks through the messages. Only the system and the user steer: a message that brings results, or that complains about a
 * reply which did not finish the task, is about that reply.
 */
export class Conversation {
  contract: Contract = plain
  task = ''
  system = ''
  turns: Turn[] = []
  /** Messages behind that of the task which may belong to it. */
  additions = 0

  add(message: LanguageModelV4Message): void {
    switch (message.role) {
      case 'system':
        this.system += `${this.withoutContract(message.content)}\n`
        break
      case 'user':
        this.addUser(message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
        break
      case 'assistant': {
        const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
        const calls = message.content.some((part) => part.type === 'tool-call')
        this.turns.push({ reply: text, calls, notes: [], outputs: [] })
        break
      }
      case 'tool': {
        const contents = message.content.flatMap((part) =>
          part.type === 'tool-result' ? [outputText(part.output)] : [],
        )
        this.close(resultsOf(contents))
        break
      }
    }
  }

  /** Results and words may stand in one message. */
  private addUser(texts: readonly string[]): void {
    const words: string[] = []
    for (const text of texts) {
      // Nothing comes of calls before there is a task.
      const isFirst = this.turns.length === 0 && this.task === ''
      const results = isFirst ? undefined : readResults(text, this.contract)
      if (results) this.close(results)
      else if (isAboutOldTurns(text)) this.turns.push(silence('results'))
      else words.push(text)
    }
    if (words.length > 0) this.addWords(words.join('\n'))
  }

  private addWords(text: string): void {
    const last = this.turns.at(-1)
    const complains = isComplaint(text)
    if (last?.outcome !== undefined) {
      last.notes.push(text)
      // About a reply that was empty, and is not carried; or about results that call for another plan.
      if (complains && !wantsNewPlan(text)) this.turns.push(silence('complaint'))
    } else if (last) {
      const isAbout = complains || last.calls || !isFinished(last.reply, this.contract)
      if (isAbout) last.outcome = 'complaint'
      else this.beginTask(text)
    } else if (
      !complains &&
      (this.task.trim() === '' || this.contract.kind === 'plain' || readContract(text))
    )
      this.beginTask(text)
    // Some do not carry replies that were empty: what is said behind the task is about one of them.
    else this.turns.push(silence('complaint'))
  }

  /** What was said before is over. */
  private beginTask(text: string): void {
    if (this.turns.length > 0) this.task = ''
    this.turns = []
    this.additions = this.task.trim() === '' ? 0 : this.additions + 1
    this.task += `${this.withoutContract(text)}\n`
  }

  failures(): number {
    let count = 0
    for (const { outcome, notes } of this.turns.toReversed()) {
      // The first note tells what to do with the results, the next ones that it was not done.
      count += Math.max(0, notes.length - 1)
      if (outcome === 'results') return count
      count++
    }
    return count + this.additions
  }

  private close({ failed, outputs }: Results): void {
    let last = this.turns.at(-1)
    if (!last) {
      // Results without a reply: the history was cut.
      last = silence()
      this.turns.push(last)
    }
    last.outputs.push(...outputs)
    if (last.outcome !== 'results') last.outcome = failed ? 'failed' : 'results'
  }

  private withoutContract(text: string): string {
    const found = readContract(text)
    if (!found) return text
    const { contract } = found
    // A form for replies with calls, and a value that the answer is.
    this.contract =
      contract.kind === 'json' && this.contract.kind === 'reply'
        ? { ...this.contract, answer: contract.template }
        : contract
    return text.slice(0, found.start) + text.slice(found.end)
  }
}

type Output = Extract<
  Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output']

function outputText(output: Output): string {
  switch (output.type) {
    case 'text':
      return output.value
    case 'json':
      return JSON.stringify(output.value)
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
    case 'execution-denied':
      return `Error: ${output.reason ?? 'denied'}`
    case 'error-text':
      return `Error: ${output.value}`
    case 'error-json':
      return `Error: ${JSON.stringify(output.value)}`
  }
}
