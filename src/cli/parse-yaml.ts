import { parse } from 'yaml'

/** What a YAML document of the user says; throws what is wrong with it. */
export function parseYaml(text: string): unknown {
  return parse(text, { prettyErrors: true })
}
