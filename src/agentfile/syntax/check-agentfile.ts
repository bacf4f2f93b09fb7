import type { Agentfile, Statement } from './agentfile.ts'
import { checkNames } from './check-names.ts'
import { checkVariables } from './check-variables.ts'
import { describeType, fitsType } from './fits-type.ts'
import { formatValue } from './format-value.ts'
import { leavesFolder, type PromptFile, type PromptFiles, promptFile } from './prompt-file.ts'
import type { Report } from './report.ts'
import { type Workflow, workflowOf } from './workflow-of.ts'

/** Longer prompts had better stand in files. */
const LONG_PROMPT = 200
const securityModes = ['default', 'paranoid', 'research']

/** Says what is wrong with a file that can be read. */
export function checkAgentfile(file: Agentfile, source: string, report: Report, files?: PromptFiles): void {
  const workflow = workflowOf(file)
  checkWhole(workflow, file, report)
  checkNames(file, workflow, source, report)
  for (const statement of file.statements) checkStatement(statement, report)
  checkVariables(workflow, report, promptFilesOf(file, report, files))
}

function checkWhole({ name, goals }: Workflow, { statements, span }: Agentfile, report: Report): void {
  const hasRun = statements.some(({ kind }) => kind === 'run')
  const start = statements[0]?.span[0] ?? span[0]
  if (name === undefined) report.add('missing_name', {}, [start, start])
  if (hasRun) return
  const end = statements.at(-1)?.span[1] ?? span[1]
  if (goals.size > 0) report.add('missing_run', { goals: [...goals.keys()] }, [end, end])
  else report.add('nothing_to_run', {}, [end, end])
}

function checkStatement(statement: Statement, report: Report): void {
  if (statement.kind === 'security') {
    const { mode, scope } = statement
    const suggestion = () => report.suggest(mode.text, securityModes)
    if (!securityModes.includes(mode.text))
      report.add(
        'unknown_mode',
        { mode: mode.text, suggestion: suggestion(), modes: securityModes },
        mode.span,
      )
    else if (mode.text === 'research' && !scope?.text.trim())
      report.add('missing_scope', { mode: mode.text }, mode.span)
  }
  if (statement.kind === 'input' && statement.type && statement.default) {
    const { name, type, default: given } = statement
    if (!fitsType(given.value, type)) {
      const facts = { name: name.text, type: describeType(type), value: formatValue(given.value) }
      report.add('invalid_default', facts, given.span)
    }
  }
  if ('prompt' in statement && statement.prompt.kind === 'text') {
    const { text, span } = statement.prompt
    if (text.length > LONG_PROMPT)
      report.add('long_prompt', { length: text.length, limit: LONG_PROMPT }, span)
  }
}

/** The files of all prompts that are files, by their paths; those that cannot be had are reported. */
function promptFilesOf(
  { statements }: Agentfile,
  report: Report,
  files: PromptFiles | undefined,
): ReadonlyMap<string, PromptFile> {
  const asked = new Map<string, PromptFile | undefined>()
  const found = new Map<string, PromptFile>()
  for (const statement of statements) {
    if (!('prompt' in statement) || statement.prompt.kind !== 'file') continue
    const { path, span } = statement.prompt
    if (leavesFolder(path)) report.add('outside_path', { path }, span)
    else if (files) {
      if (!asked.has(path)) asked.set(path, promptFile(path, files))
      const file = asked.get(path)
      if (file) found.set(path, file)
      else report.add('missing_file', { path }, span)
    }
  }
  return found
}
