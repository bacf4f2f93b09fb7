/** What the engine offers to write digits as they are; the types do not know it yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/**
 * A value as JSON, indented or on one line. Big integers keep all their digits and dates are written in ISO 8601;
 * numbers that JSON does not have become null, and `lost` says which there were.
 */
export function formatValue(value: unknown, indent = 2): { text: string; lost: string[] } {
  const lost = new Set<string>()
  const text = JSON.stringify(
    value,
    (_, part: unknown) => {
      if (typeof part === 'bigint') return rawJSON(String(part))
      if (typeof part === 'number' && !Number.isFinite(part)) lost.add(String(part))
      return part
    },
    indent,
  )
  return { text, lost: [...lost] }
}
