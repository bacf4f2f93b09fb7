import type { Agentfile, AgentStatement, Field, Limit, Prompt, Supervision } from '../syntax/agentfile.ts'
import { formatFields, formatType, formatValue } from '../syntax/format-value.ts'
import { type PromptFiles, promptFile } from '../syntax/prompt-file.ts'
import { promptParts } from '../syntax/prompt-parts.ts'
import { type Goal, ownOversight, type Workflow, workflowOf } from '../syntax/workflow-of.ts'
import type { AgentNode, Flow, Graph, InputNode, PromptText, RunGroup, Step } from './graph.ts'

/** The graph of a file that was read and is ok. */
export function graphOf(file: Agentfile, files: PromptFiles = () => undefined): Graph {
  return new GraphBuilder(workflowOf(file), files).build()
}

class GraphBuilder {
  readonly #workflow: Workflow
  readonly #files: PromptFiles
  /** Where the value of a variable comes from by now. */
  readonly #sources = new Map<string, string>()
  readonly #flows: Flow[] = []
  /** Prompts of agents are looked at once, however many goals use them. */
  readonly #variables = new Map<Prompt, readonly string[]>()
  #steps = 0

  constructor(workflow: Workflow, files: PromptFiles) {
    this.#workflow = workflow
    this.#files = files
  }

  build(): Graph {
    const { name, inputs, runs } = this.#workflow
    return {
      name: name ?? 'workflow',
      inputs: [...inputs.values()].map((input, i): InputNode => {
        const id = `input${i + 1}`
        this.#sources.set(input.name.text, id)
        return {
          id,
          name: input.name.text,
          ...(input.type && { type: formatType(input.type) }),
          ...(input.default && { default: formatValue(input.default.value) }),
        }
      }),
      runs: runs.map(
        ({ name, using, within, supervision }, i): RunGroup => ({
          id: `run${i + 1}`,
          name: name.text,
          ...(within && { limit: limitOf(within) }),
          steps: using.flatMap(({ text }) => {
            const goal = this.#workflow.goals.get(text)
            return goal ? [this.#step(goal, supervision)] : []
          }),
        }),
      ),
      flows: this.#flows,
    }
  }

  #step(goal: Goal, ofRun: Supervision | undefined): Step {
    const id = `goal${++this.#steps}`
    const agents = goal.using.flatMap(({ text }, i) => {
      const agent = this.#workflow.agents.get(text)
      return agent ? [this.#agent(agent, `${id}_agent${i + 1}`)] : []
    })
    const limit = goal.kind === 'converge' ? goal.within : undefined
    const used = new Set(this.#variablesOf(goal.prompt))
    if (limit?.kind === 'variable') used.add(limit.name)
    this.#flowTo(id, used)
    for (const { name } of goal.outputs) this.#sources.set(name.text, id)
    return {
      id,
      kind: goal.kind,
      name: goal.name.text,
      prompt: promptText(goal.prompt),
      outputs: goal.outputs.map(fieldText),
      ...(limit && { limit: limitOf(limit) }),
      oversight:
        ownOversight(this.#workflow, goal) ?? (ofRun ?? this.#workflow.supervision)?.mode ?? 'unsupervised',
      agents,
    }
  }

  #agent({ name, prompt, outputs, requires }: AgentStatement, id: string): AgentNode {
    this.#flowTo(id, this.#variablesOf(prompt))
    return {
      id,
      name: name.text,
      prompt: promptText(prompt),
      outputs: outputs.map(fieldText),
      ...(requires && { requires: requires.text }),
    }
  }

  #flowTo(to: string, variables: Iterable<string>): void {
    for (const variable of variables) {
      const from = this.#sources.get(variable)
      if (from !== undefined) this.#flows.push({ variable, from, to })
    }
  }

  /** Each once, in the order of the text. */
  #variablesOf(prompt: Prompt): readonly string[] {
    const known = this.#variables.get(prompt)
    if (known) return known
    const text = prompt.kind === 'text' ? prompt.text : (promptFile(prompt.path, this.#files)?.text ?? '')
    const names = new Set<string>()
    for (const part of promptParts(text, this.#workflow.variables))
      if (part.kind === 'variable') names.add(part.name)
    const found = [...names]
    this.#variables.set(prompt, found)
    return found
  }
}

const limitOf = (limit: Limit) => (limit.kind === 'number' ? String(limit.value) : `$${limit.name}`)

const fieldText = (field: Field) => formatFields([field])

const promptText = (prompt: Prompt): PromptText =>
  prompt.kind === 'text' ? { kind: 'text', text: prompt.text } : { kind: 'file', text: prompt.path }
