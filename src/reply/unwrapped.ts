import type { Span } from '../core/span.ts'
import { shiftIssues } from '../section/shift-issues.ts'
import type { FoundObject, ReplyFacts } from './reply-facts.ts'

/** The facts of a reply; those of one that is a fenced object are the facts of that object. */
export function unwrapped(facts: ReplyFacts): ReplyFacts {
  const { whole } = facts
  if (!whole) return facts
  const { inner, contentStart: offset } = whole
  const shift = ([start, end]: Span): Span => [start + offset, end + offset]
  const shiftObject = (found: FoundObject): FoundObject => {
    const [start, end] = shift([found.start, found.end])
    return { ...found, start, end, issues: shiftIssues(found.issues, offset) }
  }
  return {
    ...facts,
    // Where nothing but space and reasoning stands before a fence, no object was found.
    actions: inner.actions.map(shiftObject),
    errors: inner.errors.map(shiftObject),
    wrapped: inner.wrapped.map(shift),
    embedded: [...facts.embedded, ...inner.embedded.map(({ where, span }) => ({ where, span: shift(span) }))],
    text: facts.text,
    rest: inner.text,
    source: (from, to) => facts.source(from, to),
  }
}
