import { createHash } from 'node:crypto'
import { REDACTED, redactText } from './redact-text.ts'
import { isSecretName } from './secret-name.ts'

/** What a line of the log holds at most, so that nothing a model writes can fill the disk. */
export const redactLimits = {
  /** Objects and lists within each other. */
  depth: 16,
  /** Members and items, all together. */
  members: 1000,
  /** Characters of a text; of a longer one the length and the SHA-256 are told. */
  text: 2000,
  /** Characters of a name. */
  name: 200,
  /** Characters of all texts and names together. */
  total: 64 * 1024,
} as const

/**
 * Any value as plain data for JSON, without the secrets in it: what has the name of a secret, and what looks like one, in
 * values and in names. It never throws and runs nothing of the value: no getter, no `toJSON`. No fingerprint of a secret is
 * kept, as a short one could be guessed from it.
 */
export function redact(value: unknown): unknown {
  return new Redaction().value(value, 0)
}

/** In a list of names and values, or of headers: what the name is called, and what the value is. */
const nameMembers = ['name', 'key', 'header', 'field', 'variable', 'param', 'parameter']
const valueMembers = new Set(['value', 'values', 'val', 'content', 'default', 'data'])

class Redaction {
  private members = 0
  private length = 0
  private readonly above = new Set<object>()

  value(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.text(value)
      case 'boolean':
        return value
      case 'number':
        // JSON knows no -0.
        return Number.isFinite(value) ? value + 0 : String(value)
      case 'bigint':
        return this.text(String(value))
      case 'object':
        return value === null ? null : this.object(value, depth)
      case 'undefined':
        return null
      default:
        return `[${typeof value}]`
    }
  }

  private object(value: object, depth: number): unknown {
    if (this.above.has(value)) return '[circular]'
    if (depth >= redactLimits.depth) return '[too deep]'
    this.above.add(value)
    try {
      // A Proxy may throw at everything.
      return this.parts(value, depth + 1)
    } catch {
      return '[unreadable]'
    } finally {
      this.above.delete(value)
    }
  }

  private parts(value: object, depth: number): unknown {
    if (Array.isArray(value)) return this.list(value, depth)
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
    if (value instanceof Date) return Number.isNaN(+value) ? '[no date]' : new Date(+value).toISOString()
    if (value instanceof Map) return this.list([...value], depth)
    if (value instanceof Set) return this.list([...value], depth)
    if (value instanceof Error) return this.text(`${value.name}: ${value.message}`)
    return this.record(value, depth)
  }

  private list(list: readonly unknown[], depth: number): unknown[] {
    const clean: unknown[] = []
    let name: string | undefined
    for (let i = 0; i < list.length; i++) {
      if (!this.hasRoom()) {
        clean.push(leftOut(list.length - i))
        break
      }
      const item = own(list, i)
      // ['--password', 'hunter2'], ['Authorization', '…']
      const isValue = name !== undefined && isSecretName(name) && (name.startsWith('-') || list.length === 2)
      clean.push(isValue && isHidden(item) ? REDACTED : this.value(item, depth))
      name = typeof item === 'string' ? item : undefined
    }
    return clean
  }

  private record(record: object, depth: number): Record<string, unknown> {
    const clean: Record<string, unknown> = {}
    // `__proto__` is a name like any other.
    const add = (key: string, value: unknown) =>
      Object.defineProperty(clean, free(clean, key), {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    const keys = Object.keys(record)
    const isPair = nameMembers.some((member) => {
      const name = own(record, member)
      return typeof name === 'string' && isSecretName(name)
    })
    for (const [i, key] of keys.entries()) {
      if (!this.hasRoom()) {
        add('…', leftOut(keys.length - i))
        break
      }
      const value = own(record, key)
      if (value === undefined) continue
      const isSecret = isSecretName(key) || (isPair && valueMembers.has(key.toLowerCase()))
      add(this.key(key), isSecret && isHidden(value) ? REDACTED : this.value(value, depth))
    }
    return clean
  }

  private hasRoom(): boolean {
    return ++this.members <= redactLimits.members && this.length < redactLimits.total
  }

  private key(key: string): string {
    const clean = redactText(key)
    this.length += Math.min(clean.length, redactLimits.name)
    return clean.length > redactLimits.name ? `${clean.slice(0, redactLimits.name)}…` : clean
  }

  private text(text: string): string {
    const clean = redactText(text)
    const room = Math.max(0, Math.min(redactLimits.text, redactLimits.total - this.length))
    this.length += Math.min(clean.length, room)
    if (clean.length <= room) return clean
    // The sum is that of what may be shown: a secret that stands in known text could be guessed from the sum of both.
    const sum = createHash('sha256').update(clean).digest('hex')
    return `${clean.slice(0, room)}… [${text.length} characters, sha256 ${sum}]`
  }
}

/** Whether something is hidden if it has the name of a secret. What is only true, false or empty tells nothing. */
const isHidden = (value: unknown) =>
  typeof value !== 'boolean' && value !== null && value !== undefined && value !== ''

/** A getter could do anything: it is not asked. */
function own(object: object, key: PropertyKey): unknown {
  const property = Object.getOwnPropertyDescriptor(object, key)
  if (!property) return undefined
  return 'value' in property ? property.value : '[getter]'
}

/** Two names may be the same when they are redacted, or cut. */
function free(record: object, key: string): string {
  if (!Object.hasOwn(record, key)) return key
  let n = 2
  while (Object.hasOwn(record, `${key} ${n}`)) n++
  return `${key} ${n}`
}

const leftOut = (count: number) => `[${count} more left out]`
