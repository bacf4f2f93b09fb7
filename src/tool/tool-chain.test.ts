import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { suggestRetry } from '../core/suggest-retry.ts'
import { textTermination, yamlSection } from '../section/index.ts'
import { markdown } from '../text/markdown.ts'
import { xml } from '../text/xml.ts'
import {
  createToolRegistry,
  defineTool,
  jsonToolChain,
  type Media,
  type ToolCall,
  toolResult,
  yamlToolChain,
} from './index.ts'

const search = defineTool({
  name: 'search',
  description: 'Search the web for information',
  input: z.object({
    query: z.string().describe('What to look for'),
    count: z.int().optional().describe('How many results'),
  }),
  run: ({ query }) => `Results for: ${query}`,
})
const calendar = defineTool({
  name: 'calendar',
  description: 'The appointments of a day',
  input: {
    type: 'object',
    properties: { date: { type: 'string', description: 'Which day' } },
    required: ['date'],
  },
  run: ({ date }: { date: string }) => ({ date, appointments: ['dentist'] }),
})
const broken = defineTool({
  name: 'broken',
  description: 'Never works',
  run() {
    throw new Error('the server is down')
  },
})
const tools = [search, calendar, broken]
const format = xml()
const codes = (read: { issues: readonly { code: string }[] }) => read.issues.map((issue) => issue.code)

const notations = {
  toolchain_json_test: {
    chain: () => jsonToolChain({ tools }),
    one: '{"tool": "search", "args": {"query": "weather"}}',
    many: '[{"tool": "search", "args": {"query": "weather"}}, {"tool": "calendar", "args": {"date": "today"}}]',
    nameless: '{"args": {"query": "weather"}}',
    invalid: ['{invalid json}', 'section.invalid_json'],
    unknown: '{"tool": "nope", "args": {}}',
    failing: '[{"tool": "broken"}, {"tool": "search", "args": {"query": "x"}}]',
    observed: '{"date":"today","appointments":["dentist"]}',
  },
  toolchain_yaml_test: {
    chain: () => yamlToolChain({ tools }),
    one: 'tool: search\nargs:\n  query: weather',
    many: '- tool: search\n  args:\n    query: weather\n- tool: calendar\n  args:\n    date: today',
    nameless: 'args:\n  query: weather',
    invalid: ['- tool: search\n args: x', 'section.invalid_yaml'],
    unknown: 'tool: nope',
    failing: '- tool: broken\n- tool: search\n  args: {query: x}',
    observed: 'date: today\nappointments:\n  - dentist',
  },
} as const

describe.each(Object.entries(notations))('%s', (_, notation) => {
  it('single tool call parsing', () => {
    const read = notation.chain().read(notation.one)
    expect(read).toMatchObject({ ok: true, complete: true, issues: [] })
    expect(read.value).toEqual([
      {
        id: expect.stringMatching(/^call_1_\w+$/),
        name: 'search',
        arguments: { query: 'weather' },
        span: [0, notation.one.length],
      },
    ])
  })

  it('multiple tool calls (array)', () => {
    const read = notation.chain().read(notation.many)
    expect(read.ok && read.value.map((call) => call.name)).toEqual(['search', 'calendar'])
  })

  it('missing tool name error', async () => {
    const chain = notation.chain()
    expect(codes(chain.read(notation.nameless))).toEqual(['tool.missing_name'])
    const { text, raw } = await chain.execute(notation.nameless, { format })
    expect(raw.errors).toMatchObject([{ code: 'tool.missing_name' }])
    expect(text).toBe(
      '<observation>\n<error>\nError: Each call needs the name of a tool in the field "tool". The tools are: search, calendar, broken.\n</error>\n</observation>',
    )
  })

  it('invalid JSON or YAML error', async () => {
    const [content, code] = notation.invalid
    const chain = notation.chain()
    expect(codes(chain.read(content))).toEqual([code])
    const { text, raw } = await chain.execute(content, { format })
    expect(raw).toMatchObject({ calls: [], results: [], errors: [{ code }] })
    expect(text).toMatch(/^<observation>\n<error>\nError: Write valid /)
  })

  it('unknown tool error', async () => {
    const chain = notation.chain()
    expect(codes(chain.read(notation.unknown))).toEqual(['tool.unknown'])
    const { text, raw } = await chain.execute(notation.unknown, { format })
    expect(raw.errors).toMatchObject([{ code: 'tool.unknown', call: { name: 'nope' } }])
    expect(text).toBe(
      '<observation>\n<error>\nError: There is no tool "nope". The tools are: search, calendar, broken.\n</error>\n</observation>',
    )
  })

  it('tool execution success', async () => {
    const { text, raw, media } = await notation.chain().execute(notation.many, { format })
    expect(raw.calls.map((call) => call.name)).toEqual(['search', 'calendar'])
    expect(raw.results).toMatchObject([
      { name: 'search', output: 'Results for: weather' },
      { name: 'calendar', output: { date: 'today', appointments: ['dentist'] } },
    ])
    expect(raw.errors).toEqual([undefined, undefined])
    expect(media).toEqual([])
    expect(text).toBe(
      `<observation>\n<search>\nResults for: weather\n</search>\n<calendar>\n${notation.observed}\n</calendar>\n</observation>`,
    )
  })

  it('tool execution error propagation', async () => {
    const { text, raw } = await notation.chain().execute(notation.failing, { format })
    expect(text).toBe(
      '<observation>\n<broken>\nError: the server is down\n</broken>\n<search>\nResults for: x\n</search>\n</observation>',
    )
    expect(raw.errors[0]).toMatchObject({ code: 'tool.failed', cause: new Error('the server is down') })
    expect(raw.errors[1]).toBeUndefined()
    expect(raw.results).toMatchObject([undefined, { name: 'search' }])
  })

  it('prompt generation with multiple tools', () => {
    const { prompt } = notation.chain()
    for (const tool of tools) expect(prompt).toContain(`${tool.name}: ${tool.description}`)
    expect(prompt).toContain(
      '// What to look for\n    query: string\n    // How many results\n    count?: integer',
    )
    expect(prompt).toContain('Several calls at once')
    expect(notation.chain().read(prompt.split('\n\n')[1]?.replace(/^.*\n/, '') ?? '').ok).toBe(true)
    expect(notation.chain().read(prompt.split('\n\n')[2]?.replace(/^.*\n/, '') ?? '').ok).toBe(true)
  })

  it('section name is configurable, and tools can come later', () => {
    const chain = (notation.chain().name === 'action' ? jsonToolChain : yamlToolChain)({ name: 'calls' })
    expect(chain.name).toBe('calls')
    expect(chain.register(search).register(calendar)).toBe(chain)
    expect(chain.tools).toEqual([search, calendar])
    expect(chain.prompt).toContain('calendar: ')
  })

  it('ids are stable, and differ within a batch', () => {
    const chain = notation.chain()
    const ids = () => chain.read(notation.many).entries.map((entry) => entry.call.id)
    expect(ids()).toEqual(ids())
    expect(new Set(ids()).size).toBe(2)
  })
})

describe('toolchain_yaml_test, what only YAML has', () => {
  it('block scalar content', async () => {
    const content = 'tool: search\nargs:\n  query: |\n    first line\n    second: line'
    const { raw } = await yamlToolChain({ tools }).execute(content, { format })
    expect(raw.results).toMatchObject([{ output: 'Results for: first line\nsecond: line\n' }])
  })
  it('multi-line string arguments', () => {
    const content = 'tool: search\nargs:\n  query: "one\n    two"'
    expect(yamlToolChain({ tools }).read(content).value).toMatchObject([{ arguments: { query: 'one two' } }])
  })
})

describe('toolchain-formatting (seed 1)', () => {
  it('nil TextFormat is a mistake', async () => {
    const chain = jsonToolChain({ tools })
    const none = {} as { format: never }
    await expect(chain.execute('[]', none)).rejects.toMatchObject({ code: 'tool.no_format' })
    await expect(chain.execute('[]', undefined as never)).rejects.toMatchObject({ code: 'tool.no_format' })
  })

  it('the text has the whole structure, wrapper included, in the format that was given', async () => {
    const chain = jsonToolChain({ tools })
    const call = '{"tool": "calendar", "args": {"date": "today"}}'
    expect((await chain.execute(call, { format: markdown() })).text).toBe(
      '# observation\n## calendar\n{"date":"today","appointments":["dentist"]}',
    )
    expect((await chain.execute(call, { format, wrapper: 'results' })).text).toMatch(
      /^<results>\n<calendar>\n.*\n<\/calendar>\n<\/results>$/,
    )
  })

  it('empty results are an empty text, not an empty wrapper', async () => {
    for (const content of ['', ' \n', '[]', 'null', []]) {
      const result = await jsonToolChain({ tools }).execute(content, { format })
      expect([result.text, result.toContentParts()]).toEqual(['', []])
      expect(result.raw).toEqual({ calls: [], results: [], errors: [] })
    }
  })

  it('errors stand in the text and in raw.errors', async () => {
    const content =
      '[{"tool": "broken"}, {"tool": "search", "args": {}}, {"tool": "search", "args": {"query": "x"}}]'
    const { text, raw } = await jsonToolChain({ tools }).execute(content, { format })
    expect(raw.errors.map((error) => error?.code)).toEqual([
      'tool.failed',
      'tool.invalid_arguments',
      undefined,
    ])
    expect(text).toContain('<broken>\nError: the server is down\n</broken>')
    expect(text).toContain(
      '<search>\nError: The arguments of search do not fit:\n- query: missing; write text.\n',
    )
    expect(text).toContain('<search>\nResults for: x\n</search>')
  })

  const image: Media = { type: 'image', mediaType: 'image/png', data: new Uint8Array([1, 2]) }
  const screenshot = defineTool({
    name: 'screenshot',
    description: 'Takes a picture',
    run: () =>
      toolResult({
        text: { width: 1920 },
        media: [image, { ...image, name: 'second' }],
        instructions: 'Look at the left half.',
      }),
  })

  it('media is collected in the order of the calls, and reaches the model', async () => {
    const chain = jsonToolChain({ tools: [screenshot, search] })
    const content =
      '[{"tool": "screenshot"}, {"tool": "search", "args": {"query": "x"}}, {"tool": "screenshot"}]'
    const result = await chain.execute(content, { format })
    expect(result.media.map((one) => one.name)).toEqual([undefined, 'second', undefined, 'second'])
    expect(result.toContentParts()).toEqual([{ type: 'text', text: result.text }, ...result.media])
    expect(result.raw.results[0]).toMatchObject({ name: 'screenshot', output: { width: 1920 } })
  })

  it('media can be transformed or left out on the way', async () => {
    const chain = jsonToolChain({ tools: [screenshot] })
    const seen: [Media, ToolCall][] = []
    const result = await chain.execute('{"tool": "screenshot"}', {
      format,
      media: async (media, call) => {
        seen.push([media, call])
        return media.name ? undefined : { ...media, data: 'smaller' }
      },
    })
    expect(result.media).toEqual([{ ...image, data: 'smaller' }])
    expect(seen.map(([, call]) => call.name)).toEqual(['screenshot', 'screenshot'])
    const failed = await chain.execute('{"tool": "screenshot"}', {
      format,
      media: () => Promise.reject(new Error('/secret/path')),
    })
    expect(failed.raw.errors).toMatchObject([{ code: 'tool.hook_failed' }])
    expect(failed.raw.results).toMatchObject([{ output: { width: 1920 } }])
    expect(failed.text).toContain('The tool ran')
    expect(failed.text).not.toContain('secret')
  })

  it('instructions are a child section', async () => {
    const { text } = await jsonToolChain({ tools: [screenshot] }).execute('{"tool": "screenshot"}', {
      format,
    })
    expect(text).toBe(
      '<observation>\n<screenshot>\n{"width":1920}\n<instructions>\nLook at the left half.\n</instructions>\n</screenshot>\n</observation>',
    )
  })

  it('an output that looks like a result is still an output', async () => {
    const tool = defineTool({
      name: 'x',
      description: 'x',
      run: () => ({ text: 'a', media: [], instructions: 'b' }),
    })
    const { text } = await jsonToolChain({ tools: [tool] }).execute('{"tool": "x"}', { format })
    expect(text).toContain('{"text":"a","media":[],"instructions":"b"}')
  })

  it('several sections in one reply', async () => {
    const contents = ['{"tool": "search", "args": {"query": "a"}}', 'nonsense', '{"tool": "broken"}']
    const { raw, text } = await jsonToolChain({ tools }).execute(contents, { format })
    expect(raw.calls.map((call) => call.id.slice(0, 7))).toEqual(['call_1_', 'call_2_'])
    expect(raw.errors.map((error) => error?.code)).toEqual([undefined, 'tool.failed', 'section.invalid_json'])
    expect(text.match(/^<\w+>$/gm)).toEqual(['<observation>', '<search>', '<error>', '<broken>'])
  })
})

describe('argument errors', () => {
  const booking = {
    name: 'book',
    description: 'Book a table',
    input: z.object({
      name: z.string().describe('Who comes'),
      guests: z.int().min(1).max(12).describe('How many'),
      at: z.date(),
      wishes: z.array(z.enum(['window', 'quiet'])).optional(),
    }),
    run: () => 'booked',
  }
  const expected = `The arguments of book do not fit:
- guests: expected a whole number, got "a few".
- wishes[0]: expected one of "window", "quiet", got "free drinks".
- name: missing; write text.
- at: missing; write an ISO 8601 date.
The fields of book are:
- name: required, string. Who comes
- guests: required, integer, 1 to 12. How many
- at: required, string, ISO 8601 such as "2026-01-20T15:30:00Z"
- wishes: optional, list
- wishes[]: one of "window", "quiet"`

  it('list all problems, then the fields, in the same words for every chain', () => {
    const book = defineTool(booking)
    const json = jsonToolChain({ tools: [book] }).read(
      '{"tool": "book", "args": {"guests": "a few", "wishes": ["free drinks"]}}',
    )
    const yaml = yamlToolChain({ tools: [book] }).read(
      'tool: book\nargs:\n  guests: a few\n  wishes: [free drinks]',
    )
    const direct = createToolRegistry([book]).check({
      id: '1',
      name: 'book',
      arguments: { guests: 'a few', wishes: ['free drinks'] },
    })
    for (const read of [json, yaml, direct]) expect(suggestRetry(read.issues)).toBe(expected)
  })

  it('have the issues they are made of, with their places', () => {
    const content = '{"tool": "book", "args": {"guests": "a few", "wishes": []}}'
    const { issues } = jsonToolChain({ tools: [defineTool(booking)] }).read(content, 5)
    const [{ params } = { params: {} }] = issues
    const inner = (params as { issues: { code: string; path: unknown; span: [number, number] }[] }).issues
    expect(inner.map((issue) => [issue.code, issue.path])).toEqual([
      ['json.wrong_type', ['guests']],
      ['json.missing_field', ['name']],
      ['json.missing_field', ['at']],
    ])
  })

  it('say nothing about the program', async () => {
    const tool = defineTool({
      name: 'leaky',
      description: 'x',
      run() {
        const error = new Error(`no such table\n    at query (/srv/app/db.ts:3:1)`)
        throw error
      },
    })
    const { text } = await jsonToolChain({ tools: [tool] }).execute('{"tool": "leaky"}', { format })
    expect(text).toContain('Error: no such table\n</leaky>')
    expect(text).not.toMatch(/\.ts|\/srv|\bat /)
  })
})

describe('strict registration', () => {
  const run = () => ''
  const mistakes: [string, () => unknown][] = [
    ['tool.invalid_name', () => defineTool({ name: '', description: 'x', run })],
    ['tool.invalid_name', () => defineTool({ name: 'a b', description: 'x', run })],
    ['tool.invalid_name', () => defineTool({ name: '<x>', description: 'x', run })],
    ['tool.invalid_name', () => defineTool({ name: 'a'.repeat(65), description: 'x', run })],
    ['tool.invalid_name', () => createToolRegistry([{ ...search, name: 'a/b' }])],
    ['tool.no_description', () => defineTool({ name: 'a', description: ' ', run })],
    ['tool.no_run', () => defineTool({ name: 'a', description: 'x' } as never)],
    ['tool.no_run', () => createToolRegistry([{ name: 'a', description: 'x', input: undefined } as never])],
    ['tool.invalid_schema', () => defineTool({ name: 'a', description: 'x', input: { type: 'strnig' }, run })],
    ['tool.invalid_schema', () => defineTool({ name: 'a', description: 'x', input: { type: 'string' }, run })],
    ['tool.invalid_schema', () => defineTool({ name: 'a', description: 'x', input: z.array(z.string()), run })],
    ['tool.duplicate_name', () => createToolRegistry([search, search])],
    ['tool.duplicate_name', () => jsonToolChain({ tools }).register({ ...search, name: 'Search' })],
    ['tool.invalid_media', () => toolResult({ text: '', media: [{ type: 'image' } as never] })],
    ['json.invalid_limit', () => jsonToolChain({ limits: { maxDepth: 0 } })],
    ['json.invalid_limit', () => yamlSection('a', {}, { limits: { maxDepht: 9 } as never })],
    ['text.invalid_name', () => jsonToolChain({ name: '<a>' })],
  ] // biome-ignore format: a table
  it.each(mistakes)('%s', (code, make) => {
    expect(make).toThrow(expect.objectContaining({ name: 'LegibleError', code }))
  })

  it('names may have letters, digits, _ - and .', () => {
    const names = ['a', 'fs.list', 'get-weather', 'get_weather2', '2fa', 'A'.repeat(64)]
    const registry = createToolRegistry(names.map((name) => ({ ...search, name })))
    expect(registry.names()).toEqual(names)
    expect([registry.has('fs.list'), registry.has('constructor'), registry.get('nope')]).toEqual([
      true,
      false,
      undefined,
    ])
    expect(registry.describe()).toContain('fs.list: Search the web')
  })

  it('options of execute', async () => {
    const chain = jsonToolChain({ tools })
    const wrong = [
      { concurrency: 0 },
      { concurrency: 1.5 },
      { timeout: -1 },
      { timeout: NaN },
      { timeout: '5' as never },
    ]
    for (const options of wrong)
      await expect(chain.execute('[]', { format, ...options })).rejects.toMatchObject({
        code: 'tool.invalid_option',
      })
  })

  it('what execute reads', async () => {
    const chain = jsonToolChain({ tools })
    for (const content of [5, undefined, null, {}, [5], ['[]', null]])
      await expect(chain.execute(content as never, { format })).rejects.toMatchObject({
        name: 'LegibleError',
        code: 'core.no_text',
      })
  })
})

describe('defineTool', () => {
  it('types what run gets from the schema', () => {
    defineTool({
      name: 'a',
      description: 'x',
      input: z.object({ at: z.date(), n: z.number().optional() }),
      run: (input, { signal, callId }) => {
        input.at satisfies Date
        input.n satisfies number | undefined
        signal satisfies AbortSignal
        callId satisfies string
        // @ts-expect-error there is no such field
        input.other
        return ''
      },
    })
    defineTool({
      name: 'b',
      description: 'x',
      input: { type: 'object' },
      run: (input) => {
        input satisfies Record<string, unknown>
        return ''
      },
    })
  })

  it('a tool gets what its schema gives out', async () => {
    const got: unknown[] = []
    const tool = defineTool({
      name: 'at',
      description: 'x',
      input: z.object({ at: z.date(), word: z.string().transform((word) => word.length) }),
      run: (input) => void got.push(input),
    })
    await yamlToolChain({ tools: [tool] }).execute('tool: at\nargs: {at: 2026-01-20, word: no}', { format })
    expect(got).toEqual([{ at: new Date('2026-01-20'), word: 2 }])
  })
})

it('integration: describe, parse what the model wrote, execute its calls, answer', async () => {
  const calls = jsonToolChain({ tools })
  const answer = textTermination()
  const prompt = format.describe([calls, answer])
  for (const part of ['<action>', 'search: Search the web', '<answer>']) expect(prompt).toContain(part)
  const first = format.read('<action>{"tool": "search", "args": {"query": "weather"}}</action>', [
    calls,
    answer,
  ])
  const { text } = await calls.execute(first.value.sections('action'), { format })
  expect(text).toBe('<observation>\n<search>\nResults for: weather\n</search>\n</observation>')
  const last = format.read('<answer>Sunny.</answer>', [calls, answer])
  expect(last.value.get('action')).toEqual([])
  expect(answer.read(last.value.get('answer')[0] ?? '').value).toBe('Sunny.')
})

describe('read', () => {
  it('stops at limits of your own', () => {
    const deep = '{"tool": "search", "args": {"query": [["x"]]}}'
    expect(codes(jsonToolChain({ tools, limits: { maxDepth: 2 } }).read(deep))).toContain('json.too_deep')
    expect(codes(jsonToolChain({ tools, limits: { maxLength: 9 } }).read(deep))).toContain('json.too_long')
    expect(codes(yamlToolChain({ tools, limits: { maxYamlLength: 9 } }).read(deep))).toContain(
      'section.too_long',
    )
    const bad = jsonToolChain({ tools, limits: { maxIssues: 2 } }).read('[1, 2, 3, 4]')
    expect(codes(bad)).toEqual(['tool.not_a_call', 'tool.not_a_call', 'json.more_issues'])
    expect(bad.entries).toHaveLength(4)
  })

  it('exposes the rejected calls in order', () => {
    const { entries, ok, value } = jsonToolChain({ tools }).read(
      '[{"tool": "nope", "args": {"a": 1}}, {"tool": "search", "args": {"query": "x"}}, 7]',
      50,
    )
    expect(ok).toBe(false)
    expect(value).toMatchObject([{ name: 'search' }])
    expect(entries.map((entry) => [entry.ok, entry.call.name, entry.call.arguments])).toEqual([
      [false, 'nope', { a: 1 }],
      [true, 'search', { query: 'x' }],
      [false, '', 7],
    ])
    expect(entries[0]?.span).toEqual([51, 85])
    expect(entries[0]?.issues).toMatchObject([{ code: 'tool.unknown', span: [60, 66] }])
  })

  it('a model may not ask for more calls than is good', async () => {
    const read = jsonToolChain({ tools }).read(`[${Array(100).fill('{"tool": "broken"}').join(',')}]`)
    expect(read.entries).toHaveLength(64)
    expect(codes(read)).toEqual(['tool.too_many_calls'])
  })

  it('ids of the model are kept where they are of use', () => {
    const ids = jsonToolChain({ tools })
      .read(
        '[{"id": "a-1", "tool": "broken"}, {"id": "a-1", "tool": "broken"}, {"id": "<x>", "tool": "broken"}]',
      )
      .entries.map((entry) => entry.call.id)
    expect(ids[0]).toBe('a-1')
    expect(ids.slice(1)).toEqual([expect.stringMatching(/^call_2_/), expect.stringMatching(/^call_3_/)])
  })
})
