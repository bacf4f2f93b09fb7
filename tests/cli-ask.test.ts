import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { root } from '../scripts/entries.ts'

const main = join(root, 'dist/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'legible-ask-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { FORCE_COLOR, NO_COLOR, LEGIBLE_MODEL, OPENAI_API_KEY, ...plain } = process.env

function ask(args: string[], { input = '', env = {}, cwd = folder } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'ask', ...args], {
    cwd,
    env: { ...plain, ...env },
    input,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}
const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
file(
  'tools.mjs',
  `export default [
    { name: 'add', description: 'Adds.', input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'] }, run: ({ a, b }) => a + b },
    { name: 'wipe', description: 'Wipes.', input: undefined, needsApproval: true, run: () => 'wiped' },
    { name: 'hang', description: 'Hangs.', input: undefined, run: () => new Promise(() => {}) }
  ]`,
)
const call = (tool: string, args = {}) => `call ${tool} with ${JSON.stringify(args)}`

describe('answers', () => {
  test('on the rehearsal model, and says so', () => {
    const { status, stdout, stderr } = ask(['What', 'is', 'this?'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/rehearsal.*"What is this\?"/)
    expect(stderr).toContain('react on rehearsal (offline, no language model: see --model)')
    expect(stderr).toMatch(/answered\n1 turn · 0 calls · \d+ tokens/)
  })

  test.each(['react', 'plan-execute', 'chat'])('with tools: %s', (policy) => {
    const { status, stderr } = ask(['-p', policy, '--tools', 'tools.mjs', call('add', { a: 2, b: 40 })])
    expect(stderr).toContain('→ add {"a":2,"b":40}\n✓ add\n')
    expect(status).toBe(0)
  })

  test('with a schema, as JSON', () => {
    file('city.json', '{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}')
    const { status, stdout } = ask(['-s', 'city.json', 'The largest city of Japan'])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ city: expect.any(String) })
  })

  test('a task from standard input', () => {
    expect(ask(['-'], { input: 'What is in the pipe?' }).stdout).toContain('What is in the pipe?')
    expect(ask(['Sum up:', '-'], { input: 'the pipe' }).stdout).toContain('Sum up: the pipe')
    expect(ask(['-'], { input: ' \n' }).status).toBe(2)
  })

  test('for programs: one event a line, the outcome last', () => {
    const { stdout, stderr } = ask(['--json', '--tools', 'tools.mjs', call('add', { a: 1, b: 2 })])
    expect(stderr).toBe('')
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ type }) => type)).toContain('call-end')
    expect(events.at(-1)).toMatchObject({ type: 'outcome', kind: 'answered', calls: 1 })
  })
})

describe('the model', () => {
  test('comes from the option, the variable, the file', () => {
    const project = join(folder, 'project')
    mkdirSync(project, { recursive: true })
    writeFileSync(join(project, 'legible.toml'), 'model = "rehearsal:seed=5"\n')
    expect(ask(['x'], { cwd: project }).stderr).toMatch(/react on rehearsal:seed=5 \(from .*legible\.toml\)/)
    const env = { LEGIBLE_MODEL: 'rehearsal:seed=4' }
    expect(ask(['x'], { cwd: project, env }).stderr).toContain('rehearsal:seed=4 (from LEGIBLE_MODEL)')
    expect(ask(['-m', 'rehearsal:seed=3', 'x'], { cwd: project, env }).stderr).toContain('(from --model)')
  })

  test('that is not there is said before anything is asked', () => {
    for (const [name, message] of [
      ['olama:qwen3', 'ollama:'],
      ['openai:gpt-5-mini', 'OPENAI_API_KEY'],
      ['http://', 'http://'],
    ] as const) {
      const { status, stdout, stderr } = ask(['-m', name, 'x'])
      expect(status).toBe(2)
      expect(stdout).toBe('')
      expect(stderr).toMatch(/^legible: /)
      expect(stderr).toContain(message)
    }
    expect(JSON.parse(ask(['--json', '-m', 'nope:x', 'x']).stdout)).toMatchObject({
      ok: false,
      error: { code: 'cli.invalid_model' },
    })
  })

  test('whose server is dead: exit code 3, and why', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    server.close()
    const { status, stderr } = ask(['-m', `http://127.0.0.1:${port}/v1#m`, 'x'])
    expect(status).toBe(3)
    expect(stderr).toMatch(/asking again in \d+ ms/)
    expect(stderr).toMatch(/connect/i)
  }, 20_000)
})

test('limits end it with exit code 1', () => {
  const { status, stdout, stderr } = ask([
    '--max-iterations',
    '1',
    '--tools',
    'tools.mjs',
    call('add', { a: 1, b: 2 }),
  ])
  expect(status).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).toContain('the limit of 1 for iterations is used up')
})

test('what asks for permission is refused without --yes', () => {
  const task = call('wipe')
  const refused = ask(['--tools', 'tools.mjs', task]).stderr
  expect(refused).toContain('! wipe needs permission: run with --yes to give it')
  expect(refused).toContain('✗ wipe {}: not run')
  expect(ask(['--tools', 'tools.mjs', '--yes', task]).stderr).toContain('✓ wipe')
})

test('a client of an MCP server gives tools, and does not keep the command from ending', () => {
  const server = join(root, 'tests/mcp-server.ts')
  const sdk = (name: string) =>
    JSON.stringify(import.meta.resolve(`@modelcontextprotocol/sdk/client/${name}.js`))
  file(
    'mcp.mjs',
    `import { Client } from ${sdk('index')}
    import { StdioClientTransport } from ${sdk('stdio')}
    export default async () => {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StdioClientTransport({ command: process.execPath, args: [${JSON.stringify(server)}] }))
      return client
    }`,
  )
  const { status, stderr } = ask(['--tools', 'mcp.mjs', 'What is there?'])
  expect(stderr).toMatch(/→ \w+/)
  expect(status).toBe(0)
}, 20_000)

test('wrong usage', () => {
  for (const args of [
    [],
    ['-p', 'nope', 'x'],
    ['-p', 'chat', '-s', 'city.json', 'x'],
    ['--calls', 'native', 'x'],
    ['--tools', 'missing.mjs', 'x'],
    ['--system', '@missing.txt', 'x'],
  ])
    expect(ask(args).status, args.join(' ')).toBe(2)
})

test('Ctrl-C stops it with exit code 130, a tool that hangs or not', async () => {
  const child = spawn(process.execPath, [main, 'ask', '--tools', 'tools.mjs', call('hang')], {
    cwd: folder,
    env: plain,
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
    if (stderr.includes('→ hang')) child.kill('SIGINT')
  })
  const status = await new Promise((resolve) => child.on('close', resolve))
  expect(status).toBe(130)
  expect(stderr).toContain('interrupted')
})
