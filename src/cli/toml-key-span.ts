import { parse } from 'smol-toml'
import type { Span } from '../core/span.ts'

/** Where a key of the outermost table stands in a TOML text that can be parsed; undefined when it is not found. */
export function tomlKeySpan(text: string, key: string): Span | undefined {
  // model = …, "model" = …, model.name = …, [model], [[model.name]]
  const written = [key, `"${key}"`, `'${key}'`].map((one) => one.replace(/[^\w-]/g, '\\$&')).join('|')
  const line = new RegExp(`^[ \\t]*(?:\\[\\[?[ \\t]*)?(${written})[ \\t]*[.=\\]]`, 'dgm')
  for (const { index, indices } of text.matchAll(line)) {
    if (isFirst(text.slice(0, index), key)) return indices?.[1]
  }
  return undefined
}

/** Whether the key is not there yet: in the middle of a string or list, what is before cannot be parsed at all. */
function isFirst(before: string, key: string): boolean {
  try {
    return !Object.hasOwn(parse(before), key)
  } catch {
    return false
  }
}
