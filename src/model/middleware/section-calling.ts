import { isRecord } from '../../core/is-record.ts'
import type { Issue } from '../../core/issue.ts'
import { LegibleError } from '../../core/legible-error.ts'
import type { Limits } from '../../core/limits.ts'
import type { ReasoningMode } from '../../dialects/index.ts'
import type { Schema } from '../../schema/schema.ts'
import { formatYaml } from '../../section/yaml/format-yaml.ts'
import type { TextEvent, TextFormat } from '../../text/format.ts'
import { jsonToolChain } from '../../tool/json-tool-chain.ts'
import type { Tool } from '../../tool/tool.ts'
import type { ToolCallEvent } from '../../tool/tool-calls.ts'
import type { ToolChain } from '../../tool/tool-chain.ts'
import { yamlToolChain } from '../../tool/yaml-tool-chain.ts'
import { ActionStream, type ToldCall } from './action-stream.ts'
import { type Calling, type CallingReader, describeDuty, type FunctionTool } from './calling.ts'

export interface SectionCallingOptions {
  /** In what the calls are written; `json` unless said otherwise. */
  readonly chain?: 'json' | 'yaml' | undefined
  readonly reasoning?: ReasoningMode | undefined
  readonly limits?: Partial<Limits> | undefined
}

const ACTION = 'action'
const ANSWER = 'answer'

/** Calls in a section of one of our own formats, and the answer in another. */
export function sectionCalling(format: TextFormat, options: SectionCallingOptions = {}): Calling {
  const { chain = 'json', reasoning = 'auto', limits } = options
  const toolChain = chain === 'yaml' ? yamlToolChain : jsonToolChain
  const write = chain === 'yaml' ? formatYaml : (value: unknown) => JSON.stringify(value)
  const chainOf = (tools: readonly FunctionTool[]) =>
    toolChain({ name: ACTION, tools: tools.map(asTool), ...(limits && { limits }) })
  return {
    describe({ tools, must, answer }) {
      if (tools.length === 0) return answer ?? ''
      const { name, prompt } = chainOf(tools)
      const action = { name, prompt, optional: must === false }
      const sections =
        must === false
          ? [action, { name: ANSWER, prompt: answer ?? 'Write your answer here.', optional: true }]
          : [action]
      return [format.describe(sections), describeDuty(must)].filter(Boolean).join('\n\n')
    },
    formatCalls(calls) {
      const list = calls.map(({ name, arguments: args }) => ({ tool: name, args }))
      return format.formatSection({ name: ACTION, content: write(list.length === 1 ? list[0] : list) })
    },
    formatText: (text) => format.formatSection({ name: ANSWER, content: text }),
    formatResults(results, tools) {
      const names = tools.map(({ name }) => name)
      // A name that the model made up never becomes the name of a section.
      const children = results.map(({ name, content }) => ({
        name: names.includes(name) ? name : 'result',
        content,
      }))
      return format.formatSection({ name: 'observation', children, reserved: [...names, ACTION, ANSWER] })
    },
    createReader: ({ tools, onEvent }) =>
      new SectionsReader(format, tools.length > 0 ? chainOf(tools) : undefined, {
        streams: chain === 'json',
        reasoning,
        onEvent,
      }),
  }
}

/** A tool that is only talked about: whoever has the model runs it. */
const asTool = ({ name, description, inputSchema }: FunctionTool): Tool => ({
  name,
  description: description?.trim() || name,
  input: inputSchema as Schema,
  run() {
    throw new LegibleError('tool.no_run', `The tool ${name} does not run here.`)
  },
})

interface SectionsReaderOptions {
  /** Calls are told while they arrive. */
  readonly streams: boolean
  readonly reasoning: ReasoningMode
  readonly onEvent: (event: ToolCallEvent) => void
}

class SectionsReader implements CallingReader {
  private readonly chain: ToolChain | undefined
  private readonly tell: (event: ToolCallEvent) => void
  private readonly reader
  private readonly issues: Issue[] = []
  /** YAML tells what it means when it is all there. */
  private readonly streams: boolean
  private action = ''
  private early: ActionStream | undefined
  /** White space: content only if something follows it. */
  private space = ''
  private said = false
  private calls = 0

  constructor(
    format: TextFormat,
    chain: ToolChain | undefined,
    { streams, reasoning, onEvent }: SectionsReaderOptions,
  ) {
    this.chain = chain
    this.streams = streams
    this.tell = onEvent
    const sections = [...(chain ? [{ name: chain.name }] : []), { name: ANSWER }]
    this.reader = format.createReader(sections, {
      reasoning,
      keep: false,
      onEvent: (event) => this.heard(event),
    })
  }

  push(chunk: string): void {
    this.reader.push(chunk)
  }

  end(): readonly Issue[] {
    const { issues } = this.reader.end()
    // A model that needs no tool may as well answer in plain text.
    return [...issues.filter(({ code }) => code !== 'text.no_sections'), ...this.issues]
  }

  private heard(event: TextEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.content(event.text)
        return
      case 'reasoning-delta':
        this.tell(event)
        return
      case 'section-start':
        if (event.name !== ANSWER) this.startAction()
        return
      case 'section-delta':
        if (event.name === ANSWER) this.content(event.text)
        else {
          this.action += event.text
          this.early?.push(event.text)
        }
        return
      case 'section-end':
        if (event.name !== ANSWER) this.readAction(event.complete)
        return
      case 'reasoning-implied':
        // All so far was reasoning, and what was told of calls in it with it.
        this.takeBack(this.early?.end() ?? [])
        this.early = undefined
        this.action = ''
    }
  }

  private content(text: string): void {
    const all = this.space + text
    const shown = all.trimEnd()
    this.space = all.slice(shown.length)
    if (shown === '') {
      if (!this.said) this.space = ''
      return
    }
    this.tell({ type: 'content-delta', text: this.said ? shown : shown.trimStart() })
    this.said = true
  }

  private startAction(): void {
    const { chain, calls } = this
    this.action = ''
    if (chain && this.streams) this.early = new ActionStream(chain.registry.names(), calls, this.tell)
  }

  private readAction(whole: boolean): void {
    const { chain, action } = this
    if (!chain) return
    const told = [...(this.early?.end() ?? [])]
    this.early = undefined
    this.calls += told.length
    const read = chain.read(action)
    this.issues.push(...read.issues)
    // Nothing that the model wrote is lost: what is no call is text.
    const named = read.entries.some(({ call }) => call.name !== '')
    if (!named && told.length === 0 && !read.ok) this.content(action)
    read.entries.forEach(({ call, span, issues }, place) => {
      const { name } = call
      if (name === '') return
      const args = isRecord(call.arguments) ? call.arguments : {}
      const at = told.findIndex((one) => one.place === place && one.name === name)
      const [early] = at < 0 ? [] : told.splice(at, 1)
      const { index, id } = early ?? { index: this.calls++, id: call.id }
      if (!early) {
        this.tell({ type: 'call-start', index, id, name })
        this.tell({ type: 'call-delta', index, text: JSON.stringify(args) })
      }
      const complete = whole && call.complete !== false && !issues.some(({ code }) => code === 'tool.cut_off')
      this.tell({ type: 'call-end', index, call: { id, name, arguments: args, span, complete } })
    })
    this.takeBack(told)
  }

  /** What began as a call and is none must not run. */
  private takeBack(told: readonly ToldCall[]): void {
    for (const { index, id, name } of told) {
      const call = { id, name, arguments: {}, span: [0, this.action.length] as const, complete: false }
      this.tell({ type: 'call-end', index, call })
    }
  }
}
