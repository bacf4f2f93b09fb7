import type { ApprovalRequest, Verdict } from '../../agent/approval.ts'
import { previewChange } from '../../tool/file/preview-change.ts'
import { needsOf } from '../../tool/permission/rule-on.ts'
import type { Tool } from '../../tool/tool.ts'
import type { FolderPermissions } from './folder-permissions.ts'
import { keptScope } from './parse-scope.ts'
import type { Answer, Question } from './question.ts'

export interface CallDecision {
  readonly tools: readonly Tool[]
  readonly permissions: FolderPermissions
  ask(question: Question, signal: AbortSignal): Promise<Answer>
  /** What was decided could not be kept or recorded. */
  onProblem(message: string): void
  /** No more of what goes on. */
  onInterrupt?(): void
}

/** For the model. */
const refusals: Readonly<Record<Extract<Answer, string>, string>> = {
  yes: '',
  always: '',
  later: '',
  interrupt: 'The user has stopped this.',
  no: 'The user does not want this. Ask what they want instead.',
  never: 'The user does not want this, now or later.',
  nobody: 'This needs permission, and nobody is there to give it. Do without it.',
}

/** Has a person decide on a call: what it would do is shown first, and what they say for good is kept. */
export async function decideCall(
  request: ApprovalRequest,
  decision: CallDecision,
  signal: AbortSignal,
): Promise<Verdict | 'later'> {
  try {
    return await decide(request, decision, signal)
  } catch (error) {
    // What could not be kept or recorded was not decided.
    decision.onProblem(error instanceof Error ? error.message : String(error))
    return { decision: 'deny', reason: 'This could not be permitted, through no fault of yours.' }
  }
}

async function decide(
  request: ApprovalRequest,
  { tools, permissions, ask, onInterrupt }: CallDecision,
  signal: AbortSignal,
): Promise<Verdict | 'later'> {
  const tool = tools.find(({ name }) => name === request.tool) as Tool
  const needs = needsOf(tool, request.call)
  const preview = await previewChange(tools, request.call)
  // It would fail anyway, and what it fails for may be gone a moment later: nobody has said yes to that.
  if (preview && !preview.ok) return { decision: 'deny', reason: preview.problem }
  if (preview?.change === 'none') return { decision: 'deny', reason: `${preview.path} is like this already.` }
  const answer = await ask({ request, about: tool.description, needs, preview }, signal)
  if (answer === 'always') for (const need of needs) await permissions.grant(keptScope(need))
  if (answer === 'never') for (const need of needs) await permissions.deny(keptScope(need))
  if (answer === 'interrupt') onInterrupt?.()
  if (answer === 'later') return 'later'
  if (answer === 'yes' || answer === 'always') return 'allow'
  const reason = typeof answer === 'object' ? `The user says no: ${answer.because}` : refusals[answer]
  return { decision: 'deny', reason }
}
