import { checkText } from '../core/check-text.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { Reader } from '../core/read.ts'
import { Tape } from '../core/tape.ts'
import type { TextEvent, TextReader, TextReaderOptions } from '../text/format.ts'
import { labels } from '../text/labels.ts'
import { finishPlan, otherLabels, type PlanRead } from './finish-plan.ts'
import { planParts } from './plan.ts'

export interface PlanOptions {
  /** A list that is not plain JSON, or one call that is not exactly as it should be, makes the whole list unusable. */
  readonly strict?: boolean
  /** `auto` (the default): tags decide; `open`: the prompt has opened reasoning; `none`: tags are plain text. */
  readonly reasoning?: TextReaderOptions['reasoning']
  /** What to bound; the rest is as in `defaultLimits`. */
  readonly limits?: Partial<Limits>
}

export interface PlanReaderOptions extends PlanOptions {
  /** Hears of parts and thoughts as they are read: `section-delta` with the names Title, Intent, Plan and Tool Calls. */
  readonly onEvent?: (event: TextEvent) => void
}

export interface PlanReader extends Reader<PlanRead['value']> {
  end(): PlanRead
}

/** Reads a planning reply while it streams. At the end it gives what `readPlan` gives. */
export function createPlanReader(options: PlanReaderOptions = {}): PlanReader {
  return new StreamingPlan(options)
}

const sections = [...planParts, ...otherLabels].map((name) => ({ name }))

class StreamingPlan implements PlanReader {
  private readonly tape = new Tape()
  private readonly strict: boolean
  private readonly limits: Limits
  private readonly reader: TextReader
  private result: PlanRead | undefined

  constructor({ strict = false, limits, reasoning, onEvent }: PlanReaderOptions) {
    this.strict = strict
    this.limits = { ...defaultLimits, ...limits }
    const { maxLength, maxIssues } = this.limits
    this.reader = labels().createReader(sections, {
      reasoning: reasoning ?? 'auto',
      inlineReasoning: true,
      ...(onEvent && { onEvent }),
      limits: { maxLength, maxIssues },
    })
  }

  push(chunk: string): void {
    checkText(chunk, 'push')
    if (this.result) return
    const room = Math.max(0, this.limits.maxLength - this.tape.length)
    this.tape.append(chunk.slice(0, room))
    this.reader.push(chunk)
  }

  end(): PlanRead {
    if (!this.result) {
      const { strict, limits } = this
      this.result = finishPlan({ source: this.tape.text(), read: this.reader.end(), strict, limits })
    }
    return this.result
  }

  /** For the growth tests. */
  get steps(): number {
    return (this.reader as TextReader & { readonly steps?: number }).steps ?? 0
  }
}
