import { checkText } from '../core/check-text.ts'
import { createPlanReader, type PlanOptions } from './create-plan-reader.ts'
import type { PlanRead } from './finish-plan.ts'

/**
 * Reads a planning reply: what the model intends, what it plans to do, which tools it wants to call, and what it
 * thought. Parts begin with labels, in any order, decorated or not; one JSON object with the same keys is read too.
 */
export function readPlan(text: string, options?: PlanOptions): PlanRead {
  checkText(text, 'readPlan')
  const reader = createPlanReader(options)
  reader.push(text)
  return reader.end()
}
