import { labels } from '../text/labels.ts'
import { describeTools } from '../tool/describe-tools.ts'
import type { Tool } from '../tool/tool.ts'

const dependencies = `Calls run at once. One that needs others to be done first names them: "dependsOn": ["1"].
Its arguments can use their results, in quotes: "{{1}}" is all of it, "{{1.items.0.name}}" a part of it.`

/** Tells a model how to write a plan, and which tools it may plan with. */
export function describePlan(tools: readonly Tool[] = []): string {
  const call = { callId: '1', toolName: 'name', arguments: {} }
  const sections = [
    { name: 'Intent', prompt: 'what the user wants, in one sentence' },
    { name: 'Plan', prompt: 'what you will do, step by step' },
  ]
  if (tools.length > 0)
    sections.push({
      name: 'Tool Calls',
      prompt: `a JSON array of the calls you need, [] if none: [${JSON.stringify(call)}]`,
    })
  const parts = [labels().describe(sections)]
  if (tools.length > 0) parts.push(dependencies, `The tools:\n\n${describeTools(tools)}`)
  return parts.join('\n\n')
}
