import { fold } from '../json/coerce/fold.ts'
import { findYaml } from '../section/yaml/find-yaml.ts'
import { formatYaml } from '../section/yaml/format-yaml.ts'
import { type ChainNotation, createToolChain, type ToolChain, type ToolChainOptions } from './tool-chain.ts'

/** Tool calls as YAML, where text needs no quotes and may have many lines. */
export function yamlToolChain(options: ToolChainOptions = {}): ToolChain {
  return createToolChain(yaml, options)
}

/** What a call, or a list of calls, begins with. */
const keys =
  'tool name toolname function functionname action toolcalls calls id type args arguments parameters input'.split(
    ' ',
  )

const yaml: ChainNotation = {
  name: 'YAML',
  find: (content, section, limits) =>
    findYaml(content, {
      section,
      limits,
      embeds: true,
      known: (key) => keys.includes(fold(key)),
      scalar: !/\s/.test(content.trim()),
    }),
  write: formatYaml,
  format(output) {
    if (JSON.stringify(output) === undefined) throw new TypeError('not a value that YAML knows')
    return formatYaml(output)
  },
}
