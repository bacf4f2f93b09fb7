import { createServer, type Http2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createEndpointHandler } from '@restatedev/restate-sdk'
import type { Json } from '../../agent/durable.ts'
import { gatherTools } from '../../agent/tools/gather-tools.ts'
import type { WorkflowOptions } from '../../agentfile/run/workflow-options.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { toJsonSchema } from '../../schema/to-json-schema.ts'
import type { Tool } from '../../tool/tool.ts'
import { listenAt } from './listen-at.ts'
import type { WorkerSetup } from './open-part.ts'
import type { ToolSignature } from './run-request.ts'
import { createServices } from './services.ts'
import { StepRoom } from './step-room.ts'

/** `limits` and `spawn`: the most that any run may use. */
export interface WorkerOptions extends Omit<WorkerSetup, 'tools' | 'room'> {
  readonly tools?: WorkflowOptions['tools']
  /** Steps at the same time in this process: questions to models, calls of tools; 64 unless said otherwise. */
  readonly steps?: number | undefined
  /** Public keys of the engine: whoever else calls is refused. */
  readonly identityKeys?: readonly string[] | undefined
  /** Is told what goes wrong between the worker and the engine. */
  readonly onProblem?: ((message: string) => void) | undefined
}

/** A process that carries out runs for an engine. */
export interface Worker {
  /** The address that it listens at. `host`: on this machine only unless said otherwise. */
  listen(port: number, host?: string): Promise<AddressInfo>
  /** Begins nothing more, and waits for the steps that run: what is paid for is kept. */
  close(): Promise<void>
}

const MOST_STEPS = 64
/** Milliseconds for what steps came to, to reach the engine. */
const FLUSH = 250

/** Makes a worker: it has models and tools, and gets programs and their inputs from the engine. */
export async function createWorker(options: WorkerOptions): Promise<Worker> {
  const { steps = MOST_STEPS, identityKeys, onProblem, tools: source, ...rest } = options
  const room = new StepRoom(steps)
  const tools = source === undefined ? [] : await gatherTools(source)
  const handler = endpointOf({
    services: createServices(
      { ...rest, tools, room },
      tools.map((tool) => signatureOf(tool, rest)),
    ),
    ...(identityKeys && { identityKeys: [...identityKeys] }),
    // Values as they are. With a codec of our own the SDK does not compare them with those of an earlier try: prompts of a newer version
    // may have other words, and what was asked with the old ones counts.
    journalValueCodecProvider: async () => ({ encode: (value) => value, decode: async (value) => value }),
    logger: ({ level }, ...words) => {
      // What it warns of is told by those who choose the address.
      if (level === 'error') onProblem?.(words.map(textOf).join(' '))
    },
  })
  const server = createServer(handler)
  const sessions = new Set<Http2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    session.on('error', (error) => onProblem?.(error.message))
  })
  return {
    listen: (port, host) => listenAt(server, port, host),
    async close() {
      server.close()
      // No new streams: whoever sends them goes elsewhere.
      for (const session of sessions) session.close()
      await room.close()
      await new Promise((resolve) => setTimeout(resolve, FLUSH))
      for (const session of sessions) session.destroy()
    },
  }
}

/** Throws a LegibleError when a key is none. */
function endpointOf(
  options: Parameters<typeof createEndpointHandler>[0],
): ReturnType<typeof createEndpointHandler> {
  try {
    return createEndpointHandler(options)
  } catch (error) {
    if (!options.identityKeys) throw error
    throw new LegibleError(
      'durable.invalid_key',
      'A key of the engine is written as publickeyv1_…, as it prints it.',
      {
        cause: error,
      },
    )
  }
}

const textOf = (word: unknown): string => (word instanceof Error ? word.message : String(word))

function signatureOf(tool: Tool, { permissions, approval }: WorkflowOptions): ToolSignature {
  const { name, description, input, needsApproval = false } = tool
  const isNamed = typeof approval === 'string' || (approval !== undefined && Object.hasOwn(approval, name))
  return {
    name,
    description,
    ...(input !== undefined && { input: toJsonSchema(input) as Json }),
    isRuled: permissions !== undefined || isNamed || needsApproval !== false,
  }
}
