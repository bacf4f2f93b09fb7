import { gatherTools, type ToolSource } from '../agent/tools/gather-tools.ts'
import { LegibleError } from '../core/legible-error.ts'
import { fileTools } from '../tool/file/file-tools.ts'
import type { Tool } from '../tool/tool.ts'
import { connectMcp } from './connect-mcp.ts'
import { type FileKind, loadFile } from './load-file.ts'
import { UsageError } from './usage-error.ts'

/** A person decides on a change by its diff, so nearly all of them are shown in full. */
const MOST_DIFF_LINES = 10_000

export interface OpenTools {
  readonly tools: readonly Tool[]
  /** Ends what was started for them. */
  close(): Promise<void>
}

interface Opened {
  readonly source: ToolSource
  close?(): Promise<void>
}

/** Tools that can run. `given`: what `--tools` was given, each a list: `fs`, `mcp:…`, a module; `none`. */
export async function openTools(given: readonly string[], root: string): Promise<OpenTools> {
  const names = given.flatMap(partNames).filter((name) => name !== 'none')
  const opened: Opened[] = []
  const close = async () => {
    await Promise.allSettled(opened.map((one) => one.close?.()))
  }
  try {
    const lists: Tool[][] = []
    for (const name of names) {
      const one = await open(name, root)
      opened.push(one)
      lists.push(await named(name, () => gatherTools(one.source)))
    }
    return { tools: await named('--tools', () => gatherTools(lists.flat())), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Commas part names; the command of an MCP server may have commas of its own. */
const partNames = (text: string): string[] =>
  text
    .split(/,(?=(?:fs|none)(?:,|$)|mcp:|[^,\s]+\.[mc]?[jt]s(?:,|$))/)
    .map((name) => name.trim())
    .filter(Boolean)

async function open(name: string, root: string): Promise<Opened> {
  if (name === 'fs')
    return named(name, async () => ({ source: fileTools({ root, limits: { diffLines: MOST_DIFF_LINES } }) }))
  if (name.startsWith('mcp:')) return connectMcp(name.slice('mcp:'.length).trim())
  const exported = loadFile(name, toolModule)
  // A client of an MCP server has to connect first: it comes as a promise, or from a function.
  const found: unknown = typeof exported === 'function' ? exported() : exported
  return { source: (await found) as ToolSource }
}

const toolModule: FileKind = {
  code: 'cli.invalid_tools',
  name: 'a list of tools',
  pick: (module) => module?.default ?? module?.tools,
}

/** What is wrong with tools, with their name before it. */
async function named<T>(name: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.invalid_tools', `${name}: ${error.message}`, { cause: error })
  }
}
