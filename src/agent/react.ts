import { suggestRetry } from '../core/suggest-retry.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import { jsonTermination } from '../section/json-termination.ts'
import type { Section, Termination } from '../section/section.ts'
import { textSection } from '../section/text-section.ts'
import { textTermination } from '../section/text-termination.ts'
import type { TextFormat } from '../text/format.ts'
import { xml } from '../text/xml.ts'
import { jsonToolChain } from '../tool/json-tool-chain.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolChain } from '../tool/tool-chain.ts'
import type { AgentOptions } from './agent-options.ts'
import { checkPolicyOptions } from './check-agent-options.ts'
import { type Agent, defineAgent } from './define-agent.ts'
import type { Loop } from './loop.ts'
import { settleLast, withoutReasoning } from './reply-text.ts'
import { cutOff, sayResults } from './say-results.ts'

export interface ReactOptions<T> extends AgentOptions {
  /** How replies are parted, and observations are written; `xml()` unless said otherwise. */
  readonly format?: TextFormat | undefined
  /** Makes the section in which tools are called: `jsonToolChain` unless said otherwise, or `yamlToolChain`. */
  readonly chain?: ((options: { readonly tools: readonly Tool[] }) => ToolChain) | undefined
  /** What the answer is: a schema, or a termination of your own. Text when there is none. */
  readonly answer?: Termination<T> | Schema<T> | undefined
  /** What the model writes before it acts: a section `thinking` unless said otherwise. */
  readonly sections?: readonly Section[] | undefined
  /** Goes before what the model is told about the format. */
  readonly system?: string | undefined
}

const thinking = textSection('thinking', 'Think about what is known and what to do next.')

/** Thinks, calls tools, looks at what they gave, and so on until it answers. */
export function react(options: ReactOptions<string> & { readonly answer?: undefined }): Agent<string>
export function react<T>(options: ReactOptions<T> & { readonly answer: Termination<T> }): Agent<T>
export function react<S extends Schema>(
  options: Omit<ReactOptions<unknown>, 'answer'> & { readonly answer: S },
): Agent<Infer<S>>
export function react(options: ReactOptions<unknown>): Agent<unknown> {
  const { format = xml(), chain: createChain = jsonToolChain, sections = [thinking], system } = options
  checkPolicyOptions({ format, system, chain: createChain, sections, answer: options.answer })
  const answer = terminationOf(options.answer)
  return defineAgent('react', options, async (loop) => {
    const chain = createChain({ tools: loop.tools })
    const all = [...sections, ...(loop.tools.length > 0 ? [chain] : []), answer]
    loop.say({ role: 'system', content: [system, format.describe(all)].filter(Boolean).join('\n\n') })
    loop.say({ role: 'user', content: loop.task })
    for (;;) {
      const { read, reply, cut } = await loop.ask((onEvent) => format.createReader(all, { onEvent }))
      loop.emit({ type: 'issues', issues: read.issues })
      const parts = settleLast(read, cut)
      const text = withoutReasoning(reply.text, parts)
      const asked = parts.value.sections(chain.name)
      if (loop.tools.length > 0 && asked.some(({ content }) => content.trim() !== '')) {
        const result = await loop.call((about) => chain.execute(asked, { ...about, format }))
        // A section can say that there is nothing to call.
        if (result.text !== '') {
          sayResults(loop, text, result, parts.value.get(answer.name).length > 0 ? NOT_TAKEN : undefined)
          continue
        }
      }
      loop.say({ role: 'assistant', content: text })
      const last = parts.value.sections(answer.name).at(-1)
      if (last?.complete) {
        const value = answer.read(last.content, last.inner[0])
        loop.emit({ type: 'issues', issues: value.issues })
        if (value.ok && value.complete) return { kind: 'answered', value: value.value }
        loop.sayIdle(suggestRetry(value.issues) || 'The answer is not complete. Write it again, whole.')
      } else
        loop.sayIdle(cut ? cutOff(reply.finish) : suggestRetry(parts.issues) || missing(chain, answer, loop))
    }
  })
}

const NOT_TAKEN =
  'Your answer was not taken, since you called tools beside it. Look at their results, then answer.'

function missing(chain: ToolChain, answer: Termination, { tools }: Loop): string {
  return tools.length > 0
    ? `Your reply has neither calls nor an answer. Call tools in the section "${chain.name}", or answer in "${answer.name}".`
    : `Your reply has no answer. Write it in the section "${answer.name}".`
}

function terminationOf(answer: Termination | Schema | undefined): Termination {
  if (answer === undefined) return textTermination()
  if (typeof answer === 'object' && 'terminates' in answer) return answer as Termination
  return jsonTermination(answer)
}
