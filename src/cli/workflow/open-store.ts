import type { EngineChoice } from '../engine-options.ts'
import { chooseEngine } from './choose-engine.ts'
import type { RunStore } from './run-store.ts'

/** The runs that a command is about. */
export async function openStore(options: EngineChoice): Promise<RunStore> {
  const engine = chooseEngine(options)
  if (!engine) {
    const { fileStore } = await import('./file-store.ts')
    return fileStore(process.cwd())
  }
  const { engineStore } = await import('./engine-store.ts')
  return engineStore(engine, options)
}
