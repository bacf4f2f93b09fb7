import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Read } from '../core/read.ts'
import { planIssues } from './issues.ts'
import { named } from './named.ts'
import type { PlannedCall } from './plan.ts'
import { MOST_TOLD, type Reference, splitReferences } from './references.ts'

/** Characters that references put into the arguments of one call: results made of results could grow without end. */
const MAX_FILLED = 1_000_000
/** Lists and objects within each other. */
const MAX_DEPTH = 1000

/**
 * The arguments of a call, with results of other calls in the place of references. A string that is one reference becomes
 * the value itself; within a longer string, its text is put. What was put in is not searched again. Results are copied.
 */
export function fillArguments(call: PlannedCall, results: ReadonlyMap<string, unknown>): Read<unknown> {
  const filling = new Filling(call.id, results)
  const value = filling.fill(call.arguments, 0)
  const { issues } = filling
  if (filling.isTooLarge) issues.push(planIssues.issue('too_large_arguments', { call: call.id }))
  if (issues.length > 0) return { ok: false, complete: true, issues }
  return { ok: true, value, complete: true, issues }
}

class Filling {
  readonly issues: Issue[] = []
  isTooLarge = false
  private readonly call: string
  private readonly results: ReadonlyMap<string, unknown>
  private readonly ids: readonly string[]
  /** Results that are JSON in a string, once they were parsed. */
  private readonly parsed = new Map<string, unknown>()
  private room = MAX_FILLED

  constructor(call: string, results: ReadonlyMap<string, unknown>) {
    this.call = call
    this.results = results
    this.ids = [...results.keys()]
  }

  fill(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.fillText(value)
    return this.rebuild(value, depth, (one) => this.fill(one, depth + 1))
  }

  private fillText(text: string): unknown {
    const [first = '', second] = splitReferences(text, this.ids)
    if (second === undefined) return typeof first === 'string' ? first : this.copy(this.find(first), 0)
    let filled = ''
    for (const piece of splitReferences(text, this.ids))
      filled += typeof piece === 'string' ? piece : this.textOf(this.find(piece))
    return filled
  }

  /** What a reference stands for. Only what is an object's or a list's own is ever looked at. */
  private find({ id, path, written }: Reference): unknown {
    if (this.issues.length >= MOST_TOLD) return undefined
    const { call } = this
    if (id === undefined) {
      this.issues.push(planIssues.issue('unknown_reference', { call, reference: written }))
      return undefined
    }
    let value: unknown = this.results.get(id) ?? null
    if (path.length > 0 && typeof value === 'string') value = this.parse(id, value)
    for (const [i, key] of path.entries()) {
      if (
        Array.isArray(value) ? !/^\d{1,9}$/.test(key) || Number(key) >= value.length : !hasOwn(value, key)
      ) {
        const place = i === 0 ? '' : `${named([path.slice(0, i).join('.')])} in `
        const has = `${place}the result of ${named([id])} is ${kindOf(value)}`
        this.issues.push(planIssues.issue('missing_result', { call, reference: written, has }))
        return undefined
      }
      value = (value as Record<string, unknown>)[Array.isArray(value) ? Number(key) : key]
    }
    return value
  }

  /** Many tools give JSON as text. What is none stays a text. */
  private parse(id: string, text: string): unknown {
    if (!this.parsed.has(id)) this.parsed.set(id, parsedOf(text))
    return this.parsed.get(id)
  }

  private textOf(value: unknown): string {
    const { room } = this
    const copied = this.copy(value, 0)
    if (this.isTooLarge || typeof copied === 'string') return this.isTooLarge ? '' : String(copied)
    try {
      const text = typeof copied === 'bigint' ? String(copied) : (JSON.stringify(copied) ?? '')
      // As text, with its quotes and commas, it may take more than it did.
      this.room = room
      this.take(text.length)
      return text
    } catch {
      this.isTooLarge = true
      return ''
    }
  }

  /** A copy, so that a tool that changes its arguments changes no result. */
  private copy(value: unknown, depth: number): unknown {
    this.take(typeof value === 'string' ? value.length : 1)
    if (Array.isArray(value) && value.length > this.room) this.isTooLarge = true
    return this.rebuild(value, depth, (one, key) => {
      this.take(key.length)
      return this.copy(one, depth + 1)
    })
  }

  private take(length: number): void {
    this.room -= length
    if (this.room < 0) this.isTooLarge = true
  }

  /** A list or object with other members; anything else as it is. A key `__proto__` is a key like others. */
  private rebuild(value: unknown, depth: number, member: (one: unknown, key: string) => unknown): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (depth > MAX_DEPTH) this.isTooLarge = true
    if (this.isTooLarge) return undefined
    if (Array.isArray(value)) return value.map((one) => member(one, ''))
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, member(one, key)]))
  }
}

const hasOwn = (value: unknown, key: string) => isRecord(value) && Object.hasOwn(value, key)

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function parsedOf(text: string): unknown {
  if (text.length > MAX_FILLED) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** For the model: what it could have referred to. */
function kindOf(value: unknown): string {
  if (value === null) return 'empty'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list, 0 to ${value.length - 1}`
  if (!isRecord(value)) return typeof value === 'string' ? 'a text' : `a ${typeof value}`
  const keys = Object.keys(value)
  return keys.length === 0 ? 'an empty object' : `an object with ${named(keys)}`
}
