import { flat } from '../chunks.ts'
import { writeDamaged } from './damage.ts'
import { type Finding, makeFindings } from './document.ts'

/** A clean document, and its text. */
export interface Document {
  label: string
  findings: Finding[]
  text: string
}

const made = new Map<number, Document>()

export function documentOf(kilobytes: number): Document {
  const known = made.get(kilobytes)
  if (known !== undefined) return known
  const findings = makeFindings(kilobytes * 1000)
  const text = flat(JSON.stringify(findings, null, 2))
  // The writer of damaged texts must write the clean text if there is no damage, or the ratios would mislead.
  if (writeDamaged(findings, []).text !== text)
    throw new Error('the damaging writer is not like JSON.stringify')
  const document = { label: kilobytes < 1000 ? `${kilobytes} KB` : `${kilobytes / 1000} MB`, findings, text }
  made.set(kilobytes, document)
  return document
}
