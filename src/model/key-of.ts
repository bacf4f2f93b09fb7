import { LegibleError } from '../core/legible-error.ts'

/** The variables that a program was started with. */
export type Env = Readonly<Record<string, string | undefined>>

/** A key out of the environment, before any request is made with it. It stands in no message. */
export function keyOf(env: Env, variable: string): string | undefined {
  // A key that was read from a file often ends in a line break.
  const key = env[variable]?.trim()
  if (!key) return undefined
  // In a header it would be refused with a message that shows it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new LegibleError('model.no_key', `${variable} holds spaces or other characters that no key has.`)
  return key
}

export function requiredKey(env: Env, variable: string, model: string): string {
  const key = keyOf(env, variable)
  if (key === undefined)
    throw new LegibleError('model.no_key', `${model} needs a key: set the environment variable ${variable}.`)
  return key
}
