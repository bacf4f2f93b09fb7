import { createRequire } from 'node:module'
import { bamlSource } from './schemas.ts'

// BAML says on standard output what it parses unless it is told not to, before it is loaded.
process.env.BAML_LOG = 'off'
const { BamlRuntime } = createRequire(import.meta.url)(
  '@boundaryml/baml',
) as typeof import('@boundaryml/baml')

const runtime = BamlRuntime.fromFiles('baml_src', { 'baml_src/findings.baml': bamlSource }, {})
const context = runtime.createContextManager()

/** Reads a list of findings with BAML's runtime, without its code generator. */
export function readWithBaml(text: string, allowPartial: boolean): unknown {
  return runtime.parseLlmResponse('Read', text, allowPartial, context, null, null, {})
}
