import type { ApprovalRequest, Verdict } from '../../agent/approval.ts'
import type { Judgement } from '../../agentfile/run/workflow-event.ts'
import type { JudgementRequest } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import { previewChange } from '../../tool/file/preview-change.ts'
import { needsOf } from '../../tool/permission/rule-on.ts'
import type { Tool } from '../../tool/tool.ts'
import type { ChatPermissions } from '../chat/chat-permissions.ts'
import { questionLines } from '../chat/describe-call.ts'
import { paintOf } from '../paint.ts'
import { wantsColor } from '../print-issues.ts'
import { openTerminal } from '../terminal/open-terminal.ts'

/** Somebody at a terminal, who decides while a run goes on. */
export interface Person {
  judge(request: JudgementRequest, signal: AbortSignal): Promise<Judgement | 'later'>
  approve(
    request: ApprovalRequest,
    tools: readonly Tool[],
    permissions: ChatPermissions,
    signal: AbortSignal,
  ): Promise<Verdict | 'later'>
}

const LONGEST = 4000

/** `around`: what is shown of the run must not be drawn while a question stands there. */
export function personAtTerminal(around: { pause(): void; resume(): void }): Person {
  const paint = paintOf(wantsColor(process.stdout.isTTY, process.env))
  const say = (text: string) => process.stderr.write(`${text}\n`)
  /** One question at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(async () => {
      around.pause()
      try {
        return await work()
      } finally {
        around.resume()
      }
    })
    last = turn.catch(() => {})
    return turn
  }
  return {
    judge: (request, signal) =>
      inTurn(async () => {
        say(`${paint.yellow('?')} ${paint.bold(columns(request.goal).text)} came to this:`)
        for (const line of request.text.slice(0, LONGEST).split('\n')) say(`  ${columns(line).text}`)
        if (request.reason) say(paint.dim(columns(`the supervisor says: ${request.reason}`).text))
        const terminal = openTerminal({ output: process.stderr })
        try {
          const choices = { yes: 1, no: 1, again: 1, later: 1 } as const
          const said = await terminal.readAnswer(
            'Go on with it? (no ends the run; again: with a correction)',
            choices,
            { signal },
          )
          if (said.kind !== 'answer' || said.answer === 'later') return 'later'
          if (said.answer === 'yes') return { kind: 'continue' }
          const line = await terminal.readLine(
            said.answer === 'no' ? 'why › ' : 'what to do differently › ',
            { signal },
          )
          const words = line.kind === 'line' ? line.text.trim() : ''
          if (said.answer === 'no') return { kind: 'pause', reason: words }
          return words === '' ? 'later' : { kind: 'reorient', correction: words }
        } finally {
          terminal.close()
        }
      }),
    approve: (request, tools, permissions, signal) =>
      inTurn(async () => {
        const tool = tools.find(({ name }) => name === request.tool) as Tool
        const needs = needsOf(tool, request.call)
        const preview = await previewChange(tools, request.call)
        if (preview && !preview.ok) return { decision: 'deny', reason: preview.problem }
        if (preview?.change === 'none')
          return { decision: 'deny', reason: `${preview.path} is like this already.` }
        for (const line of questionLines({ request, about: tool.description, needs, preview }, paint))
          say(line)
        const terminal = openTerminal({ output: process.stderr })
        try {
          const choices = { yes: 1, no: 1, always: 3, never: 3, later: 1 } as const
          const said = await terminal.readAnswer('Run it?', choices, { signal })
          if (said.kind !== 'answer' || said.answer === 'later') return 'later'
          if (said.answer === 'always')
            for (const { capability } of needs) await permissions.grant({ capability })
          if (said.answer === 'never')
            for (const { capability } of needs) await permissions.deny({ capability })
          return said.answer === 'yes' || said.answer === 'always' ? 'allow' : 'deny'
        } finally {
          terminal.close()
        }
      }),
  }
}
