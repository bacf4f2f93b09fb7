/** What can be kept and read again. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/**
 * A value as JSON would write it. Big integers become text and bytes their number: JSON has neither. Throws where there is no
 * way to write it, as for a value that refers to itself.
 */
export function plainJson(value: unknown): Json {
  const text = JSON.stringify(value, replace)
  return text === undefined ? null : JSON.parse(text)
}

function replace(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  // A Buffer has become a list of numbers before it comes here.
  const given = this[key]
  return ArrayBuffer.isView(given) ? `(${given.byteLength} bytes)` : value
}
