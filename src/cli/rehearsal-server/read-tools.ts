import { defined } from './defined.ts'
import type { Fields } from './fields.ts'
import type { CallOptions, FunctionTool } from './language-model.ts'

/** `tools`, which OpenAI and Ollama write in the same way. */
export function readTools(body: Fields): FunctionTool[] | undefined {
  const tools = body.objects('tools')?.map((tool): FunctionTool => {
    if ((tool.text('type') ?? 'function') !== 'function') throw tool.problem('type', 'must be function')
    const declared = tool.need('function', tool.object('function'))
    const parameters = declared.object('parameters')
    return defined<FunctionTool>({
      type: 'function',
      name: declared.need('name', declared.text('name')),
      description: declared.text('description'),
      inputSchema: parameters ? (declared.raw('parameters') as object) : { type: 'object', properties: {} },
      strict: declared.flag('strict'),
    } as FunctionTool)
  })
  return tools && tools.length > 0 ? tools : undefined
}

type ToolChoice = NonNullable<CallOptions['toolChoice']>

/** `tool_choice` of OpenAI. */
export function readToolChoice(body: Fields, tools: readonly FunctionTool[] = []): ToolChoice | undefined {
  const choice = body.raw('tool_choice')
  if (choice === undefined) return undefined
  if (choice === 'none') return { type: 'none' }
  if (tools.length === 0) throw body.problem('tool_choice', 'is only allowed when there are tools')
  if (choice === 'auto' || choice === 'required') return { type: choice }
  const named = typeof choice === 'object' ? body.object('tool_choice')?.object('function') : undefined
  if (!named)
    throw body.problem(
      'tool_choice',
      'must be "none", "auto", "required" or { "type": "function", "function": { "name": … } }',
    )
  const toolName = named.need('name', named.text('name'))
  if (!tools.some(({ name }) => name === toolName))
    throw named.problem('name', 'no tool in tools has this name')
  return { type: 'tool', toolName }
}
