import { promptParts } from '../syntax/prompt-parts.ts'
import type { Value } from './program.ts'

export type Variables = ReadonlyMap<string, Value>

/** A prompt with the values of its variables. In one pass: what stands in a value is never looked at again. */
export function interpolate(prompt: string, variables: Variables): string {
  return promptParts(prompt, variables)
    .map((part) => {
      if (part.kind === 'text') return part.text
      const value = part.kind === 'variable' ? variables.get(part.name) : undefined
      return value === undefined ? `$${part.name}` : valueText(value)
    })
    .join('')
}

/** A value in a text: words as they are, all else as JSON. */
export const valueText = (value: Value): string => (typeof value === 'string' ? value : JSON.stringify(value))
