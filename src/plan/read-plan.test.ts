import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TextEvent } from '../text/format.ts'
import { createPlanReader } from './create-plan-reader.ts'
import { describePlan } from './describe-plan.ts'
import { readPlan } from './read-plan.ts'
import { readSynthesis } from './read-synthesis.ts'

const call = '{"callId": "c1", "toolName": "search", "arguments": {"query": "harbour"}}'
const codes = (text: string, options?: Parameters<typeof readPlan>[1]) =>
  readPlan(text, options).issues.map(({ code }) => code)

// Each behaviour that the specification names.
describe('parsing planning output', () => {
  it('extracts <think> tags, and joins several blocks by a line with three dashes', () => {
    const text = '<think>one</think>\nIntent: a\n<think>two</think>\nPlan: b'
    expect(readPlan(text).value).toEqual({ intent: 'a', plan: 'b', thoughts: 'one\n\n---\n\ntwo' })
  })

  it('extracts intent, plan and tool calls from what is not thought, whatever the case of the labels', () => {
    const text = `<think>Intent: no</think>\nintent: find it\nPLAN: look\nTool calls: [${call}]`
    expect(readPlan(text)).toMatchObject({
      ok: true,
      value: {
        intent: 'find it',
        plan: 'look',
        toolCalls: [{ id: 'c1', name: 'search', arguments: { query: 'harbour' } }],
        thoughts: 'Intent: no',
      },
    })
  })

  it.each([
    ['a plain array', `[${call}]`],
    ['a fence with a language', `\n\`\`\`json\n[${call}]\n\`\`\``],
    ['a fence without one', `\n\`\`\`\n[${call}]\n\`\`\``],
  ])('reads %s', (_, list) => {
    expect(readPlan(`Intent: a\nPlan: b\nTool Calls: ${list}`).value.toolCalls).toMatchObject([
      { id: 'c1', name: 'search', arguments: { query: 'harbour' } },
    ])
  })

  it('malformed JSON: an empty list, and an error', () => {
    for (const text of ['[{"callId": ', 'see above', '{{{', '"x"']) {
      const read = readPlan(`Intent: a\nPlan: b\nTool Calls: ${text}`)
      expect(read.value.toolCalls, text).toEqual([])
      expect(read.ok).toBe(false)
    }
  })

  it('invalid calls: rejected one by one, or with strict all of them', () => {
    const text = `Intent: a\nPlan: b\nTool Calls: [${call}, {"callId": "c2"}]`
    expect(readPlan(text).value.toolCalls).toHaveLength(1)
    expect(codes(text)).toEqual(['tool.missing_name'])
    expect(readPlan(text, { strict: true }).value.toolCalls).toEqual([])
    expect(codes(text, { strict: true })).toContain('plan.rejected_list')
  })

  it('tool calls are absent when the section is, empty when it is there and unusable', () => {
    expect(readPlan('Intent: a\nPlan: b').value).not.toHaveProperty('toolCalls')
    expect(readPlan('Intent: a\nPlan: b\nTool Calls: ???').value.toolCalls).toEqual([])
    expect(readPlan(`<think>Tool Calls: [${call}]</think>\nIntent: a\nPlan: b`).value).not.toHaveProperty(
      'toolCalls',
    )
  })

  it('is resilient to white space and the order of sections', () => {
    const value = { intent: 'a', plan: 'b', toolCalls: [] }
    expect(readPlan('\n\n Tool Calls:\n\n[]\n\n\nPlan:   b  \n\n\nIntent:\n a\n').value).toEqual(value)
  })

  it('says which sections are missing', () => {
    expect(codes('Plan: b')).toEqual(['plan.missing_part'])
    expect(codes('Hello')).toEqual(['plan.not_found'])
  })
})

describe('createPlanReader', () => {
  it('tells of its parts while it reads', () => {
    const events: TextEvent[] = []
    const reader = createPlanReader({ onEvent: (event) => events.push(event) })
    for (const chunk of ['<think>h', 'm</think>\nInt', 'ent: find', ' it\nPlan: look']) reader.push(chunk)
    const read = reader.end()
    expect(read.value).toEqual({ intent: 'find it', plan: 'look', thoughts: 'hm' })
    expect(reader.end()).toBe(read)
    const text = events.flatMap((event) =>
      event.type === 'section-delta' && event.name === 'Intent' ? [event.text] : [],
    )
    expect(text.join('')).toBe('find it')
  })

  const words = fc.constantFrom(
    ...['Intent:', 'Plan:', 'Tool Calls:', 'Title:', '**Plan:**', '## Plan', '\n', '\n', ' ', 'text', 'none'],
    ...[
      '<think>',
      '</think>',
      '```json\n',
      '```\n',
      '[',
      ']',
      '{',
      '}',
      call,
      '"',
      "'",
      ',',
      '{"intent": "a"',
      '\\',
    ],
    ...['"dependsOn": ["c1"]', '{"toolName": "now", "after": 1, "arguments": {"x": "{{1}}"}}', '{{1}}'],
    ...['{"toolCalls": [', '"plan": 1}', '<', '\u0000', '🎉'],
  )
  const hostile = fc.array(words, { maxLength: 24 }).map((parts) => parts.join(''))
  const runs = {
    numRuns: Number(process.env.PROPERTY_RUNS ?? 500),
    seed: Number(process.env.PROPERTY_SEED ?? 1),
  }

  it('never throws, and reads the same at every split', () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), fc.array(fc.nat(9), { maxLength: 30 }), (text, strict, sizes) => {
        const whole = readPlan(text, { strict })
        const reader = createPlanReader({ strict })
        let at = 0
        for (const size of sizes) {
          reader.push(text.slice(at, at + size))
          at += size
        }
        reader.push(text.slice(at))
        expect(reader.end()).toEqual(whole)
        const characters = createPlanReader({ strict })
        for (const c of text.split('')) characters.push(c)
        expect(characters.end()).toEqual(whole)
        for (const { span } of whole.issues)
          if (span) expect(span[0] >= 0 && span[0] <= span[1] && span[1] <= text.length).toBe(true)
      }),
      runs,
    )
  })

  it('says where each call stands in the reply', () => {
    const other = '{"callId": "c2", "toolName": "now", "arguments": {}}'
    const labelled = `<think>Tool Calls: [${call}]</think>\nIntent: a\nPlan: b\nTool Calls:\n[${call}, ${other}]`
    const object = `So be it: {"intent": "a", "plan": "b", "toolCalls": [${call}, ${other}]}`
    for (const text of [labelled, object]) {
      const { toolCalls = [] } = readPlan(text).value
      expect(toolCalls.map(({ span = [0, 0] }) => text.slice(...span))).toEqual([call, other])
    }
  })

  it('takes no call from a fence in the part with the calls if words stand there too', () => {
    const fence = `\`\`\`json\n[${call}]\n\`\`\``
    for (const text of [`See:\n${fence}`, `\n${fence}\nIs that right?`, `See:\n${fence}\nRight?`]) {
      const read = readPlan(`Intent: a\nPlan: b\nTool Calls: ${text}`)
      expect(read.value.toolCalls, text).toEqual([])
      expect(read.issues.map(({ code }) => code)).toContain('tool.embedded_call')
    }
  })

  it('takes no call from a thought or from a fence in another part', () => {
    fc.assert(
      fc.property(fc.constantFrom('<think>', '<thinking>'), fc.boolean(), (tag, fenced) => {
        const calls = `Tool Calls: [${call}]`
        const text = fenced
          ? `Intent: a\nPlan: b\n\`\`\`\n${calls}\n\`\`\``
          : `${tag}\n${calls}\n${tag.replace('<', '</')}\nIntent: a\nPlan: b`
        expect(readPlan(text).value).not.toHaveProperty('toolCalls')
      }),
    )
  })

  it.each([
    'Plan: a\nIntent: b\n',
    'Tool Calls: [',
    'Plan: a <think>b</think> c\n',
    `Tool Calls: [${call}]\n`,
    'Tool Calls: [{"toolName": "a", "dependsOn": [1], "arguments": "{{1}}"}]\n',
    'x</think>',
  ])('takes time that grows no faster than the text: %j', (part) => {
    const stepsOf = (size: number) => {
      const reader = createPlanReader() as ReturnType<typeof createPlanReader> & { steps: number }
      for (const c of part.repeat(size / part.length)) reader.push(c)
      reader.end()
      return reader.steps
    }
    expect(stepsOf(64_000) / stepsOf(16_000)).toBeLessThan(4.6)
  })
})

describe('dependencies', () => {
  const plan = (calls: readonly object[]) => `Intent: a\nPlan: b\nTool Calls: ${JSON.stringify(calls)}`
  const named = (callId: string, more: object = {}) => ({ callId, toolName: 'now', arguments: {}, ...more })

  it('says no more of a hostile list than of any other', () => {
    const wild = Array.from({ length: 20_000 }, (_, i) => i % 1000)
    const { value, issues } = readPlan(plan([named('x'), named('y', { dependsOn: wild })]))
    expect(value.toolCalls?.[1]?.dependsOn).toHaveLength(64)
    expect(issues.find(({ severity }) => severity === 'error')?.hint?.length).toBeLessThan(300)
    const templates = Array.from({ length: 1000 }, (_, i) => `{{t${i}}}`).join(' ')
    expect(codes(plan([named('x', { arguments: { templates } })]))).toEqual(
      Array(4).fill('plan.unknown_reference'),
    )
  })

  it('never lets a call run before one that it names, however long the list', () => {
    const calls = Array.from({ length: 64 }, (_, i) => named(`${i}`))
    const all = [...calls.map(({ callId }) => callId), 'other']
    const [first, ...rest] = calls
    expect(codes(plan([{ ...first, dependsOn: all }, ...rest]))).toEqual(['plan.cycle'])
  })

  it('reads them over several parts', () => {
    const text = `${plan([named('1', { dependsOn: ['2'] })])}\nTool Calls: ${JSON.stringify([named('2')])}`
    expect(readPlan(text).value.toolCalls).toMatchObject([{ id: '1', dependsOn: ['2'] }, { id: '2' }])
    expect(codes(text)).toEqual(['plan.repeated_part'])
  })
})

it('stops at limits of your own', () => {
  const calls = `Intent: a\nPlan: b\nTool Calls: [${call}]`
  expect(codes(calls, { limits: { maxLength: 20 } })).toContain('text.too_long')
  expect(codes(calls, { limits: { maxDepth: 1 } })).toContain('json.too_deep')
})

describe('describePlan', () => {
  it('asks for what is read', () => {
    const prompt = describePlan()
    for (const label of ['Intent:', 'Plan:']) expect(prompt).toContain(label)
    expect(prompt).not.toContain('Tool Calls')
    const tool = { name: 'now', description: 'The time.', input: undefined, run: () => '' }
    expect(describePlan([tool])).toContain('[{"callId":"1","toolName":"name","arguments":{}}]')
    expect(describePlan([tool])).toContain('now: The time.')
    for (const words of ['"dependsOn": ["1"]', '"{{1}}"']) {
      expect(describePlan([tool])).toContain(words)
      expect(prompt).not.toContain(words)
    }
  })
})

it('reads no more than text', () => {
  const legible = expect.objectContaining({ name: 'LegibleError', code: 'core.no_text' })
  for (const text of [undefined, null, 5, {}] as unknown as string[]) {
    expect(() => readPlan(text)).toThrow(legible)
    expect(() => readSynthesis(text)).toThrow(legible)
    expect(() => createPlanReader().push(text)).toThrow(legible)
  }
  const reader = createPlanReader()
  reader.end()
  expect(() => reader.push(5 as unknown as string)).toThrow(legible)
})

it.each([
  'Intent: a <think>1</think> b <think>2</think> c <think>3</think> d <think>4</think>\nPlan: y',
  'Intent: a ◁think▷1◁/think▷ b ◁think▷2◁/think▷ c ◁think▷3◁/think▷ d ◁think▷4◁/think▷\nPlan: y',
])('tells what it reads where thoughts stand within a line: %s', (text) => {
  let intent = ''
  const reader = createPlanReader({
    onEvent: (event) => {
      if (event.type === 'section-delta' && event.name === 'Intent') intent += event.text
    },
  })
  for (const character of text) reader.push(character)
  const thoughts = [1, 2, 3, 4].join('\n\n---\n\n')
  expect(reader.end()).toMatchObject({ value: { intent: intent.trim(), plan: 'y', thoughts }, issues: [] })
  expect(intent.trim()).toBe('a  b  c  d')
})
