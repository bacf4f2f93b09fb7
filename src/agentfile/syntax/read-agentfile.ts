import { checkText } from '../../core/check-text.ts'
import { defaultLimits, type Limits } from '../../core/limits.ts'
import type { Read } from '../../core/read.ts'
import type { Agentfile } from './agentfile.ts'
import { checkAgentfile } from './check-agentfile.ts'
import { parseAgentfile } from './parse-agentfile.ts'
import type { PromptFiles } from './prompt-file.ts'
import { Report } from './report.ts'

export interface AgentfileOptions {
  /** The text of a prompt file, by its path within the folder of the Agentfile. Without it, files are not looked at. */
  readonly files?: PromptFiles | undefined
  readonly limits?: Partial<Pick<Limits, 'maxIssues'>> | undefined
}

/**
 * Reads and checks an Agentfile. All that is wrong is found in one go. The value is what could be read, also if it is
 * not ok; absent if there is nothing.
 */
export function readAgentfile(text: string, { files, limits }: AgentfileOptions = {}): Read<Agentfile> {
  checkText(text, 'readAgentfile')
  const report = new Report()
  const { file, isCut } = parseAgentfile(text, report)
  checkAgentfile(file, text, report, files)
  const issues = report.list(limits?.maxIssues ?? defaultLimits.maxIssues)
  if (!report.hasErrors) return { ok: true, value: file, complete: !isCut, issues }
  const isEmpty = file.statements.length === 0 && file.comments.length === 0
  return { ok: false, ...(!isEmpty && { value: file }), complete: !isCut, issues }
}
