import { closestName } from '../core/closest-name.ts'
import { LegibleError } from '../core/legible-error.ts'
import { checkBaseUrl } from './base-url.ts'

const services = ['ollama', 'openai', 'anthropic'] as const
type Service = (typeof services)[number]

/** A model as it is named in text. */
export type ModelName =
  | { readonly kind: Service; readonly name: string }
  | { readonly kind: 'url'; readonly url: string; readonly name: string }
  /** `settings` is what stands behind the colon, if anything. */
  | { readonly kind: 'rehearsal'; readonly settings: string }

const forms = `A model is written as one of
  ollama:NAME                    a model of Ollama, such as ollama:qwen3
  openai:NAME                    needs OPENAI_API_KEY
  anthropic:NAME                 needs ANTHROPIC_API_KEY
  http://127.0.0.1:8080/v1#NAME  any server that speaks as OpenAI does
  rehearsal                      no model at all: it plays one, offline`

/** What a text names. Throws a LegibleError when that is no model that we know how to reach. */
export function readModelName(text: string): ModelName {
  const given = text.trim()
  const colon = given.indexOf(':')
  // A name may have colons of its own: ollama:llama3.1:8b.
  const prefix = colon < 0 ? given : given.slice(0, colon)
  const name = colon < 0 ? '' : given.slice(colon + 1).trim()
  if (prefix === 'rehearsal') return { kind: 'rehearsal', settings: name }
  // As the rehearsal server names them: rehearsal+fence.
  if (prefix.startsWith('rehearsal+')) {
    const damage = `damage=${prefix.slice('rehearsal+'.length)}`
    return { kind: 'rehearsal', settings: [name, damage].filter(Boolean).join(',') }
  }
  const service = services.find((one) => one === prefix)
  if (service) {
    if (name === '')
      throw new LegibleError(
        'model.unknown',
        `${service} has many models, and this names none: ${service}:NAME. ${forms}`,
      )
    return { kind: service, name }
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(given) || given.includes('#')) return readAddress(given)
  const meant = intended(given, prefix, name)
  const advice = meant ? `; did you mean ${meant}?` : '.'
  throw new LegibleError('model.unknown', `${shown(given)} is no model${advice} ${forms}`)
}

/** `http://127.0.0.1:8080/v1#qwen3`: what the model is called stands where no request would send it. */
function readAddress(given: string): ModelName {
  const [address = '', ...rest] = given.split('#')
  const url = checkBaseUrl(address, 'The address of the model')
  const name = rest.join('#').trim()
  if (name === '')
    throw new LegibleError(
      'model.invalid_url',
      'The address of the model: behind it stands what the model is called, as in http://127.0.0.1:8080/v1#qwen3.',
    )
  return { kind: 'url', url, name }
}

function intended(given: string, prefix: string, name: string): string | undefined {
  // As others write it: openai/gpt-5.
  const [first = '', ...rest] = given.split('/')
  if (rest.length > 0 && services.some((one) => one === first.toLowerCase()))
    return safe(`${first.toLowerCase()}:${rest.join('/')}`)
  const service = closestName(prefix, [...services, 'rehearsal'])
  if (service === 'rehearsal') return service
  if (service) return safe(`${service}:${name || 'NAME'}`)
  if (/^claude/i.test(given)) return safe(`anthropic:${given}`)
  if (/^(gpt|chatgpt|o\d)/i.test(given)) return safe(`openai:${given}`)
  return undefined
}

/** Somebody may have put a key where the model goes: what looks like one is not repeated. */
const looksSecret = (text: string) => /(^|\W)(sk|pk|gsk|key|token)[-_]|[\w-]{32}/i.test(text)
const safe = (text: string) => (looksSecret(text) ? undefined : text)
const shown = (text: string) =>
  text === '' ? 'An empty name' : looksSecret(text) ? 'This' : JSON.stringify(text.slice(0, 80))
