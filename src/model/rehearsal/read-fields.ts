import { isRecord } from '../../core/is-record.ts'
import { fieldsWanted, synthesisOf } from '../loop-words.ts'
import { jsonAtStart } from './json-at-start.ts'
import type { FoundContract } from './read-sections.ts'

const example = /^\n*For example:\n/

/** The fields that a goal of a workflow wants, one to a line, with an example where they have types. */
export function readFields(text: string): FoundContract | undefined {
  // What agents wrote stands before what is wanted.
  const start = Math.max(text.lastIndexOf(fieldsWanted), text.lastIndexOf(synthesisOf.wanted))
  if (start < 0) return undefined
  const from = text.indexOf('\n', start) + 1
  const [list = ''] = /^(?:- [^\n]*\n?)+/.exec(text.slice(from)) ?? []
  const names = [...list.matchAll(/^- ([A-Za-z_][\w-]*)/gm)].map(([, name]) => name as string)
  if (names.length === 0) return undefined
  const rest = text.slice(from + list.length)
  const [shown = ''] = example.exec(rest) ?? []
  const given = shown === '' ? undefined : parse(jsonAtStart(rest.slice(shown.length)))
  const template = {
    example: isRecord(given) ? given : Object.fromEntries(names.map((name) => [name, 'text'])),
    free: true,
  }
  return { contract: { kind: 'json', template, tools: [] }, start, end: text.length }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
