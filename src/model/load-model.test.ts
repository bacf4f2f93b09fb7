import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import type { LanguageModelV2, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LoadModelOptions, loadModel, type ModelSource } from './load-model.ts'

interface Seen {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

const KEY = 'sk-live-0123456789abcdefghijklmnopqrstuvwxyz'
const seen: Seen[] = []
let status = 200

/** Answers as OpenAI and as Anthropic do, and remembers what it was asked. */
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  seen.push({ path: request.url, headers: request.headers, body: JSON.parse(text) })
  response.writeHead(status, { 'content-type': 'application/json' })
  if (status !== 200) {
    response.end(
      JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: 'wrong key' } }),
    )
  } else if (request.url?.endsWith('/chat/completions')) {
    const message = { role: 'assistant', content: 'Hello from a chat.' }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
    response.end(
      JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'm', choices, usage }),
    )
  } else {
    const content = [{ type: 'text', text: 'Hello from messages.' }]
    const usage = { input_tokens: 3, output_tokens: 4 }
    const about = { id: '1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' }
    response.end(JSON.stringify({ ...about, content, stop_sequence: null, usage }))
  }
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
afterEach(() => {
  seen.length = 0
  status = 200
  vi.unstubAllEnvs()
})

const question: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
}

async function ask(source: ModelSource | undefined, env: LoadModelOptions['env'] = {}): Promise<string> {
  const model = await loadModel(source, { env })
  expect(model.specificationVersion).toBe('v4')
  const { content, usage } = await model.doGenerate(question)
  expect(usage.outputTokens.total).toBeGreaterThan(0)
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

const failure = (source: unknown, env: LoadModelOptions['env'] = {}) =>
  loadModel(source as string, { env }).then(
    (model) => expect.fail(`it gave ${model.modelId}`),
    (error) => error as Error & { code: string },
  )

describe('names', () => {
  it('ollama:NAME', async () => {
    expect(await ask('ollama:llama3.1:8b', { OLLAMA_HOST: origin.slice(7) })).toBe('Hello from a chat.')
    expect(seen[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'llama3.1:8b' } })
    expect(seen[0]?.headers.authorization).toBeUndefined()
  })

  it('openai:NAME', async () => {
    const env = { OPENAI_API_KEY: `${KEY}\n`, OPENAI_BASE_URL: `${origin}/v1/` }
    expect(await ask('openai:ft:gpt:me::1', env)).toBe('Hello from a chat.')
    expect(seen[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'ft:gpt:me::1' } })
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it.each(['', '/v1', '/v1/'])('anthropic:NAME, at an address that ends in %j', async (path) => {
    const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: `${origin}${path}` }
    expect(await ask('anthropic:claude', env)).toBe('Hello from messages.')
    expect(seen[0]).toMatchObject({ path: '/v1/messages', body: { model: 'claude' } })
    expect(seen[0]?.headers['x-api-key']).toBe(KEY)
  })

  it('an address, with a key if there is one', async () => {
    expect(await ask(`${origin}/api/v2#org/model#1`)).toBe('Hello from a chat.')
    expect(seen[0]).toMatchObject({ path: '/api/v2/chat/completions', body: { model: 'org/model#1' } })
    expect(seen[0]?.headers.authorization).toBeUndefined()
    await ask(`${origin}/v1#m`, { LEGIBLE_API_KEY: KEY, OPENAI_API_KEY: 'another' })
    expect(seen[1]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  it('asks streams for their usage', async () => {
    const model = await loadModel(`${origin}/v1#m`, { env: {} })
    const { stream } = await model.doStream(question)
    await stream.cancel()
    expect(seen[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('rehearsal', async () => {
    const said = await ask('rehearsal')
    expect(said).not.toBe('')
    expect(await ask(undefined, { LEGIBLE_MODEL: ' rehearsal ' })).toBe(said)
    expect(await ask('rehearsal:seed=1')).toBe(said)
    expect(await ask('rehearsal:seed=1, damage=reasoning+prose')).not.toBe(said)
    expect(await ask('rehearsal:seed=1,damage=reasoning+prose,rate=0')).toBe(said)
    expect(await ask('rehearsal+reasoning+prose:seed=1')).toBe(await ask('rehearsal:damage=reasoning+prose'))
    expect(seen).toEqual([])
  })

  it('LEGIBLE_MODEL, when nothing is named', async () => {
    expect(await ask(undefined, { LEGIBLE_MODEL: `${origin}/v1#m` })).toBe('Hello from a chat.')
    vi.stubEnv('LEGIBLE_MODEL', `${origin}/v1#n`)
    expect((await loadModel()).modelId).toBe('n')
    expect((await loadModel('rehearsal')).modelId).toBe('rehearsal')
  })

  it('an environment that is given is the only one', async () => {
    vi.stubEnv('OPENAI_API_KEY', KEY)
    vi.stubEnv('OPENAI_BASE_URL', `${origin}/wrong`)
    expect((await failure('openai:gpt')).code).toBe('model.no_key')
    const asked: string[] = []
    const fetch = async (url: unknown) => {
      asked.push(String(url))
      throw new Error('offline')
    }
    const models = ['openai:gpt', 'anthropic:claude', 'ollama:qwen3']
    for (const name of models) {
      const env = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b' }
      const model = await loadModel(name, { env, fetch })
      await expect(model.doGenerate(question)).rejects.toThrow('offline')
    }
    expect(asked).toEqual([
      'https://api.openai.com/v1/chat/completions',
      'https://api.anthropic.com/v1/messages',
      'http://127.0.0.1:11434/v1/chat/completions',
    ])
  })

  it.each([
    ['', 'http://127.0.0.1:11434/v1'],
    ['gpu', 'http://gpu:11434/v1'],
    ['gpu:8000', 'http://gpu:8000/v1'],
    [':8000', 'http://127.0.0.1:8000/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:80', 'http://127.0.0.1/v1'],
    ['::1', 'http://[::1]:11434/v1'],
    ['[::1]:8000', 'http://[::1]:8000/v1'],
    ['gpu/ollama/', 'http://gpu:11434/ollama/v1'],
    ['https://gpu', 'https://gpu/v1'],
    ['https://gpu:8000/ollama/', 'https://gpu:8000/ollama/v1'],
    ['http://gpu/v1', 'http://gpu/v1'],
  ])('OLLAMA_HOST %j', async (OLLAMA_HOST, url) => {
    let asked = ''
    const fetch = async (given: unknown) => {
      asked = String(given)
      throw new Error('offline')
    }
    const model = await loadModel('ollama:m', { env: { OLLAMA_HOST }, fetch })
    await expect(model.doGenerate(question)).rejects.toThrow('offline')
    expect(new URL(asked).href).toBe(`${url}/chat/completions`)
  })
})

describe('models', () => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 2, text: 2, reasoning: undefined },
  }
  const content = [{ type: 'text' as const, text: 'Hello from a model.' }]
  const finishReason = { unified: 'stop' as const, raw: 'stop' }

  it('V4 is given back as it is', async () => {
    const model = new MockLanguageModelV4({ doGenerate: { content, usage, finishReason, warnings: [] } })
    expect(await loadModel(model)).toBe(model)
  })

  it('V3 and V2 become V4', async () => {
    const v3 = new MockLanguageModelV3({ doGenerate: { content, usage, finishReason, warnings: [] } })
    expect(await ask(v3)).toBe('Hello from a model.')
    vi.stubGlobal('AI_SDK_LOG_WARNINGS', false)
    const v2: LanguageModelV2 = {
      specificationVersion: 'v2',
      provider: 'old',
      modelId: 'old',
      supportedUrls: {},
      doGenerate: async () => ({
        content,
        usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
        finishReason: 'stop',
        warnings: [],
      }),
      doStream: async () => ({ stream: new ReadableStream() }),
    }
    expect(await ask(v2)).toBe('Hello from a model.')
    vi.unstubAllGlobals()
  })

  it('what was forgotten is not made up', async () => {
    expect((await failure(undefined)).code).toBe('model.none')
  })

  it.each([[null], [7], [{}], [{ doGenerate: 1, doStream: 2 }]])('%j is none', async (model) => {
    expect((await failure(model)).code).toBe('model.invalid')
  })

  it('V1 is too old', async () => {
    const { code, message } = await failure({ doGenerate() {}, doStream() {}, specificationVersion: 'v1' })
    expect(code).toBe('model.unsupported_version')
    expect(message).toContain('version v1')
  })
})

describe('what is wrong with a name', () => {
  it.each([
    ['olama:qwen3', 'did you mean ollama:qwen3?'],
    ['OpenAI:gpt-5', 'did you mean openai:gpt-5?'],
    ['openai/gpt-5', 'did you mean openai:gpt-5?'],
    ['gpt-5', 'did you mean openai:gpt-5?'],
    ['claude-x', 'did you mean anthropic:claude-x?'],
    ['reharsal', 'did you mean rehearsal?'],
    ['llama3.1', '"llama3.1" is no model. A model is'],
    ['', 'An empty name is no model.'],
    ['openai:', 'openai has many models, and this names none'],
    ['ollama', 'ollama has many models, and this names none'],
  ])('%j: unknown', async (name, words) => {
    const { code, message } = await failure(name)
    expect(code).toBe('model.unknown')
    expect(message).toContain(words)
    for (const form of ['ollama:NAME', 'openai:NAME', 'anthropic:NAME', '/v1#NAME', 'rehearsal'])
      expect(message).toContain(form)
  })

  it.each([
    ['http://127.0.0.1:8080/v1', 'behind it stands what the model is called'],
    ['http://127.0.0.1:8080/v1#', 'behind it stands what the model is called'],
    ['http://#qwen3', 'this is no address'],
    ['localhost:8080/v1#qwen3', 'begins with http:// or https://'],
    ['ftp://127.0.0.1/v1#qwen3', 'begins with http:// or https://'],
    [`http://me:${KEY}@127.0.0.1/v1#qwen3`, 'must not hold a name or a password'],
    [`http://127.0.0.1/v1?key=${KEY}#qwen3`, 'ends before any ?'],
  ])('%j: an invalid address', async (name, words) => {
    const { code, message } = await failure(name)
    expect(code).toBe('model.invalid_url')
    expect(message).toContain(words)
    expect(message).not.toContain(KEY)
  })

  it.each([
    ['ollama:m', { OLLAMA_HOST: 'http://' }, 'OLLAMA_HOST'],
    ['ollama:m', { OLLAMA_HOST: 'a b' }, 'OLLAMA_HOST'],
    ['openai:m', { OPENAI_API_KEY: 'a', OPENAI_BASE_URL: `http://${KEY}@a` }, 'OPENAI_BASE_URL'],
    ['anthropic:m', { ANTHROPIC_API_KEY: 'a', ANTHROPIC_BASE_URL: 'here' }, 'ANTHROPIC_BASE_URL'],
  ])('%s with %j', async (name, env, variable) => {
    const { code, message } = await failure(name, env)
    expect(code).toBe('model.invalid_url')
    expect(message).toContain(`${variable}: `)
    expect(message).not.toContain(KEY)
  })

  it.each([
    ['rehearsal:sed=3', 'model.invalid_option', 'did you mean seed?'],
    ['rehearsal:temperature=3', 'model.invalid_option', 'there are seed, damage'],
    ['rehearsal:toString=3', 'model.invalid_option', 'is no setting'],
    ['rehearsal:seed=many', 'model.invalid_option', 'seed needs a number'],
    ['rehearsal:seed', 'model.invalid_option', 'seed needs a number'],
    ['rehearsal:rate=2', 'model.invalid_option', 'from 0 to 1'],
    ['rehearsal:damage=', 'model.invalid_option', 'damage needs a name'],
    ['rehearsal:damage=flood', 'model.unknown_damage', 'flood'],
  ])('%s', async (name, code, words) => {
    const error = await failure(name)
    expect(error.code).toBe(code)
    expect(error.message).toContain(words)
  })
})

describe('keys', () => {
  it.each([
    ['openai:m', 'OPENAI_API_KEY'],
    ['anthropic:m', 'ANTHROPIC_API_KEY'],
  ])('%s needs %s, before anything is sent', async (name, variable) => {
    for (const env of [{}, { [variable]: ' ' }, { [variable]: `${KEY}\nX-Other: 1` }]) {
      const error = await failure(name, env)
      expect(error.code).toBe('model.no_key')
      expect(error.message).toContain(variable)
      expect(inspect(error, { depth: 9 })).not.toContain(KEY)
    }
  })

  it.each([KEY, `openai:${KEY}`.replace(':', '/'), `${KEY}:m`, `gpt${KEY}`, `olama:${KEY}`])(
    'one in the wrong place is not repeated: %s',
    async (name) => {
      const error = await failure(name)
      expect(error.code).toBe('model.unknown')
      expect(inspect(error, { depth: 9 })).not.toContain(KEY.slice(0, 12))
    },
  )

  it('a short one is not repeated either', async () => {
    for (const name of ['sk-abc123', 'openai/sk-abc123', 'olama:sk-abc123'])
      expect((await failure(name)).message).not.toContain('abc123')
  })

  it('are in nothing that is likely to be written down', async () => {
    const env = {
      OPENAI_API_KEY: KEY,
      ANTHROPIC_API_KEY: KEY,
      LEGIBLE_API_KEY: KEY,
      OPENAI_BASE_URL: `${origin}/v1`,
      ANTHROPIC_BASE_URL: `${origin}/v1`,
    }
    status = 401
    for (const name of ['openai:m', 'anthropic:m', `${origin}/v1#m`]) {
      const model = await loadModel(name, { env })
      const error = await model.doGenerate(question).then(
        () => expect.fail('it answered'),
        (error) => error,
      )
      expect(Object.values(seen.at(-1)?.headers ?? {}).join()).toContain(KEY)
      for (const written of [JSON.stringify(model), inspect(model, { depth: 9, showHidden: true })])
        expect(written).not.toContain(KEY)
      expect(String(error)).toContain('wrong key')
      for (const written of [JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })])
        expect(written).not.toContain(KEY)
    }
  })
})

describe('packages that are not installed', () => {
  // The same files in a folder where npm has put nothing but what this package depends on.
  let folder = ''
  beforeAll(() => {
    const source = fileURLToPath(new URL('..', import.meta.url))
    const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'legible-packages-')))
    cpSync(source, join(folder, 'src'), { recursive: true, filter: (file) => !file.endsWith('.test.ts') })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    mkdirSync(join(folder, 'node_modules/@ai-sdk'), { recursive: true })
    mkdirSync(join(folder, 'node_modules/@cfworker'))
    for (const name of ['@ai-sdk/provider', '@ai-sdk/openai-compatible', '@cfworker/json-schema', 'yaml'])
      symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function outcomes(sources: string[]): { ok: boolean; code?: string; message?: string }[] {
    const program = `
      import { loadModel } from './src/model/load-model.ts'
      const env = { OPENAI_API_KEY: '${KEY}', ANTHROPIC_API_KEY: '${KEY}' }
      const v3 = { specificationVersion: 'v3', doGenerate() {}, doStream() {} }
      for (const source of [${sources.join()}])
        await loadModel(source, { env }).then(
          () => console.log(JSON.stringify({ ok: true })),
          ({ code, message }) => console.log(JSON.stringify({ ok: false, code, message })),
        )`
    writeFileSync(join(folder, 'program.ts'), program)
    const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'program.ts')], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }

  it('are named, with what installs them; what needs none works', () => {
    const missing = (why: string, name: string, install: string) => ({
      ok: false,
      code: 'model.missing_package',
      message: `${why} needs the package ${name}, which is not installed. Install it: npm install ${install}`,
    })
    expect(outcomes(["'openai:m'", "'anthropic:m'", 'v3', "'ollama:m'", "'rehearsal'"])).toEqual([
      missing('A model of openai', '@ai-sdk/openai', '@ai-sdk/openai@4'),
      missing('A model of anthropic', '@ai-sdk/anthropic', '@ai-sdk/anthropic@4'),
      missing('A model of version v3', 'ai', 'ai@7'),
      { ok: true },
      { ok: true },
    ])
  })

  it('one that is there and broken is another problem', () => {
    const broken = join(folder, 'node_modules/ai')
    mkdirSync(broken)
    writeFileSync(join(broken, 'index.js'), "import 'not-there'")
    writeFileSync(join(broken, 'package.json'), '{ "name": "ai", "type": "module", "exports": "./index.js" }')
    const [outcome] = outcomes(['v3'])
    expect(outcome?.code).toBe('model.missing_package')
    expect(outcome?.message).toContain("cannot be loaded (Cannot find package 'not-there'")
  })
})
