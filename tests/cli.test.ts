// The command as people get it: the built file, real files and real pipes.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { root } from '../scripts/entries.ts'

const main = join(root, 'dist/cli/main.js')
const { FORCE_COLOR, NO_COLOR, ...plain } = process.env
let folder: string
vi.setConfig({ testTimeout: 30_000 })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'legible-cli-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return name
}

/** Runs `legible …` in the folder of the test. */
function legible(
  args: string[],
  { input = '', env = {} }: { input?: string | Uint8Array; env?: NodeJS.ProcessEnv } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    env: { ...plain, ...env },
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, stdout, stderr }
}

const city = JSON.stringify({
  type: 'object',
  properties: { city: { type: 'string' }, celsius: { type: 'number' } },
  required: ['city', 'celsius'],
})

describe('legible read', () => {
  it('prints the value in a file', () => {
    const reply = file('reply.txt', 'Here: {"city": "Tokyo", "celsius": "21.5"}')
    const { status, stdout, stderr } = legible(['read', reply])
    expect(status).toBe(0)
    expect(stdout).toBe('{\n  "city": "Tokyo",\n  "celsius": "21.5"\n}\n')
    expect(stderr).toBe(
      [
        'reply.txt:1:7 repair json.surrounded',
        '  1 │ Here: {"city": "Tokyo", "celsius": "21.5"}',
        '    │       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ text stands around the value',
        '',
      ].join('\n'),
    )
  })

  it.each([[[]], [['-']]])('reads standard input: %j', (more) => {
    const { status, stdout, stderr } = legible(['read', ...more], { input: '[1, 2' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '[\n  1,\n  2\n]\n' })
    expect(stderr).toContain('stdin:1:1 repair json.unclosed_array')
  })

  it.each([
    ['city.json', city],
    ['city.yaml', 'type: object\nproperties: { celsius: { type: number } }\nrequired: [celsius]\n'],
    ['city.mjs', `export default ${city}`],
    ['city.cjs', `module.exports.default = ${city}`],
    ['city.ts', `const schema: object = ${city}\nexport default schema`],
    ['city.cts', `const schema: object = ${city}\nmodule.exports.default = schema`],
  ])('fits the value to a schema: %s', (name, text) => {
    const schema = file(name, text)
    const input = '{"city": "Oslo", "celsius": "-3"}'
    const { status, stdout, stderr } = legible(['read', '--schema', schema], { input })
    expect(stderr).toContain('json.converted')
    expect({ status, value: JSON.parse(stdout) }).toEqual({
      status: 0,
      value: { city: 'Oslo', celsius: -3 },
    })
  })

  it('takes a zod schema, and prints dates and big integers', () => {
    const zod = JSON.stringify(join(root, 'node_modules/zod/index.js'))
    const schema = file(
      'wallet.ts',
      `import { z } from ${zod}\nexport default z.object({ wei: z.bigint(), seen: z.date() })`,
    )
    const input = '{"wei": 123456789012345678901234567890, "seen": "2026-01-20"}'
    const { status, stdout, stderr } = legible(['read', '-s', schema], { input })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe(
      '{\n  "wei": 123456789012345678901234567890,\n  "seen": "2026-01-20T00:00:00.000Z"\n}\n',
    )
  })

  it('prints what was found although it does not fit, and exits with 1', () => {
    const schema = file('city.json', city)
    const { status, stdout, stderr } = legible(['read', '-s', schema], { input: '{"city": "Oslo"}' })
    expect({ status, value: JSON.parse(stdout) }).toEqual({ status: 1, value: { city: 'Oslo' } })
    expect(stderr).toContain('error json.missing_field')
  })

  it('prints no value where there is none', () => {
    const { status, stdout, stderr } = legible(['read'], { input: 'Sorry, I cannot do that.\n' })
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('stdin:1:1 error json.not_found')
    expect(legible(['read'], { input: '' }).status).toBe(1)
  })

  it('says what JSON does not have', () => {
    const { status, stdout, stderr } = legible(['read'], { input: '{"a": NaN, "b": -Infinity}' })
    expect({ status, value: JSON.parse(stdout) }).toEqual({ status: 0, value: { a: null, b: null } })
    expect(stderr).toContain('legible: warning: NaN, -Infinity: not in JSON, printed as null\n')
  })

  it('prints the whole reading with --json, and nothing else', () => {
    const input = '{"a": 1, "b": [2,'
    const { status, stdout, stderr } = legible(['read', '--json'], { input, env: { FORCE_COLOR: '1' } })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const read = JSON.parse(stdout)
    expect(Object.keys(read)).toEqual(['ok', 'value', 'complete', 'issues'])
    expect(read).toMatchObject({ ok: true, value: { a: 1, b: [2] }, complete: false })
    expect(read.issues[0]).toMatchObject({ code: 'json.unclosed_object', severity: 'repair', span: [0, 1] })

    const nothing = legible(['read', '--json'], { input: 'no' })
    expect(nothing.status).toBe(1)
    expect(JSON.parse(nothing.stdout)).toMatchObject({ ok: false, complete: true })
  })

  it('keeps characters whole that a chunk cuts in two', () => {
    // 64 KB is what a pipe holds: each of these characters takes three bytes
    const text = '東'.repeat(100_000)
    expect(JSON.parse(legible(['read'], { input: JSON.stringify([text]) }).stdout)).toEqual([text])
  })

  it('reads a huge input, up to its limit', () => {
    const list = JSON.stringify(Array.from({ length: 200_000 }, (_, i) => ({ id: i, name: `item ${i}` })))
    const { status, stdout } = legible(['read'], { input: list })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual(JSON.parse(list))
    const limited = legible(['read', '--max-length', '100'], { input: list })
    expect(limited.status).toBe(1)
    expect(limited.stderr).toMatch(/^stdin:1:101 error json\.too_long\n.*\(--max-length sets the limit\)\n/s)
    expect(legible(['read', '--max-depth', '2'], { input: '[[[1]]]' }).stderr).toContain('json.too_deep')
  })

  it('shows the weightiest of very many issues', () => {
    const { stderr } = legible(['read'], { input: `{${'a: 1,\n'.repeat(80)}"b": ... }` })
    expect(stderr.match(/ json\.unquoted_key$/gm)?.length).toBeLessThan(50)
    expect(stderr).toMatch(/… and \d+ more; --json lists them all\n$/)
  })

  it('shows issues of a kind on the same line once', () => {
    const { stderr } = legible(['read'], { input: '{a: 1, b: 2, c: 3,\nd: 4}' })
    expect(stderr).toMatch(/^stdin:1:2 repair json\.unquoted_key \(\+2 more\)$/m)
    expect(stderr).toMatch(/^stdin:2:1 repair json\.unquoted_key$/m)
  })

  it('fails with --complete when the text was cut off', () => {
    const input = '[1, 2'
    expect(legible(['read', '--complete'], { input })).toMatchObject({
      status: 1,
      stdout: '[\n  1,\n  2\n]\n',
      stderr: expect.stringMatching(/legible: the text was cut off \(--complete\)\n$/),
    })
    expect(legible(['read', '--complete', '--json'], { input })).toMatchObject({ status: 1, stderr: '' })
    expect(legible(['read', '--complete'], { input: '[1, 2]' }).status).toBe(0)
  })

  it('warns of bytes that are not UTF-8', () => {
    const input = Buffer.concat([
      Buffer.from('{"city": "M'),
      Buffer.from([0xfc]),
      Buffer.from('nchen \ufffd"}'),
    ])
    const { status, stdout, stderr } = legible(['read'], { input })
    expect({ status, value: JSON.parse(stdout) }).toEqual({
      status: 0,
      value: { city: 'M\ufffdnchen \ufffd' },
    })
    expect(stderr).toBe('legible: warning: stdin: 1 place is not UTF-8, and was read as \ufffd\n')
    expect(JSON.parse(legible(['read', '--json'], { input }).stdout).warnings).toHaveLength(1)
  })

  it('lets no escape of the text through to the terminal', () => {
    const { stderr } = legible(['read'], { input: 'x \u001b]0;owned\u0007 {"a": 1}' })
    expect(stderr).not.toContain('\u001b')
    expect(stderr).toContain('\\u001b]0;owned\\u0007')
  })

  it('colours standard error when asked to', () => {
    const run = (env: NodeJS.ProcessEnv) => legible(['read'], { input: '[1', env }).stderr.includes('\u001b[')
    expect(run({})).toBe(false)
    expect(run({ FORCE_COLOR: '1' })).toBe(true)
    expect(run({ FORCE_COLOR: '0' })).toBe(false)
  })
})

describe('legible read, when it cannot', () => {
  const broken: [name: string, args: string[], files: Record<string, string>, message: string | RegExp][] = [
    ['no such file', ['nowhere.txt'], {}, 'legible: nowhere.txt: there is no such file\n'],
    ['a folder', ['folder'], {}, 'legible: folder: this is a folder, not a file\n'],
    ['no such schema', ['-s', 'nowhere.json'], {}, 'legible: nowhere.json: there is no such file\n'],
    ['no such module', ['-s', 'nowhere.ts'], {}, 'legible: nowhere.ts: there is no such file\n'],
    ['another kind of file', ['-s', 'a.toml'], {}, /^legible: a\.toml: a schema is read from .*\.json/],
    ['broken JSON', ['-s', 'a.json'], { 'a.json': '{"type": ' }, /^legible: a\.json: .*JSON/],
    ['broken YAML', ['-s', 'a.yaml'], { 'a.yaml': 'type: [' }, /^legible: a\.yaml: .*line 1/],
    [
      'broken schema',
      ['-s', 'a.json'],
      { 'a.json': '{"properties": 1}' },
      'legible: a.json: Invalid JSON Schema at #/properties: expected schemas by name.\n',
    ],
    ['not a schema', ['-s', 'a.yaml'], { 'a.yaml': 'text' }, /^legible: a\.yaml: A schema is .*string/],
    ['a module that throws', ['-s', 'a.mjs'], { 'a.mjs': 'throw new Error("oh")' }, /cannot be loaded: oh/],
    ['a module that waits', ['-s', 'a.mjs'], { 'a.mjs': 'await 1; export default {}' }, /must not wait/],
    ['a missing package', ['-s', 'a.mjs'], { 'a.mjs': 'import "no-such-package"' }, /no-such-package/],
    [
      'no default export',
      ['-s', 'a.mjs'],
      { 'a.mjs': 'export const schema = {}' },
      'legible: a.mjs: write `export default` before the schema\n',
    ],
    [
      'a schema that waits',
      ['-s', 'a.mjs'],
      {
        'a.mjs': `export default { '~standard': { version: 1, vendor: 'x', validate: async (value) => ({ value }) } }`,
      },
      /^legible: a\.mjs: This schema validates asynchronously/,
    ],
    ['an unknown option', ['--nope'], {}, "legible: unknown option '--nope'\nSee legible read --help.\n"],
    ['an unknown format', ['-f', 'toml'], {}, /^legible: .*Allowed choices are json, xml/],
    ['sections without names', ['-f', 'xml'], {}, /^legible: --format xml needs --section <name>/],
    ['a section of JSON', ['--section', 'a'], {}, /^legible: --section is for xml/],
    [
      'a schema for sections',
      ['-f', 'xml', '--section', 'a', '-s', 'b'],
      {},
      /^legible: --schema is for json/,
    ],
    ['a section that cannot be', ['-f', 'xml', '--section', 'a b'], {}, /^legible: --format xml: .*a b/],
    ['tools for JSON', ['--tools', 'a.json'], {}, /^legible: --tools is for reply and plan/],
    [
      'no list of tools',
      ['-f', 'reply', '--tools', 'a.json'],
      { 'a.json': '1' },
      /^legible: a\.json: expected a list/,
    ],
    [
      'a tool without a name',
      ['-f', 'reply', '--tools', 'a.json'],
      { 'a.json': '[{"description": "x"}]' },
      /^legible: a\.json: The tool name/,
    ],
    ['for a program and a person', ['--json', '--explain'], {}, ''],
    ['two files', ['a', 'b'], {}, /too many arguments/],
    ['a limit that is none', ['--max-depth', 'deep'], {}, /whole number from 1/],
  ]
  it.each(broken)('%s: one line, exit code 2', (_, args, files, message) => {
    mkdirSync(join(folder, 'folder'), { recursive: true })
    for (const [name, text] of Object.entries(files)) file(name, text)
    const { status, stdout, stderr } = legible(['read', ...args], { input: '{}' })
    expect(status).toBe(2)
    if (!args.includes('--json')) expect(stdout).toBe('')
    if (typeof message === 'string') expect(stderr).toBe(message)
    else expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2)
  })
})

describe('legible read, of what is no text', () => {
  const bytes: [string, Uint8Array, RegExp][] = [
    ['NUL bytes', Buffer.from('PK\0\0'), /^legible: stdin: this is no text: it holds NUL bytes\n$/],
    ['UTF-16, little end first', Buffer.from('\ufeff{"a": 1}', 'utf16le'), /UTF-16.*iconv/],
    ['UTF-16, big end first', Buffer.from([0xfe, 0xff, 0, 0x31]), /UTF-16.*iconv/],
    ['other bytes', Buffer.alloc(100, 0xc3), /this is no text: most of it is not UTF-8/],
  ]
  it.each(bytes)('%s', (_, input, message) => {
    const { status, stdout, stderr } = legible(['read'], { input })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})

describe('legible read --json, when it cannot', () => {
  it.each([
    [['nowhere.txt'], 'cli.unreadable_file', 'nowhere.txt: there is no such file'],
    [['--nope'], 'cli.usage', "unknown option '--nope'"],
    [['-s', 'nowhere.toml'], 'cli.invalid_schema', expect.stringContaining('nowhere.toml')],
    [
      ['-f', 'reply', '--tools', 'nowhere.toml'],
      'cli.invalid_tools',
      expect.stringContaining('nowhere.toml'),
    ],
    [['--explain'], 'cli.usage', expect.stringContaining('take one of them')],
  ])('%j', (args, code, message) => {
    const { status, stdout, stderr } = legible(['read', '--json', ...args], { input: '{}' })
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ ok: false, error: { code, message } })
  })
  it('says so of bytes that are no text', () => {
    const { status, stdout } = legible(['read', '--json'], { input: Buffer.from([0]) })
    expect({ status, error: JSON.parse(stdout).error }).toMatchObject({
      status: 2,
      error: { code: 'cli.not_text' },
    })
  })
})

describe('legible read --format', () => {
  const sections = ['--section', 'thinking', '--section', 'answer']
  it.each([
    ['xml', 'Hm.\n<thinking>One.</thinking>\n<answer>Two.</answer>\n<answer>Three'],
    ['markdown', 'Hm.\n\n# Thinking\nOne.\n\n# Answer\nTwo.\n\n# Answer\nThree'],
    ['labels', 'Hm.\n\nThinking: One.\n\nAnswer: Two.\n\nAnswer: Three'],
  ])('%s', (format, input) => {
    const { status, stdout } = legible(['read', '-f', format, ...sections], { input })
    const value = JSON.parse(stdout)
    expect(status).toBe(0)
    expect(Object.keys(value)).toEqual(['parts', 'sections', 'text', 'reasoning'])
    expect(value.sections).toEqual({ thinking: ['One.'], answer: ['Two.', 'Three'] })
    expect(value.text).toBe('Hm.')
    expect(value.parts.map((part: { kind: string }) => part.kind)).toEqual([
      'text',
      'section',
      'section',
      'section',
    ])

    const { value: same, ok } = JSON.parse(
      legible(['read', '--json', '-f', format, ...sections], { input }).stdout,
    )
    expect({ same, ok }).toEqual({ same: value, ok: true })
  })

  it('exits with 1 when no section is there, and keeps the text', () => {
    const { status, stdout, stderr } = legible(['read', '-f', 'xml', ...sections], { input: 'Nothing.' })
    expect({ status, text: JSON.parse(stdout).text }).toEqual({ status: 1, text: 'Nothing.' })
    expect(stderr).toContain('error text.no_sections')
  })

  const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
  const tool = { name: 'fs.read', description: 'Reads a file.' }
  it.each([
    ['tools.json', JSON.stringify([{ ...tool, parameters: path }])],
    ['openai.json', JSON.stringify([{ type: 'function', function: { ...tool, parameters: path } }])],
    ['mcp.json', JSON.stringify({ tools: [{ ...tool, inputSchema: path }] })],
    ['anthropic.json', JSON.stringify([{ ...tool, input_schema: path }])],
    ['tools.yaml', `- name: fs.read\n  description: Reads a file.\n  input: ${JSON.stringify(path)}\n`],
    ['tools.mjs', `export const tools = ${JSON.stringify([{ ...tool, input: path }])}`],
    ['tools.ts', `export default { tools: ${JSON.stringify([{ ...tool, input: path }])} as object[] }`],
  ])('reply, with %s', (name, text) => {
    const tools = file(name, text)
    const read = (args: string) => {
      const input = `Let me look.\n\n{"type": "action", "tool": "fs.read", "args": ${args}}`
      return legible(['read', '-f', 'reply', '--tools', tools], { input })
    }
    const good = read('{"path": "README.md"}')
    expect({ status: good.status, stderr: good.stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(good.stdout)).toMatchObject({
      type: 'action',
      text: 'Let me look.',
      call: { name: 'fs.read', arguments: { path: 'README.md' } },
    })
    const bad = read('{"file": "README.md"}')
    expect(bad.status).toBe(1)
    expect(bad.stderr).toContain('error tool.invalid_arguments')
  })

  it('plan, and its calls when the tools are known', () => {
    const calls = [
      { callId: '1', toolName: 'fs.read', arguments: { path: 'a' } },
      { callId: '2', toolName: 'fs.write', arguments: {} },
    ]
    const input = `Intent: look\nPlan: read\nTool Calls: ${JSON.stringify(calls)}`
    const read = legible(['read', '-f', 'plan'], { input })
    expect(read).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(read.stdout)).toMatchObject({
      intent: 'look',
      plan: 'read',
      toolCalls: calls.map(({ callId: id, toolName: name, arguments: args }) => ({
        id,
        name,
        arguments: args,
      })),
    })

    const tools = file('tools.json', JSON.stringify([{ ...tool, parameters: path }]))
    const checked = legible(['read', '-f', 'plan', '--tools', tools], { input })
    expect(checked.status).toBe(1)
    expect(checked.stderr).toContain('error tool.unknown')
  })
})

describe('legible read --explain', () => {
  const explain = (args: string[], input: string, env = {}) =>
    legible(['read', '--explain', ...args], { input, env })

  it('names the parts in the margin, and marks lines with issues', () => {
    const input = 'Sure.\n<thinking id="1">Both.</thinking><action>[]</action>\n<answer>\nTokyo\n</answer>\n'
    const names = ['thinking', 'action', 'answer'].flatMap((name) => ['--section', name])
    const { status, stdout, stderr } = explain(['-f', 'xml', ...names], input)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe(
      [
        '  1            │ Sure.',
        '  2 ~ thinking ┃ <thinking id="1">Both.</thinking><action>[]</action>',
        '               │ └─thinking──────────────────────┘└─action──────────┘',
        '  3   answer   ┃ <answer>',
        '  4            ┃ Tokyo',
        '  5            ┃ </answer>',
        '',
        'stdin:2:1 repair text.tag_attributes',
        '  1 │ Sure.',
        '  2 │ <thinking id="1">Both.</thinking><action>[]</action>',
        '    │ ^^^^^^^^^^^^^^^^^ the tag of "thinking" has attributes',
        '',
        '✓ 1 repair',
        '',
      ].join('\n'),
    )
  })

  it.each([
    [[], 'The footnote [1] says:\n{"a": 1}', /not taken ┃ The footnote \[1\].*value {5}┃ {"a": 1}/s],
    [['-f', 'reply'], '<think>Hm.</think>\nHello!', /reasoning ┃ <think>Hm.*│ Hello!/s],
    [['-f', 'plan'], 'Intent: a\nPlan:\nb\nc', /Intent ┃ Intent: a\n.*Plan {3}┃ Plan:\n +3 +┃ b\n/],
    [['-f', 'markdown', '--section', 'A'], '# A\nx', /A ┃ # A\n +2 +┃ x/],
    [['-f', 'labels', '--section', 'A'], 'A: x', /A ┃ A: x/],
  ])('%j', (args, input, shown) => {
    const { status, stdout } = explain(args, input)
    expect(status).toBe(0)
    expect(stdout).toMatch(shown)
  })

  it('has colours where they are wanted, and no other escapes', () => {
    const input = '{"a": "\u001b]0;owned\u0007"}'
    expect(explain([], input).stdout).not.toContain('\u001b')
    const { stdout } = explain([], input, { FORCE_COLOR: '1' })
    expect(stdout).toContain('\u001b[32m')
    expect(stdout).not.toContain('\u001b]')
  })

  it('is bounded', () => {
    const { stdout } = explain([], `[${'1,\n'.repeat(5000)}${'2,'.repeat(5000)}3]`)
    expect(stdout.split('\n').length).toBeLessThan(700)
  })
})

describe('legible', () => {
  it('teaches', () => {
    const help = legible(['read', '--help'])
    expect({ status: help.status, stderr: help.stderr }).toEqual({ status: 0, stderr: '' })
    for (const part of ['Examples:', 'Exit codes:', '--schema', '--json']) expect(help.stdout).toContain(part)
    expect(legible(['--help']).stdout).toContain('read')
  })

  it('knows its version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(legible(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('refuses what it does not know', () => {
    expect(legible(['red'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean read?'),
    })
    expect(legible([])).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage:') })
  })

  it('ends quietly when nobody reads on', () => {
    file('huge.json', JSON.stringify(Array.from({ length: 100_000 }, (_, i) => i)))
    const command = '"$0" "$1" read huge.json | head -n 1; echo "$PIPESTATUS"'
    const { stdout, stderr } = spawnSync('bash', ['-c', command, process.execPath, main], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect({ stdout, stderr }).toEqual({ stdout: '[\n0\n', stderr: '' })
  })

  it.skipIf(process.platform !== 'linux')('says that it cannot write', () => {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', '"$0" "$1" read <<< "[1]" > /dev/full', process.execPath, main],
      { encoding: 'utf8' },
    )
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^legible: cannot write: .*\n$/),
    })
  })

  it('exits with 130 when interrupted', async () => {
    const child = spawn(process.execPath, [main, 'read'], { stdio: ['pipe', 'pipe', 'pipe'] })
    const exit = once(child, 'exit')
    // more than a pipe holds: once it is written, somebody is reading
    await new Promise((resolve) => child.stdin.write(' '.repeat(1_000_000), resolve))
    child.kill('SIGINT')
    expect(await exit).toEqual([130, null])
  })

  // `script` gives a command a terminal; where there is none, or another one, this is not tested
  const terminal = 'script'
  const hasScript = process.platform === 'linux' && spawnSync(terminal, ['--version']).status === 0
  it.skipIf(!hasScript)('says on a terminal what it waits for, and how it went', () => {
    const { stdout: output } = spawnSync(
      terminal,
      ['-qec', `'${process.execPath}' '${main}' read`, '/dev/null'],
      { env: { ...plain, TERM: 'xterm' }, input: '[1, 2\n\u0004\u0004', encoding: 'utf8' },
    )
    expect(output).toContain('Waiting for text on standard input. End it with Ctrl-D.')
    expect(output).toContain('\u001b[36mrepair\u001b[0m json.unclosed_array')
    expect(output).toContain('✓ 1 repair; the text was cut off')
  })
})
