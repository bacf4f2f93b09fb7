import type { KnownTools } from './known-tools.ts'

/**
 * The tool that is meant by a name as it was written: without the namespace that templates put before it, and without
 * control tokens that ran into it. A name that is nobody's comes back as it was written.
 */
export function resolveName(written: string, tools: KnownTools): string {
  const token = written.indexOf('<|')
  const name = (token > 0 ? written.slice(0, token) : written).trim()
  if (tools.has(name)) return name
  const plain = name.replaceAll('\\_', '_')
  if (tools.has(plain)) return plain
  const bare = plain.replace(/^functions?[.:/]/, '')
  if (bare !== '' && (tools.has(bare) || tools.names.length === 0)) return bare
  const last = bare.slice(bare.lastIndexOf('.') + 1)
  return tools.has(last) ? last : bare === '' ? plain : bare
}
