import { exampleOf } from '../../schema/example-of.ts'
import type { Schema } from '../../schema/schema.ts'
import { findYaml } from '../../section/yaml/find-yaml.ts'
import type { Template } from './contract.ts'
import { jsonAtStart } from './json-at-start.ts'
import { readTypeText } from './read-type-text.ts'

const typed = /(?:^|[\s:])(JSON|YAML) (?:of (?:this|the) type|that fits this JSON Schema|like this example)/

export interface FoundTemplate extends Template {
  readonly notation: 'JSON' | 'YAML'
  /** Where the value begins to be described. */
  readonly at: number
}

/**
 * What a value that a text describes may look like: the example it gives, and without one, whatever its JSON Schema or its
 * type allows. Undefined when no value is described.
 */
export function templateInText(text: string): FoundTemplate | undefined {
  const start = typed.exec(text)
  if (!start) return undefined
  const notation = start[1] as 'JSON' | 'YAML'
  const at = start.index + start[0].indexOf(notation)
  const described = text.slice(at)
  const shown = /(?:^|\n)(?:Example|(?:JSON|YAML) like this example):[ \n]([\s\S]*?)(?:\nwhere\n|$)/.exec(
    described,
  )
  const example = shown ? readNotation(shown[1] ?? '', notation) : undefined
  const free = !/(?:\/\/|^- )[^\n]*\b(?:characters?\b|matches )|"(?:minLength|maxLength|pattern)":/m.test(
    described,
  )
  if (example !== undefined) return { example, free, notation, at }
  return { example: withoutExample(described), free, notation, at }
}

function withoutExample(described: string): unknown {
  const body = described.slice(described.indexOf('\n') + 1)
  if (/^(?:JSON|YAML) that fits/.test(described)) {
    try {
      return exampleOf(JSON.parse(jsonAtStart(body)) as Schema)
    } catch {
      return {}
    }
  }
  return exampleOf(readTypeText(described))
}

export function readNotation(text: string, notation: 'JSON' | 'YAML'): unknown {
  if (notation === 'YAML') return findYaml(text, { section: 'example', scalar: true }).values[0]?.at([])
  try {
    return JSON.parse(jsonAtStart(text.trim()))
  } catch {
    return undefined
  }
}
