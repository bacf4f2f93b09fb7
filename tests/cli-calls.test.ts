// `legible calls` as people get it: the built file, real files and real pipes. For --batch see cli-calls-batch.test.ts.
import { describe, expect, it, vi } from 'vitest'
import { call, calls, file, lines, row, weather } from './calls-command.ts'

vi.setConfig({ testTimeout: 60_000 })

describe('legible calls', () => {
  const reply = `<think>Two days.</think>I look it up.\n${call('Oslo', ', "days": "2"')}`

  it('prints the calls, and what is said and thought', () => {
    const { status, stdout, stderr } = calls(['--tools', 'tools.json', file('reply.txt', reply)])
    expect(status).toBe(0)
    const value = JSON.parse(stdout)
    expect(Object.keys(value)).toEqual(['calls', 'content', 'reasoning'])
    expect(value).toMatchObject({
      calls: [{ name: 'weather', arguments: { city: 'Oslo', days: 2 }, complete: true }],
      reasoning: 'Two days.',
    })
    expect(value.content.trim()).toBe('I look it up.')
    expect(stdout).toBe(`${JSON.stringify(value, null, 2)}\n`)
    expect(stderr).toMatch(/^reply\.txt:3:\d+ repair json\.converted\n.*\^\^/s)
  })

  it('reads standard input, also without tools', () => {
    for (const args of [[], ['-'], ['--dialect', 'hermes']]) {
      const { status, stdout, stderr } = calls(args, { input: call('Oslo') })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(JSON.parse(stdout).calls).toMatchObject([{ name: 'weather', arguments: { city: 'Oslo' } }])
    }
  })

  it('prints the whole reading with --json, and nothing else', () => {
    const run = (input: string) =>
      calls(['--json', '--tools', 'tools.json'], { input, env: { FORCE_COLOR: '1' } })
    const { status, stdout, stderr } = run(reply)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const read = JSON.parse(stdout)
    expect(Object.keys(read)).toEqual(['ok', 'value', 'complete', 'issues'])
    expect(read).toMatchObject({ ok: true, complete: true, value: { reasoning: 'Two days.' } })
    expect(Object.keys(read.value).sort()).toEqual(['calls', 'content', 'parts', 'reasoning'])
    expect(read.issues[0]).toMatchObject({ code: 'json.converted', severity: 'repair' })

    const bad = run('<tool_call>{"name": "weather", "arguments": {}}</tool_call>')
    expect(bad.status).toBe(1)
    expect(JSON.parse(bad.stdout)).toMatchObject({ ok: false, issues: [{ code: 'tool.invalid_arguments' }] })
  })

  it('exits with 1 for a call that may not run, and prints it', () => {
    const unknown = calls(['--tools', 'tools.json'], {
      input: '<tool_call>{"name": "launch", "arguments": {}}</tool_call>',
    })
    expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('error tool.unknown') })
    expect(JSON.parse(unknown.stdout).calls).toMatchObject([{ name: 'launch' }])
    const cut = calls(['--tools', 'tools.json'], {
      input: '<tool_call>{"name": "weather", "arguments": {"city": "Os',
    })
    expect(cut.status).toBe(1)
    expect(JSON.parse(cut.stdout).calls).toMatchObject([{ complete: false }])
  })

  it('exits with 0 for a text without calls', () => {
    const { status, stdout, stderr } = calls(['--tools', 'tools.json'], { input: 'It rains.' })
    expect({ status, stderr, value: JSON.parse(stdout) }).toEqual({
      status: 0,
      stderr: '',
      value: { calls: [], content: 'It rains.', reasoning: '' },
    })
  })

  it('finds calls in other forms when they are expected', () => {
    const input = 'I would call:\n```json\n{"name": "weather", "arguments": {"city": "Oslo"}}\n```\nand wait.'
    const found = (more: string[]) =>
      JSON.parse(calls(['--tools', 'tools.json', ...more], { input }).stdout).calls.length
    expect([found([]), found(['--expect', 'calls'])]).toEqual([0, 1])
  })

  it('knows of reasoning what the prompt did', () => {
    const value = (mode: string, input: string) => JSON.parse(calls(['--reasoning', mode], { input }).stdout)
    expect(value('open', 'Hm.</think>Yes.')).toMatchObject({ content: 'Yes.', reasoning: 'Hm.' })
    expect(value('none', '<think>Hm.</think>Yes.')).toMatchObject({
      content: '<think>Hm.</think>Yes.',
      reasoning: '',
    })
  })

  it('fails with --complete when the text was cut off', () => {
    const input = 'I look it up. <tool_call>'
    expect(calls([], { input }).status).toBe(0)
    expect(calls(['--complete'], { input })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('legible: the text was cut off (--complete)\n'),
    })
    expect(calls(['--complete'], { input: call('Oslo') }).status).toBe(0)
  })

  it('marks the parts with --explain', () => {
    const { status, stdout } = calls(['--tools', 'tools.json', '--explain'], { input: reply })
    expect(status).toBe(0)
    expect(stdout).toMatch(/1 +reasoning ┃ <think>Two days/)
    expect(stdout).toMatch(/3 ~ weather +┃ {"name": "weather"/)
    expect(stdout).toMatch(/\n✓ 1 repair\n$/)
  })

  it('has colours only where they are wanted, and lets no escape of the text through', () => {
    const input =
      '<tool_call>{"name": "\\u001b]0;owned\\u0007\u001b]0;owned\u0007", "arguments": {}}</tool_call>'
    const run = (env: NodeJS.ProcessEnv) => calls(['--tools', 'tools.json'], { input, env }).stderr
    expect(run({})).not.toContain('\u001b')
    expect(run({ FORCE_COLOR: '1' })).toContain('\u001b[')
    expect(run({ FORCE_COLOR: '1' })).not.toContain('\u001b]')
  })

  const { parameters, ...named } = weather
  it.each([
    ['list.json', JSON.stringify([weather])],
    ['openai.json', JSON.stringify([{ type: 'function', function: weather }])],
    ['mcp.json', JSON.stringify({ tools: [{ ...named, inputSchema: parameters }] })],
    ['mcp-list.json', JSON.stringify([{ name: 'weather', inputSchema: parameters }])],
    ['anthropic.json', JSON.stringify([{ ...named, input_schema: parameters }])],
    ['tools.yaml', `- name: weather\n  parameters: ${JSON.stringify(parameters)}\n`],
    ['tools.mjs', `export const tools = ${JSON.stringify([weather])}`],
    // the types of another language
    ['python.json', JSON.stringify([{ ...named, parameters: { ...parameters, type: 'dict' } }])],
  ])('takes tools as %s, for one text and for many', (name, text) => {
    const tools = file(name, text)
    const input = call('Oslo', ', "days": "2"')
    const one = calls(['--tools', tools], { input })
    expect(one.status).toBe(0)
    const expected = [{ name: 'weather', arguments: { city: 'Oslo', days: 2 } }]
    expect(JSON.parse(one.stdout).calls).toMatchObject(expected)
    const many = calls(['--batch', '--tools', tools], { input: row(1, input) })
    expect(many).toMatchObject({ status: 0, stderr: '' })
    expect(lines(many.stdout)[0].calls).toMatchObject(expected)
  })

  it('teaches', () => {
    const { status, stdout, stderr } = calls(['--help'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const part of ['Examples:', 'Exit codes:', '--batch', 'qwen3-coder']) expect(stdout).toContain(part)
  })
})

describe('legible calls, when it cannot', () => {
  const broken: [name: string, args: string[], files: Record<string, string>, message: RegExp][] = [
    ['an unknown dialect', ['--dialect', 'klingon'], {}, /'klingon' is invalid.*auto, hermes.*qwen3-coder/],
    ['another expectation', ['--expect', 'sense'], {}, /Allowed choices are calls/],
    ['another kind of reasoning', ['--reasoning', 'deep'], {}, /Allowed choices are auto, open, none/],
    ['nothing to expect by', ['--expect', 'calls'], {}, /--expect calls needs --tools/],
    ['no such file', ['nowhere.txt'], {}, /^legible: nowhere\.txt: there is no such file\n/],
    ['no such tools', ['--tools', 'nowhere.json'], {}, /^legible: nowhere\.json: there is no such file\n/],
    [
      'no list of tools',
      ['--tools', 'a.json'],
      { 'a.json': '1' },
      /^legible: a\.json: expected a list of tools/,
    ],
    ['no tool', ['--tools', 'a.json'], { 'a.json': '["b"]' }, /^legible: a\.json: tool 1 is not an object/],
    [
      'a tool without a name',
      ['--tools', 'a.json'],
      { 'a.json': '[{}]' },
      /^legible: a\.json: A tool needs a name/,
    ],
    [
      'a broken schema',
      ['--tools', 'a.json'],
      { 'a.json': '[{"name": "a", "parameters": {"properties": 1}}]' },
      /^legible: a\.json: Invalid JSON Schema/,
    ],
    ['an unknown option', ['--nope'], {}, /^legible: unknown option '--nope'\nSee legible calls --help\.\n/],
    ['for a program and a person', ['--json', '--explain'], {}, /^$/],
    ['rows for a person', ['--batch', '--explain'], {}, /--explain is for one text/],
    ['JSON twice', ['--batch', '--json'], {}, /^$/],
    ['completeness of rows', ['--batch', '--complete'], {}, /--complete is for one text/],
    ['threads for one text', ['--jobs', '2'], {}, /--jobs is for --batch/],
    ['lines of one text', ['--max-line', '2'], {}, /--max-line is for --batch/],
    ['no threads', ['--batch', '--jobs', '0'], {}, /whole number from 1/],
    ['no rows', ['--batch', 'nowhere.jsonl'], {}, /^legible: nowhere\.jsonl: there is no such file\n/],
    ['a folder of rows', ['--batch', '.'], {}, /^legible: \.: this is a folder, not a file\n/],
    [
      'no tools for rows',
      ['--batch', '--tools', 'nowhere.json'],
      {},
      /^legible: nowhere\.json: there is no such/,
    ],
  ]
  it.each(broken)('%s: exit code 2', (_, args, files, message) => {
    for (const [name, text] of Object.entries(files)) file(name, text)
    const { status, stdout, stderr } = calls(args, { input: 'x' })
    expect(status).toBe(2)
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
    if (args.includes('--json'))
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'cli.usage' } })
    else expect(stdout).toBe('')
  })
})
