import { defaultLimits } from '../core/limits.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import { choose } from '../json/choose.ts'
import { readJson } from '../json/read-json.ts'
import { JsonScanner } from '../json/scanner.ts'
import { otherLabels } from '../plan/finish-plan.ts'
import { type Plan, planParts } from '../plan/plan.ts'
import { readPlan } from '../plan/read-plan.ts'
import { readReply } from '../reply/read-reply.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Schema } from '../schema/schema.ts'
import type { Parts, TextFormat } from '../text/format.ts'
import { labels } from '../text/labels.ts'
import { markdown } from '../text/markdown.ts'
import { splitTags } from '../text/tag-splitter.ts'
import { xml } from '../text/xml.ts'
import type { ToolRegistry } from '../tool/create-tool-registry.ts'
import type { Format } from './read-formats.ts'

export interface ReadAsOptions {
  readonly schema?: Schema | undefined
  readonly sections: readonly string[]
  readonly tools?: ToolRegistry | undefined
  readonly limits: { readonly maxLength: number; readonly maxDepth: number }
}

/** A part of the text, for `--explain`. */
export interface Mark {
  readonly kind: 'section' | 'value' | 'other' | 'reasoning'
  readonly label: string
  readonly span: Span
}

export interface Reading {
  readonly read: Read<unknown>
  /** What the user should know about how it was read. */
  readonly warnings?: readonly string[]
  /** The parts of the text that are more than text, in its order. Found only when they are asked for. */
  marks(): Mark[]
}

/** Reads a text in one of the formats. */
export function readAs(format: Format, text: string, options: ReadAsOptions): Reading {
  if (format === 'json') return asJson(text, options)
  if (format === 'reply') return asReply(text, options)
  if (format === 'plan') return asPlan(text, options)
  return asSections({ xml, markdown, labels }[format](), text, options)
}

function asJson(text: string, { schema, limits }: ReadAsOptions): Reading {
  return {
    read: readJson(text, schema, { limits }),
    marks() {
      const all = { ...defaultLimits, ...limits }
      const scanner = new JsonScanner(all)
      scanner.push(text)
      scanner.end()
      const shape = schema === undefined ? undefined : compileSchema(schema).shape
      const chosen = choose(scanner, shape, all)?.candidate
      const taken = new Set(chosen?.parts ?? [])
      const marks = scanner.candidates
        .filter((candidate) => candidate !== chosen && !taken.has(candidate))
        .map(({ start, end }): Mark => ({ kind: 'other', label: 'not taken', span: [start, end] }))
      for (const { start, end } of chosen?.parts ?? (chosen ? [chosen] : []))
        marks.push({ kind: 'value', label: 'value', span: [start, end] })
      return inOrder(marks)
    },
  }
}

function asSections(format: TextFormat, text: string, { sections, limits }: ReadAsOptions): Reading {
  const { maxLength } = limits
  const read = format.read(
    text,
    sections.map((name) => ({ name })),
    { limits: { maxLength } },
  )
  const parts = read.value as Parts
  return { read: { ...read, value: plain(parts) }, marks: () => marksOf(parts) }
}

/** Parts as data. */
function plain(parts: Parts): unknown {
  return {
    parts: parts.all,
    sections: Object.fromEntries(parts.toMap()),
    text: parts.text,
    reasoning: parts.reasoning,
  }
}

function marksOf(parts: Parts): Mark[] {
  return parts.all.flatMap((part): Mark[] => {
    if (part.kind === 'text') return []
    if (part.kind === 'reasoning') return [{ kind: 'reasoning', label: 'reasoning', span: part.span }]
    return [{ kind: 'section', label: part.name, span: part.span }]
  })
}

function asReply(text: string, { tools, limits }: ReadAsOptions): Reading {
  const read = readReply(text, { tools: tools ?? [], limits })
  return {
    read,
    warnings: tools ? [] : ['without --tools <file> no tool is known: every action is refused'],
    marks() {
      const marks = read.ok && read.value.reasoning !== undefined ? reasoningOf(text) : []
      if (read.ok && read.value.type === 'action')
        marks.push({ kind: 'value', label: 'action', span: read.value.span })
      return inOrder(marks)
    },
  }
}

function reasoningOf(text: string): Mark[] {
  const { pieces } = splitTags(text).value as { pieces: readonly { tag: string | undefined; span: Span }[] }
  return pieces
    .filter(({ tag }) => tag !== undefined)
    .map(({ span }): Mark => ({ kind: 'reasoning', label: 'reasoning', span }))
}

function asPlan(text: string, { tools, limits }: ReadAsOptions): Reading {
  const read = readPlan(text, { limits })
  return {
    read: tools ? checked(read, tools) : read,
    marks: () =>
      marksOf(
        labels().read(
          text,
          [...planParts, ...otherLabels].map((name) => ({ name })),
        ).value as Parts,
      ),
  }
}

/** A plan is read without its tools; whether they exist and accept the arguments is said on top of it. */
function checked(read: Read<Plan>, tools: ToolRegistry): Read<unknown> {
  const plan = read.value as Plan
  if (!plan.toolCalls) return read
  const issues = [...read.issues]
  const toolCalls = plan.toolCalls.map((call) => {
    const one = tools.check(call)
    issues.push(...one.issues)
    return one.ok ? { ...call, arguments: one.value.arguments } : call
  })
  const ok = read.ok && !issues.some((issue) => issue.severity === 'error')
  return { ...read, ok, value: { ...plan, toolCalls }, issues }
}

function inOrder(marks: readonly Mark[]): Mark[] {
  return [...marks].sort((a, b) => a.span[0] - b.span[0])
}
