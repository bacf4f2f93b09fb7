import type { Limit, Prompt } from './agentfile.ts'
import type { PromptFile } from './prompt-file.ts'
import type { Report } from './report.ts'
import { createVariableUses, type VariableUse } from './variable-uses.ts'
import type { Goal, Workflow } from './workflow-of.ts'

/**
 * Whether each variable exists, and is there when it is used. What a goal needs is looked for where it first runs, as
 * variables stay: later there are only more of them. Agents are part of the goal that uses them.
 */
export function checkVariables(
  workflow: Workflow,
  report: Report,
  files: ReadonlyMap<string, PromptFile>,
): void {
  new VariableCheck(workflow, report, files).check()
}

class VariableCheck {
  readonly #workflow: Workflow
  readonly #report: Report
  readonly #usesOf: (prompt: Prompt) => readonly VariableUse[]
  /** The goal that provides a variable: the first of them. */
  readonly #providers = new Map<string, string>()
  readonly #agentOutputs = new Set<string>()
  readonly #willRun: ReadonlySet<string>
  readonly #checked = new Set<object>()
  /** Variables that are there by now, and the goals that have provided them. */
  #there: ReadonlySet<string>
  readonly #provided = new Map<string, string>()

  constructor(workflow: Workflow, report: Report, files: ReadonlyMap<string, PromptFile>) {
    this.#workflow = workflow
    this.#report = report
    this.#usesOf = createVariableUses(workflow.variables, files)
    for (const { name, outputs } of workflow.goals.values())
      for (const output of outputs)
        if (!this.#providers.has(output.name.text)) this.#providers.set(output.name.text, name.text)
    for (const { outputs } of workflow.agents.values())
      for (const { name } of outputs) this.#agentOutputs.add(name.text)
    this.#willRun = new Set(workflow.runs.flatMap(({ using }) => using.map(({ text }) => text)))
    this.#there = new Set(workflow.inputs.keys())
  }

  check(): void {
    const { runs, goals, agents, variables } = this.#workflow
    const there = new Set(this.#there)
    this.#there = there
    for (const { using, within } of runs) {
      if (within) {
        this.#checkLimit(within)
        // What a later goal of a round gives is there in the next one; in the first it is empty.
        for (const { text } of using)
          for (const { name } of goals.get(text)?.outputs ?? []) there.add(name.text)
      }
      for (const { text } of using) {
        const goal = goals.get(text)
        if (!goal || this.#checked.has(goal)) continue
        const used = this.#checkGoal(goal)
        this.#provide(goal, used)
        for (const { name } of goal.outputs) there.add(name.text)
      }
    }
    // What does not run must still make sense.
    this.#there = variables
    for (const goal of goals.values()) if (!this.#checked.has(goal)) this.#checkGoal(goal)
    for (const agent of agents.values()) if (!this.#checked.has(agent)) this.#checkPrompt(agent.prompt)
  }

  /** Gives the names of the variables that the goal uses. */
  #checkGoal(goal: Goal): ReadonlySet<string> {
    this.#checked.add(goal)
    const used = new Set(this.#checkPrompt(goal.prompt))
    if (goal.kind === 'converge') this.#checkLimit(goal.within)
    for (const { text } of goal.using) {
      const agent = this.#workflow.agents.get(text)
      if (!agent || this.#checked.has(agent)) continue
      this.#checked.add(agent)
      for (const name of this.#checkPrompt(agent.prompt)) used.add(name)
    }
    return used
  }

  /** A later value replaces an earlier one: meant if the goal works on the earlier one, else worth a look. */
  #provide(goal: Goal, used: ReadonlySet<string>): void {
    for (const { name } of goal.outputs) {
      const before = this.#provided.get(name.text)
      if (before !== undefined && before !== goal.name.text && !used.has(name.text))
        this.#report.add('repeated_output', { name: name.text, goal: before }, name.span)
      this.#provided.set(name.text, goal.name.text)
    }
  }

  #checkPrompt(prompt: Prompt): string[] {
    const uses = this.#usesOf(prompt)
    for (const use of uses) this.#checkUse(use)
    return uses.map(({ name }) => name)
  }

  #checkUse({ kind, name, text, span, file, line }: VariableUse): void {
    const report = this.#report
    const place = file === undefined ? {} : { place: `${file}:${line}` }
    if (kind === 'braces') {
      const suggestion = report.suggest(name, this.#workflow.variables)
      if (suggestion !== undefined) report.add('unknown_braces', { name, text, suggestion, ...place }, span)
      return
    }
    if (kind === 'unknown') {
      const isGoal = this.#workflow.goals.has(name)
      const found = this.#agentOutputs.has(name) ? 'output of an agent' : isGoal ? 'goal' : 'nothing'
      const suggestion = found === 'nothing' ? this.#suggest(name) : undefined
      report.add('undefined_variable', { name, found, suggestion, ...place }, span)
      return
    }
    if (kind === 'old') report.add('old_variable', { name, ...place }, span)
    if (this.#there.has(name)) return
    const from = this.#providers.get(name) ?? ''
    report.add(
      'early_variable',
      { name, from, runs: this.#willRun.has(from) ? 'later' : 'never', ...place },
      span,
    )
  }

  /** A dash and what follows may be text: `$topc-based`. */
  #suggest(name: string): string | undefined {
    const { variables } = this.#workflow
    const [first = name] = name.split('-', 1)
    return (
      this.#report.suggest(name, variables) ??
      (first === name ? undefined : this.#report.suggest(first, variables))
    )
  }

  #checkLimit(limit: Limit): void {
    if (limit.kind !== 'variable') return
    const { name, span } = limit
    const kind = this.#workflow.variables.has(name) ? 'variable' : 'unknown'
    this.#checkUse({ kind, name, text: `$${name}`, span })
    const given = this.#workflow.inputs.get(name)?.default?.value
    if (given === undefined) return
    const number = typeof given === 'string' && /^\d+$/.test(given.trim()) ? Number(given) : given
    if (!Number.isSafeInteger(number) || (number as number) < 1)
      this.#report.add('invalid_limit', { value: `${JSON.stringify(given)}, the default of ${name}` }, span)
  }
}
