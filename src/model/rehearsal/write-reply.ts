import { labels } from '../../text/labels.ts'
import { CONVERGED } from '../loop-words.ts'
import type { AskedSection, Contract } from './contract.ts'
import type { Move } from './decide-move.ts'
import type { fillTemplate } from './fill-template.ts'
import { listed, plannedCalls, type WriteValue, writeCallsAs } from './write-call.ts'

/** Stands where a shown call will stand: what formats write cannot be broken out of, and models do not write like that. */
const place = 'xxSHOWNxx'

/** How a reply is written: well, or damaged. */
export interface Pen {
  readonly write: WriteValue
  readonly fill: typeof fillTemplate
  /** A call that is only shown, with words around it: it stands where a model would think aloud. */
  readonly shown: string
}

/** The move in the form that the contract asks for. */
export function writeReply(contract: Contract, move: Move, pen: Pen): string {
  const { write, shown } = pen
  if (move.converged === 'now') return CONVERGED
  if (move.converged === 'after')
    return `${writeReply(contract, { ...move, converged: undefined }, pen)}\n\n${CONVERGED}`
  switch (contract.kind) {
    case 'sections': {
      const sections = contract.sections.flatMap((section) => contentOf(section, contract, move, pen))
      const thought = contract.sections.find(({ holds, answers }) => holds === 'text' && !answers)?.name
      const within = shown !== '' && sections.some(({ name }) => name === thought)
      const text = contract.format.formatSections(
        sections.map(({ name, content }) => ({
          name,
          content: within && name === thought ? `${content}${place}` : content,
        })),
      )
      return within ? text.replace(place, () => `\n\n${shown.trimEnd()}`) : shown + text
    }
    case 'plan':
      if (move.answer !== undefined) return shown + move.answer
      return writePlan(contract, move, write).replace(place, () => shown && `\n\n${shown.trimEnd()}`)
    case 'reply':
      if (move.error !== undefined)
        return write(
          { type: 'error', code: move.error, message: 'This is the error that the rehearsal was asked for.' },
          'JSON',
        )
      if (move.answer === undefined)
        return `${shown}${move.thought}\n\n${writeCallsAs(contract, move.calls, write)}`
      return shown + (contract.answer ? write(pen.fill(contract.answer, move.words), 'JSON') : move.answer)
    case 'dialect':
      if (move.answer === undefined) return shown + writeCallsAs(contract, move.calls, write)
      return shown + (contract.answer ? write(pen.fill(contract.answer, move.words), 'JSON') : move.answer)
    case 'json':
      return write(pen.fill(contract.template, move.words), 'JSON')
    case 'plain':
      return shown + (move.answer ?? move.thought)
  }
}

interface Written {
  readonly name: string
  readonly content: string
}

function contentOf(
  section: AskedSection,
  contract: Extract<Contract, { kind: 'sections' }>,
  move: Move,
  { write, fill }: Pen,
): Written[] {
  const { name, holds, answers, notation, template } = section
  const done = move.answer !== undefined
  if (holds === 'calls')
    return done || move.calls.length === 0 ? [] : [{ name, content: write(listed(move.calls), notation) }]
  if (answers && !done) return []
  // Where all of them may be left out, something must be said all the same.
  const leavesOut = move.brief && contract.sections.some((other) => other.answers || !other.optional)
  if (section.optional && !answers && leavesOut) return []
  if (template) return [{ name, content: write(fill(template, move.words), notation) }]
  // Where no section is the answer, all of them are.
  const isAnswer = answers || !contract.sections.some((other) => other.answers)
  const text = isAnswer ? (move.answer ?? move.thought) : move.thought
  return [{ name, content: text }]
}

function writePlan(contract: Extract<Contract, { kind: 'plan' }>, move: Move, write: WriteValue): string {
  const steps = move.calls.map(({ tool }, i) => `${i + 1}. Call ${tool}.`)
  const sections = [
    { name: 'Intent', content: `${move.thought}${place}` },
    { name: 'Plan', content: [...steps, `${steps.length + 1}. Answer.`].join('\n') },
  ]
  if (contract.tools.length > 0 || move.calls.length > 0) {
    const dependent = contract.dependsOn && move.dependent
    sections.push({ name: 'Tool Calls', content: write(plannedCalls(move.calls, dependent), 'JSON') })
  }
  return labels().formatSections(sections)
}
