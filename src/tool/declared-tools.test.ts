import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createToolRegistry } from './create-tool-registry.ts'
import { type DeclaredTool, declaredTools } from './declared-tools.ts'
import { defineTool } from './define-tool.ts'

const schema = { type: 'object', properties: { city: { type: 'string' } } }

describe('declared tools', () => {
  it.each<[string, DeclaredTool]>([
    ['ours', { name: 'f', input: schema }],
    ['of an API', { type: 'function', function: { name: 'f', parameters: schema } }],
    ['of another API', { name: 'f', input_schema: schema }],
    ['of an MCP server', { name: 'f', inputSchema: schema }],
  ])('may be %s', (_, tool) => {
    const tools = declaredTools([tool])
    expect(tools.names).toEqual(['f'])
    expect(tools.schemaOf('f')).toBe(schema)
    expect(tools.shapeOf('f')?.kind).toBe('object')
  })

  it('may be a registry, with schemas of a library', () => {
    const tool = defineTool({
      name: 'f',
      description: 'Does f',
      input: z.object({ city: z.string() }),
      run: () => '',
    })
    const tools = declaredTools(createToolRegistry([tool]))
    expect(tools.has('f')).toBe(true)
    expect(tools.has('toString')).toBe(false)
    expect(tools.descriptionOf('f')).toBe('Does f')
    expect(tools.shapeOf('g')).toBeUndefined()
  })

  it('may be none', () => {
    expect(declaredTools(undefined).names).toEqual([])
  })

  it('may take no arguments', () => {
    expect(declaredTools([{ name: 'f' }]).schemaOf('f')).toEqual({ type: 'object', properties: {} })
  })

  it('are made once for each list', () => {
    const list: DeclaredTool[] = [{ name: 'f' }]
    expect(declaredTools(list)).toBe(declaredTools(list))
    const before = declaredTools(list)
    list.push({ name: 'g' })
    expect(declaredTools(list)).not.toBe(before)
  })

  it('may use types that are no JSON Schema', () => {
    const parameters = {
      type: 'dict',
      properties: { a: { type: 'float' }, b: { type: 'tuple', items: { type: 'int' } }, c: { type: 'any' } },
    }
    expect(declaredTools([{ name: 'f', parameters } as DeclaredTool]).schemaOf('f')).toEqual({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'array', items: { type: 'integer' } }, c: {} },
    })
    // The list of the user stays as it is.
    expect(parameters.type).toBe('dict')
  })

  it('need names', () => {
    expect(() => declaredTools([{ name: '' }])).toThrow('A tool needs a name')
    expect(() => declaredTools([{} as DeclaredTool])).toThrow('A tool needs a name')
  })
})
