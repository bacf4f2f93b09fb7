import { LegibleError } from '../core/legible-error.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Schema } from '../schema/schema.ts'
import type { Shape } from '../schema/shape.ts'
import type { Tool, ToolDefinition, ToolInput } from './tool.ts'

/** Declares a tool. What its `run` gets is what its schema lets through. */
export function defineTool<S extends Schema | undefined = undefined, Output = unknown>(
  definition: ToolDefinition<S, Output>,
): Tool<ToolInput<S>, Output> {
  const { name, description, input, needsApproval, needs } = definition
  checkRun(name, definition.run)
  for (const other of ['inputSchema', 'parameters', 'input_schema'])
    if (input === undefined && other in definition)
      throw new LegibleError(
        'tool.invalid_schema',
        `The tool ${name} has ${other}; here the schema of the arguments is called input.`,
      )
  const tool: Tool<ToolInput<S>, Output> = {
    name,
    description,
    input,
    ...(needsApproval !== undefined && { needsApproval }),
    ...(needs !== undefined && { needs }),
    run: (args, context) => definition.run(args, context),
  }
  checkTool(tool)
  return tool
}

/** Mistakes in a tool are found when it is declared, not when a model calls it. */
export function checkTool({ name, description, input, run }: Tool): void {
  if (typeof name !== 'string' || !/^[A-Za-z\d_.-]{1,64}$/.test(name))
    throw new LegibleError(
      'tool.invalid_name',
      `The tool name ${JSON.stringify(name)} is not usable: letters, digits, _, - and ., 1 to 64 of them.`,
    )
  if (typeof description !== 'string' || description.trim() === '')
    throw new LegibleError(
      'tool.no_description',
      `The tool ${name} has no description; a model cannot know what it is for.`,
    )
  checkRun(name, run)
  if (input === undefined) return
  let shape: Shape
  try {
    shape = compileSchema(input).shape
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new LegibleError(
      'tool.invalid_schema',
      `The input schema of the tool ${name} is broken: ${problem}`,
      {
        cause: error,
      },
    )
  }
  if (!takesObject(shape))
    throw new LegibleError(
      'tool.invalid_schema',
      `The input schema of the tool ${name} describes no object; arguments have names.`,
    )
}

function checkRun(name: string, run: unknown): void {
  if (typeof run !== 'function')
    throw new LegibleError('tool.no_run', `The tool ${name} has no run function.`)
}

function takesObject(shape: Shape): boolean {
  if (shape.kind === 'union') return shape.variants.every(takesObject)
  return shape.kind === 'object' || shape.kind === 'any'
}
