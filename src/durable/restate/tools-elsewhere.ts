import { compileSchema } from '../../schema/compile-schema.ts'
import type { JsonSchema, StandardSchema } from '../../schema/schema.ts'
import { defineTool } from '../../tool/define-tool.ts'
import type { Tool } from '../../tool/tool.ts'
import type { ToolSignature } from './run-request.ts'

/** Tools that run elsewhere, as models were told of them. What calls of them came to is known from there. */
export const toolsElsewhere = (signatures: readonly ToolSignature[]): Tool[] =>
  signatures.map(
    ({ name, description, input, isRuled = false }) =>
      defineTool({
        name,
        description,
        // What was ruled on its calls is known from there, too.
        needsApproval: isRuled,
        ...(input !== undefined && { input: withDefaults(input as JsonSchema) }),
        run: () => {
          throw new Error(`${name} runs at a worker`)
        },
      }) as Tool,
  )

/** Schemas of libraries fill in what is left out; of that JSON Schema only tells. */
function withDefaults(schema: JsonSchema): StandardSchema<Record<string, unknown>> {
  const { properties = {} } = schema as { properties?: Record<string, { default?: unknown }> }
  return {
    '~standard': {
      version: 1,
      vendor: 'legible',
      validate(value) {
        const checked = compileSchema(schema).validate(value)
        if (!checked.ok) return { issues: checked.problems.map(({ message }) => ({ message })) }
        const given = checked.value as Record<string, unknown>
        const filled = Object.entries(properties).flatMap(([name, { default: usual }]) =>
          Object.hasOwn(given, name) ? [[name, given[name]]] : usual === undefined ? [] : [[name, usual]],
        )
        return { value: { ...Object.fromEntries(filled), ...given } }
      },
      jsonSchema: {
        input: () => schema as Record<string, unknown>,
        output: () => schema as Record<string, unknown>,
      },
    },
  }
}
