import type { CallOutcome, CheckedCall } from './call-outcome.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { runCall } from './run-call.ts'
import type { RunCall, RunOptions } from './run-options.ts'
import type { Tool } from './tool.ts'

/** Runs the calls that can run, several at once, and gives what came of each in the order of the calls. */
export async function runCalls<C>(
  entries: readonly CheckedCall[],
  registry: ToolRegistry,
  options: RunOptions<C>,
): Promise<CallOutcome[]> {
  const { concurrency = 8 } = options
  const outcomes: CallOutcome[] = []
  let next = 0
  const work = async () => {
    while (next < entries.length) {
      const index = next++
      const entry = entries[index] as CheckedCall
      const run: RunCall = (about) => runCall(entry, registry, options, about)
      const { around } = options
      outcomes[index] =
        entry.ok && around
          ? await around(entry.call, run, registry.get(entry.call.name) as Tool)
          : await run()
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, entries.length) }, work))
  return outcomes
}
