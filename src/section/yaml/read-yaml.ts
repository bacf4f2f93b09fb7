import { defaultLimits, type Limits } from '../../core/limits.ts'
import type { Read } from '../../core/read.ts'
import { fold } from '../../json/coerce/fold.ts'
import { type Fitted, fitValue } from '../../json/fit-value.ts'
import { listIssues } from '../../json/list-issues.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { Infer, Schema } from '../../schema/schema.ts'
import type { Shape } from '../../schema/shape.ts'
import type { FoundValue } from '../found-value.ts'
import { sectionIssues } from '../issues.ts'
import { findYaml } from './find-yaml.ts'
import type { KnownKey } from './yaml-body.ts'

/**
 * Reads the YAML value in a model's text. The schema decides what a scalar is: where it wants text, `no`, `0123` and
 * `2026-01-20` stay as they were written. Never throws because of what the text says.
 */
export function readYaml<S extends Schema>(
  content: string,
  schema: S,
  section: string,
  limits?: Limits,
): Read<Infer<S>>
export function readYaml(
  content: string,
  schema: Schema,
  section: string,
  limits: Limits = defaultLimits,
): Read<unknown> {
  const compiled = compileSchema(schema)
  const { shape } = compiled
  const found = findYaml(content, {
    section,
    limits,
    known: knownKeys(shape),
    scalar: !takesContainer(shape) ? 'only' : takesScalar(shape),
  })
  const issues = [...found.issues]
  if (found.values.length === 0) return { ok: false, complete: true, issues }
  const fitted = found.values.map((value) => {
    const source = {
      span: (path: readonly PropertyKey[], key?: boolean) => value.spanAt(path, key),
      text: (path: readonly PropertyKey[]) => value.textAt(path),
    }
    return { value, fit: fitValue(value.at([], shape), compiled, source) }
  })
  let best = fitted[0] as { value: FoundValue; fit: Fitted }
  for (const one of fitted) if (rank(one.fit) <= rank(best.fit)) best = one
  issues.push(...best.value.issues, ...best.fit.issues)
  if (fitted.length > 1)
    issues.push(sectionIssues.issue('several_documents', { count: fitted.length }, { span: best.value.span }))
  const ok = !issues.some((issue) => issue.severity === 'error')
  return {
    ok,
    value: best.fit.value,
    complete: best.value.complete,
    issues: listIssues(issues, limits.maxIssues),
  }
}

const rank = ({ ok, cost }: Fitted) => (ok ? 0 : 10_000) + cost

/** The keys that a value of this shape begins with, if the schema names them. */
function knownKeys(shape: Shape): KnownKey | undefined {
  const names = new Set<string>()
  if (!collect(shape, names) || names.size === 0) return undefined
  return (key) => names.has(fold(key))
}

function collect(shape: Shape, names: Set<string>): boolean {
  switch (shape.kind) {
    case 'object':
      for (const [name, field] of shape.fields)
        for (const one of [name, ...field.aliases]) names.add(fold(one))
      return shape.fields.size > 0
    case 'array':
      return shape.items !== false && collect(shape.items, names)
    case 'union':
      return shape.variants.every((variant) => variant.kind === 'null' || collect(variant, names))
    default:
      return false
  }
}

function takesContainer(shape: Shape): boolean {
  if (shape.kind === 'union') return shape.variants.some(takesContainer)
  return shape.kind === 'object' || shape.kind === 'array' || shape.kind === 'any'
}

function takesScalar(shape: Shape): boolean {
  if (shape.kind === 'union') return shape.variants.some(takesScalar)
  return shape.kind !== 'object' && shape.kind !== 'array'
}
