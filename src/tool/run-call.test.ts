import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { xml } from '../text/xml.ts'
import { defineTool } from './define-tool.ts'
import { jsonToolChain } from './json-tool-chain.ts'
import { createPermissions } from './permission/create-permissions.ts'
import type { CallRecord, RunOptions } from './run-options.ts'

const format = xml()

/** A chain whose tool writes down that it runs, in the same list as the store and the recorder. */
function scene(grant: (permissions: ReturnType<typeof createPermissions>) => void = () => {}) {
  const steps: string[] = []
  const permissions = createPermissions()
  grant(permissions)
  const tool = defineTool({
    name: 'save',
    description: 'Saves a text.',
    input: z.object({ path: z.string().refine((path) => steps.push('schema') > 0 && path !== '') }),
    needs: ({ path }) => ({ capability: 'fs.write', path }),
    run: () => {
      steps.push('run')
      return 'done'
    },
  })
  const records: CallRecord[] = []
  const options: RunOptions & { format: typeof format } = {
    format,
    permissions: {
      check: (needs) => {
        steps.push('permission')
        return permissions.check(needs)
      },
    },
    record: (one) => {
      steps.push(`record ${one.type}`)
      records.push(one)
    },
  }
  const chain = jsonToolChain({ tools: [tool] })
  const call = (args: unknown, name = 'save', extra: Partial<RunOptions> = {}) =>
    chain.run({ id: '1', name, arguments: args }, { ...options, ...extra })
  return { steps, records, permissions, call, chain, options }
}

describe('the way of a call', () => {
  it('is: exists, schema, permission, run, record', async () => {
    const { steps, call, records } = scene((one) => one.grant({ capability: 'fs.write' }))
    const result = await call({ path: 'a.txt' })
    expect(result.raw.errors).toEqual([undefined])
    expect(steps.filter((step, i) => step !== steps[i - 1])).toEqual([
      'schema',
      'permission',
      'record call-start',
      'run',
      'record call-end',
    ])
    expect(records).toMatchObject([
      { needs: [{ capability: 'fs.write', path: 'a.txt' }], permittedBy: 'rule' },
      { outcome: { ok: true } },
    ])
  })

  it('ends where no tool has the name, and is recorded', async () => {
    const { steps, call } = scene((one) => one.grant({ capability: 'fs.write' }))
    const { raw } = await call({ path: 'a' }, 'destroy')
    expect(raw.errors[0]?.code).toBe('tool.unknown')
    expect(steps).toEqual(['record call-refused'])
  })

  it('ends where the arguments do not fit, and is recorded', async () => {
    const { steps, call, records } = scene((one) => one.grant({ capability: 'fs.write' }))
    const { raw } = await call({ path: '' })
    expect(raw.errors[0]?.code).toBe('tool.invalid_arguments')
    expect(steps.at(-1)).toBe('record call-refused')
    expect(steps).not.toContain('permission')
    expect(records).toMatchObject([{ type: 'call-refused', error: { code: 'tool.invalid_arguments' } }])
  })

  it('ends where nothing is granted, and is recorded', async () => {
    const { steps, call } = scene()
    const { raw, text } = await call({ path: 'a.txt' })
    expect(raw.errors[0]).toMatchObject({
      code: 'tool.not_permitted',
      hint: 'This call is not permitted: nobody has granted fs.write for a.txt.',
    })
    expect(text).toContain('nobody has granted fs.write')
    expect(steps).not.toContain('run')
    expect(steps.at(-1)).toBe('record call-refused')
  })

  it('asks the store anew for every call: a grant that is revoked counts no more', async () => {
    const { call, permissions } = scene()
    const { id } = permissions.grant({ capability: 'fs.write' })
    expect((await call({ path: 'a' })).raw.errors[0]).toBeUndefined()
    permissions.revoke(id)
    expect((await call({ path: 'a' })).raw.errors[0]?.code).toBe('tool.not_permitted')
  })

  it('checks what a hook made of the arguments, not what they were', async () => {
    const { call, steps } = scene((one) => one.grant({ capability: 'fs.write', path: 'ok' }))
    const before = () => ({ arguments: { path: 'elsewhere' } })
    const { raw } = await call({ path: 'ok/a' }, 'save', { before })
    expect(raw.errors[0]?.code).toBe('tool.not_permitted')
    expect(steps).not.toContain('run')
  })

  it('does not believe a person who saw another call', async () => {
    const { call, steps } = scene()
    const before = () => ({ arguments: { path: 'elsewhere' } })
    const { raw } = await call({ path: 'ok/a' }, 'save', {
      before,
      around: (_, run) => run({ permitted: true }),
    })
    expect(raw.errors[0]?.code).toBe('tool.not_permitted')
    expect(steps).not.toContain('run')
  })

  it('takes the word of a person who saw this call', async () => {
    const { call, records } = scene()
    const { raw } = await call({ path: 'a' }, 'save', { around: (_, run) => run({ permitted: true }) })
    expect(raw.errors[0]).toBeUndefined()
    expect(records).toMatchObject([{ type: 'call-start', permittedBy: 'person' }, { type: 'call-end' }])
  })

  it('does not run what cannot be recorded', async () => {
    const { call, steps } = scene((one) => one.grant({ capability: 'fs.write' }))
    const record = () => {
      throw new Error('no space left on device')
    }
    const { raw } = await call({ path: 'a' }, 'save', { record })
    expect(raw.errors[0]).toMatchObject({ code: 'tool.unrecorded' })
    expect(raw.errors[0]?.message).toContain('no space left')
    expect(raw.errors[0]?.hint).toContain('did not run')
    expect(steps).not.toContain('run')
  })

  it('says so when the tool ran and that could not be recorded', async () => {
    const { call, steps } = scene((one) => one.grant({ capability: 'fs.write' }))
    const record = (one: CallRecord) => {
      if (one.type === 'call-end') throw new Error('full')
    }
    const { raw } = await call({ path: 'a' }, 'save', { record })
    expect(raw.errors[0]).toMatchObject({ code: 'tool.unrecorded' })
    expect(raw.errors[0]?.hint).toContain('The tool ran')
    expect(raw.results[0]?.output).toBe('done')
    expect(steps).toContain('run')
  })

  it('needs a capability of its own name where a tool says nothing', async () => {
    const tool = defineTool({ name: 'ping', description: 'Pings.', run: () => 'pong' })
    const chain = jsonToolChain({ tools: [tool] })
    const permissions = createPermissions()
    const ping = () => chain.run({ id: '1', name: 'ping', arguments: {} }, { format, permissions })
    expect((await ping()).raw.errors[0]?.code).toBe('tool.not_permitted')
    permissions.grant({ capability: 'ping' })
    expect((await ping()).raw.errors[0]).toBeUndefined()
  })

  it('is not permitted where a tool cannot say what it needs', async () => {
    const needs = () => {
      throw new Error('?')
    }
    const tool = defineTool({ name: 'odd', description: 'Odd.', needs, run: () => 'ran' })
    const chain = jsonToolChain({ tools: [tool] })
    const permissions = createPermissions()
    permissions.grant({ capability: 'odd' })
    const { raw } = await chain.run({ id: '1', name: 'odd', arguments: {} }, { format, permissions })
    expect(raw.errors[0]?.code).toBe('tool.not_permitted')
  })
})
