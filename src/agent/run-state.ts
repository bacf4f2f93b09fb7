import type { Message } from '../model/message.ts'
import { addUsage, noUsage, type Usage } from '../model/usage.ts'
import type { AgentEvent } from './event.ts'
import type { Prices } from './prices.ts'

/** What a run has come to so far: nothing but a fold of its events. */
export interface RunState {
  readonly messages: readonly Message[]
  readonly turns: number
  readonly calls: number
  readonly usage: Usage
  readonly cost: number
  /** Turns in a row without progress. */
  readonly idle: number
  /** What the run is about: the first that the user said in it. */
  readonly task?: Message
  /** Messages that were left out of the conversation. */
  readonly leftOut: number
  /** How many tokens the last question and its reply had, and how many messages it was made of. */
  readonly measured: { readonly tokens: number; readonly messages: number }
}

export const startState: RunState = {
  messages: [],
  turns: 0,
  calls: 0,
  usage: noUsage,
  cost: 0,
  idle: 0,
  leftOut: 0,
  measured: { tokens: 0, messages: 0 },
}

export function foldEvent(state: RunState, event: AgentEvent, prices?: Prices): RunState {
  switch (event.type) {
    case 'turn-start':
      return { ...state, turns: event.turn }
    case 'turn-end': {
      const { input, output } = event.usage
      const price = prices ? (input * prices.input + output * prices.output) / 1e6 : 0
      return {
        ...state,
        usage: addUsage(state.usage, event.usage),
        cost: state.cost + price,
        // Some providers do not count, and what was asked beside the conversation says nothing of its length.
        measured:
          input > 0 && !event.aside
            ? { tokens: input + output, messages: state.messages.length }
            : state.measured,
      }
    }
    case 'turn-idle':
      return { ...state, idle: state.idle + 1 }
    case 'call-start':
      return { ...state, calls: state.calls + 1 }
    case 'call-end':
      // A tool that ran and failed has told something, too.
      return { ...state, idle: 0 }
    case 'message':
      return {
        ...state,
        messages: withMessage(state.messages, event.message),
        ...(event.message.role === 'user' && !state.task && { task: event.message }),
      }
    case 'compaction':
      return {
        ...state,
        messages: event.messages,
        leftOut: state.leftOut + event.removed,
        measured: { tokens: 0, messages: 0 },
      }
    default:
      return state
  }
}

/** There is one text of the system, the last that was said, and it stands first. */
function withMessage(messages: readonly Message[], message: Message): readonly Message[] {
  if (message.role !== 'system') return [...messages, message]
  return [message, ...messages.filter(({ role }) => role !== 'system')]
}
