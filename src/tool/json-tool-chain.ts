import { findJson } from '../section/find-json.ts'
import { type ChainNotation, createToolChain, type ToolChain, type ToolChainOptions } from './tool-chain.ts'

/** Tool calls as JSON: `{"tool": "search", "args": {"query": "weather"}}`, or a list of them. */
export function jsonToolChain(options: ToolChainOptions = {}): ToolChain {
  return createToolChain(json, options)
}

const json: ChainNotation = {
  name: 'JSON',
  find: findJson,
  write: (calls) => JSON.stringify(calls),
  format(output) {
    const text = JSON.stringify(output)
    if (text === undefined) throw new TypeError('not a value that JSON knows')
    return text
  },
}
