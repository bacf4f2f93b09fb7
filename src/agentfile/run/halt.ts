import { BranchesFailed } from '../../agent/durable.ts'
import type { WorkflowEnd } from './workflow-outcome.ts'

/** Why a run cannot go on. */
type HaltReason = Extract<WorkflowEnd, { kind: 'failed' | 'limit' | 'suspended' }>

/** Ends a run from wherever it stands. What came before is kept, so that it can be taken up again. */
export class Halt extends Error {
  override readonly name = 'Halt'
  readonly why: HaltReason

  constructor(why: HaltReason) {
    super(why.kind === 'failed' ? `${why.path}: ${why.reason}` : `The run ends: ${why.kind}.`)
    this.why = why
  }
}

/** Several may have failed, or wait: what is said is all of it. */
export function joinHalts({ failures }: BranchesFailed): unknown {
  const errors = failures.map(({ error }) => (error instanceof BranchesFailed ? joinHalts(error) : error))
  const other = errors.find((error) => !(error instanceof Halt))
  if (other !== undefined) return other
  const halts = (errors as Halt[]).map(({ why }) => why)
  const waiting = halts.filter((why) => why.kind === 'suspended')
  const stopped = halts.filter((why) => why.kind !== 'suspended')
  const [first] = stopped
  if (!first)
    return new Halt({
      kind: 'suspended',
      judgements: waiting.flatMap(({ judgements }) => judgements),
      approvals: waiting.flatMap(({ approvals }) => approvals),
    })
  if (first.kind !== 'failed' || stopped.length === 1) return new Halt(first)
  const others = stopped
    .slice(1)
    .map((why) => (why.kind === 'failed' ? `${why.path}: ${why.reason}` : why.kind))
  const paths = stopped.flatMap((why) => (why.kind === 'failed' ? why.paths : []))
  return new Halt({ ...first, paths, reason: [first.reason, ...others].join('; ') })
}
