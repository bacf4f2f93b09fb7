import { LegibleError } from '../core/legible-error.ts'

/**
 * An address that requests can go to. `origin` says where it was written, for the message: what is wrong with an
 * address may be that it holds a password, so it is not shown.
 */
export function checkBaseUrl(text: string, origin: string): string {
  if (!/^https?:\/\//i.test(text))
    throw new LegibleError('model.invalid_url', `${origin}: an address begins with http:// or https://.`)
  if (!URL.canParse(text))
    throw new LegibleError(
      'model.invalid_url',
      `${origin}: this is no address, as http://127.0.0.1:8080/v1 is one.`,
    )
  const { username, password, search, hash } = new URL(text)
  if (username || password)
    throw new LegibleError(
      'model.invalid_url',
      `${origin}: an address must not hold a name or a password; keys go into the environment.`,
    )
  if (search || hash)
    throw new LegibleError(
      'model.invalid_url',
      `${origin}: an address ends before any ? or #, as the path of each request is added to it.`,
    )
  return text.replace(/\/+$/, '')
}

/** Where Ollama listens, as it is written in OLLAMA_HOST: `gpu`, `gpu:8000`, `:8000`, `https://gpu/ollama`. */
export function ollamaUrl(host = ''): string {
  const trimmed = host.trim()
  if (trimmed.includes('://')) return withVersion(checkBaseUrl(trimmed, 'OLLAMA_HOST'))
  const [, name = '', port = '11434', path = ''] = /^(\[.*\]|[^:/]*)(?::(\d+))?(\/.*)?$/.exec(trimmed) ?? [
    '',
    // `::1`: an IPv6 address has brackets in a URL.
    `[${trimmed}]`,
  ]
  // What a server binds to is nothing that a client can call.
  const reachable = name === '' || name === '0.0.0.0' || name === '[::]' ? '127.0.0.1' : name
  return withVersion(checkBaseUrl(`http://${reachable}:${port}${path}`, 'OLLAMA_HOST'))
}

/** Some write the version of an API into its address, and some leave it to the client. */
export const withVersion = (url: string) => (url.endsWith('/v1') ? url : `${url}/v1`)
