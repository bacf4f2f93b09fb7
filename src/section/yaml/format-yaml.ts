import { Document, visit } from 'yaml'

/** A value as YAML that reads back as the same value: text of many lines in blocks, nothing folded, no aliases. */
export function formatYaml(value: unknown): string {
  // Through JSON: a tool may give dates, classes with toJSON, or fields that are undefined.
  const json: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
  const document = new Document(json, { aliasDuplicateObjects: false, version: '1.1' })
  visit(document, {
    Scalar(_, scalar) {
      // A block cannot hold these without its own end being part of it, and the end of a section is trimmed.
      if (typeof scalar.value === 'string' && /\n\s*\n$|^\s*\n|^\s+$|[^\S\n]\n?$/.test(scalar.value))
        scalar.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 }).trimEnd()
}
