import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { fileError } from './usage-error.ts'

/** For options that can be given several times. */
export const collect = (value: string, before: readonly string[]): string[] => [...before, value]

/** `name=value`, several times. */
export function inputPair(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be written as name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** Values that begin with @ stand in a file; @- is what comes in. */
export function inputTexts(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, textOf(value)]))
}

function textOf(value: string): string {
  if (!value.startsWith('@')) return value
  const file = value.slice(1)
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw fileError(file, error)
  }
}
