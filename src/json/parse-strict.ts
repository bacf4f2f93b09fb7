/** The value of clean JSON text by the engine's own parser; nothing if it is not clean or nested too deeply. */
export function parseStrict(text: string, maxDepth: number): { readonly value: unknown } | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return deeperThan(value, maxDepth) ? undefined : { value }
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i]
      if (typeof item === 'object' && item !== null && deeperThan(item, levels - 1)) return true
    }
    return false
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key]
    if (typeof item === 'object' && item !== null && deeperThan(item, levels - 1)) return true
  }
  return false
}
