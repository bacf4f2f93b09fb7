import type { ApprovalRequest, Verdict } from '../../agent/approval.ts'
import type { Judgement } from '../../agentfile/run/workflow-event.ts'
import type { JudgementRequest } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import type { Tool } from '../../tool/tool.ts'
import { callLines, isCut, judgedLines, questionLines } from '../describe-call.ts'
import { type Paint, paintOf } from '../paint.ts'
import { decideCall } from '../permission/decide-call.ts'
import type { FolderPermissions } from '../permission/folder-permissions.ts'
import { formatScope, keptScope } from '../permission/parse-scope.ts'
import type { Answer, Question } from '../permission/question.ts'
import { wantsColor } from '../print-issues.ts'
import { openTerminal } from '../terminal/open-terminal.ts'

/** Somebody at a terminal, who decides while a run goes on. */
export interface Person {
  judge(request: JudgementRequest, signal: AbortSignal): Promise<Judgement | 'later'>
  approve(
    request: ApprovalRequest,
    tools: readonly Tool[],
    permissions: FolderPermissions,
    signal: AbortSignal,
  ): Promise<Verdict | 'later'>
  /** For a call that would run elsewhere: what is permitted there is kept there, so it is about this one alone. */
  approveOnce(request: ApprovalRequest, signal: AbortSignal): Promise<Verdict | 'later'>
}

/** `around`: what is shown of the run must not be drawn while a question stands there. */
export function personAtTerminal(around: { pause(): void; resume(): void }): Person {
  const paint = paintOf(wantsColor(process.stderr.isTTY, process.env))
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
        for (const line of judgedLines(request.text)) say(`  ${line}`)
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
      inTurn(() =>
        decideCall(
          request,
          {
            tools,
            permissions,
            ask: (question, stop) => askAtTerminal(question, stop, paint, say),
            onProblem: (message) => say(`${paint.yellow('!')} ${columns(message).text}`),
          },
          signal,
        ),
      ),
    approveOnce: (request, signal) =>
      inTurn(async () => {
        for (const line of callLines(request.call, paint)) say(line)
        const terminal = openTerminal({ output: process.stderr })
        try {
          const choices = { yes: 1, no: 1, later: 1 } as const
          const name = columns(`Run ${request.tool} at the worker?`).text
          const said = await terminal.readAnswer(name, choices, { signal })
          if (said.kind !== 'answer' || said.answer === 'later') return 'later'
          return said.answer === 'yes' ? 'allow' : 'deny'
        } finally {
          terminal.close()
        }
      }),
  }
}

const answers = { yes: 1, no: 1, later: 1, always: 3, never: 3 } as const
/** Where not all could be shown. */
const carefulAnswers = { ...answers, yes: 3 } as const

async function askAtTerminal(
  question: Question,
  signal: AbortSignal,
  paint: Paint,
  say: (text: string) => void,
): Promise<Answer> {
  const { needs, request } = question
  for (const line of questionLines(question, paint)) say(line)
  const kept = needs.map((need) => formatScope(keptScope(need))).join(', ')
  const name = columns(`Run ${request.tool} (${needs.map(formatScope).join(', ')})?`).text
  const terminal = openTerminal({ output: process.stderr })
  try {
    const words = `${name} ${paint.dim(columns(`(always, never: ${kept}, kept for later)`).text)}`
    const said = await terminal.readAnswer(words, isCut(question) ? carefulAnswers : answers, { signal })
    return said.kind === 'answer' ? said.answer : 'later'
  } finally {
    terminal.close()
  }
}
