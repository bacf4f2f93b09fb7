import { readJson } from '../json/read-json.ts'
import type { NativeCall } from '../model/ask-model.ts'
import { describeReply } from '../reply/describe-reply.ts'
import type { TextFormat } from '../text/format.ts'
import { xml } from '../text/xml.ts'
import { jsonToolChain } from '../tool/json-tool-chain.ts'
import type { RequestedCall } from '../tool/tool.ts'
import type { ToolChain } from '../tool/tool-chain.ts'
import type { AgentOptions } from './agent-options.ts'
import { askForReply } from './ask-for-reply.ts'
import { checkPolicyOptions } from './check-agent-options.ts'
import { type Agent, defineAgent } from './define-agent.ts'
import type { Loop } from './loop.ts'
import type { PolicyResult } from './outcome.ts'
import { cutOff, sayResults } from './say-results.ts'
import { textReader } from './text-reader.ts'

export interface ChatOptions extends AgentOptions {
  /** Goes before what the model is told about replies and tools. */
  readonly system?: string | undefined
  /** How results are written; `xml()` unless said otherwise. */
  readonly format?: TextFormat | undefined
  /** Let the provider read the calls, where the model has calls of its own. The contract works with every model. */
  readonly native?: boolean | undefined
}

/**
 * Answers the user in text, and calls tools on the way: text | action | error. One run is one turn of the user; the next
 * one goes on with `start(text, { history: outcome.messages })`.
 */
export function chat(options: ChatOptions): Agent<string> {
  const { format = xml(), native = false, system } = options
  checkPolicyOptions({ format, system })
  return defineAgent('chat', options, async (loop) => {
    const chain = jsonToolChain({ tools: loop.tools })
    const contract = native || loop.tools.length === 0 ? undefined : describeReply(loop.tools)
    const content = [system, contract].filter(Boolean).join('\n\n')
    if (content !== '') loop.say({ role: 'system', content })
    loop.say({ role: 'user', content: loop.task })
    return native ? chatNatively(loop, chain, format) : chatInText(loop, chain, format)
  })
}

async function chatInText(loop: Loop, chain: ToolChain, format: TextFormat): Promise<PolicyResult<string>> {
  // A text that ends with an action which was not taken: asked once whether it was meant, then believed.
  let doubted = false
  for (;;) {
    const asked = await askForReply(loop)
    const { reply, written, problem, doubtful } = asked
    if (!reply || (problem !== undefined && !doubted)) {
      doubted = doubtful
      loop.say({ role: 'assistant', content: asked.said })
      loop.sayIdle(problem ?? '')
      continue
    }
    if (reply.type === 'action') {
      const result = await loop.call((about) => chain.run(reply.call, { ...about, format }))
      sayResults(loop, written, result)
      doubted = false
      continue
    }
    loop.say({ role: 'assistant', content: written })
    if (reply.type === 'text') return { kind: 'answered', value: reply.text }
    return { kind: 'reported', code: reply.code, message: reply.message }
  }
}

async function chatNatively(loop: Loop, chain: ToolChain, format: TextFormat): Promise<PolicyResult<string>> {
  for (;;) {
    const { read: text, reply, cut } = await loop.ask(textReader, { native: true })
    if (reply.calls.length > 0) {
      const calls = reply.calls.map((call) => callOf(call, !cut))
      const result = await loop.call((about) => chain.run(calls, { ...about, format }))
      sayResults(loop, text, result)
      continue
    }
    loop.say({ role: 'assistant', content: text })
    if (text !== '' && !cut) return { kind: 'answered', value: text }
    loop.sayIdle(cut ? cutOff(reply.finish) : 'Your reply is empty. Answer the user.')
  }
}

/** Providers hand on what the model wrote, whether it is JSON or only looks like it. */
function callOf({ id, name, input }: NativeCall, complete: boolean): RequestedCall {
  const read = readJson(input.trim() === '' ? '{}' : input)
  return { id, name, arguments: read.ok ? read.value : input, complete: complete && read.complete }
}
