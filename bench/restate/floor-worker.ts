/** The same shape without legible, run as a process: `node floor-worker.ts` listens at a port of its own choice. */
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import {
  createEndpointHandler,
  RestatePromise,
  type WorkflowContext,
  workflow,
} from '@restatedev/restate-sdk'
import { AGENTS, type FloorRequest, floorAgents, floorRuns } from './shape.ts'

// Lower case, as most of what models write: it costs the same to read and to write as JSON.
const replyOf = (size: number) => 'a'.repeat(size)

const agent = workflow({
  name: floorAgents,
  handlers: {
    run: (ctx: WorkflowContext, size: number) => ctx.run('turn', () => replyOf(size)),
  },
})

const run = workflow({
  name: floorRuns,
  handlers: {
    run: async (ctx: WorkflowContext, { agentReply, synthesisReply }: FloorRequest) => {
      const replies = await RestatePromise.all(
        Array.from({ length: AGENTS }, (_, i) =>
          ctx.workflowClient(agent, `${ctx.key}/${i + 1}`).run(agentReply),
        ),
      )
      const synthesis = await ctx.run('turn', () => replyOf(synthesisReply))
      return { replies: replies.length, synthesis }
    },
  },
})

const server = createServer(createEndpointHandler({ services: [run, agent], logger: () => {} }))
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
})
