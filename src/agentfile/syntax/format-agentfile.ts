import type { Agentfile, Comment, Limit, Name, Prompt, Statement, Supervision, Text } from './agentfile.ts'
import { formatFields, formatString, formatType, formatValue } from './format-value.ts'
import { modernText } from './modern-text.ts'
import { workflowOf } from './workflow-of.ts'

/** A statement that is longer gets a line for each of its clauses. */
const WIDTH = 110

/**
 * Writes a file in the one way it should look: clauses in their order, comments kept, one blank line at most. Older
 * spellings become the modern ones. Reading it again gives the same file.
 */
export function formatAgentfile(file: Agentfile): string {
  const { variables } = workflowOf(file)
  const lines: string[] = []
  const blank = (isWanted: boolean): void => {
    if (isWanted && lines.length > 0) lines.push('')
  }
  const write = (comments: readonly Comment[]): void => {
    for (const { text, blankBefore } of comments) {
      blank(blankBefore)
      lines.push(`#${text}`)
    }
  }
  for (const statement of file.statements) {
    write(statement.comments)
    blank(statement.blankBefore)
    const written = join(partsOf(statement, variables))
    lines.push(statement.trailing ? `${written}  #${statement.trailing.text}` : written)
  }
  write(file.comments)
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

/** On one line, or with a line for each part behind the first. A string over several lines counts by its last. */
function join([head = '', ...clauses]: readonly string[]): string {
  const line = [head, ...clauses].join(' ')
  const lastLine = line.slice(line.lastIndexOf('\n') + 1)
  return lastLine.length <= WIDTH ? line : [head, ...clauses].join('\n  ')
}

/** The statement up to its prompt, and its clauses. */
function partsOf(statement: Statement, variables: ReadonlySet<string>): string[] {
  switch (statement.kind) {
    case 'name':
      return [`NAME ${statement.name.text}`]
    case 'input': {
      const { name, type, default: given } = statement
      const head = type ? `INPUT ${name.text} ${formatType(type)}` : `INPUT ${name.text}`
      return given ? [head, `DEFAULT ${formatValue(given.value)}`] : [head]
    }
    case 'agent': {
      const { name, prompt, outputs, requires, supervision } = statement
      return [
        `AGENT ${name.text} ${formatPrompt(prompt, variables)}`,
        ...(outputs.length > 0 ? [`-> ${formatFields(outputs)}`] : []),
        ...(requires ? [`REQUIRES ${formatText(requires)}`] : []),
        ...formatSupervision(supervision),
      ]
    }
    case 'goal':
    case 'converge': {
      const { kind, name, prompt, outputs, using, supervision } = statement
      return [
        `${kind.toUpperCase()} ${name.text} ${formatPrompt(prompt, variables)}`,
        ...(outputs.length > 0 ? [`-> ${formatFields(outputs)}`] : []),
        ...formatUsing(using),
        ...(kind === 'converge' ? formatLimit(statement.within) : []),
        ...formatSupervision(supervision),
      ]
    }
    case 'run': {
      const { name, using, within, supervision } = statement
      return [
        `RUN ${name.text}`,
        ...formatUsing(using),
        ...formatLimit(within),
        ...formatSupervision(supervision),
      ]
    }
    case 'supervision':
      return formatSupervision(statement.supervision)
    case 'security': {
      const { mode, scope } = statement
      return [`SECURITY ${mode.text}`, ...(scope ? [formatText(scope)] : [])]
    }
  }
}

const supervisions: Record<Supervision['mode'], string> = {
  supervised: 'SUPERVISED',
  human: 'SUPERVISED HUMAN',
  unsupervised: 'UNSUPERVISED',
}

function formatSupervision(supervision: Supervision | undefined): string[] {
  return supervision ? [supervisions[supervision.mode]] : []
}

function formatUsing(names: readonly Name[]): string[] {
  return names.length > 0 ? [`USING ${names.map(({ text }) => text).join(', ')}`] : []
}

function formatLimit(limit: Limit | undefined): string[] {
  if (!limit) return []
  return [`WITHIN ${limit.kind === 'number' ? limit.value : `$${limit.name}`}`]
}

function formatPrompt(prompt: Prompt, variables: ReadonlySet<string>): string {
  if (prompt.kind === 'text') return formatText({ ...prompt, text: modernText(prompt.text, variables) })
  const isPlain = /^(?:[^\s"#-]|-(?!>))+$/.test(prompt.path)
  return `FROM ${isPlain ? prompt.path : formatString(prompt.path)}`
}

/** In the quotes that were chosen, if the text can stand in them. */
function formatText({ text, raw }: Pick<Text, 'text' | 'raw'>): string {
  if (!raw || /"""|\r/.test(text)) return formatString(text)
  return `"""\n${text}\n"""`
}
