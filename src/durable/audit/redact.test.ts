import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { redact, redactLimits } from './redact.ts'

// Written in pieces, so that nobody takes them for real: none of them is.
const letters = 'aB3dE5gH7jK9mN1pQ4sT6vX8zA2cD4fG6hJ8kL0n'
const hex = '0123456789abcdef'.repeat(4)
const jwt = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'].join(
  '.',
)
const block = (kind: string) => `-----BEGIN ${kind}-----\nMIIEow\nIBAAKC\n-----END ${kind}-----`

describe('by the form of a value, wherever it stands', () => {
  const secrets: Record<string, string> = {
    OpenAI: `sk-proj-${letters}`,
    Anthropic: `sk-ant-api03-${letters}`,
    GitHub: `ghp_${letters}`,
    'GitHub, fine-grained': `github_pat_11ABC_${letters}`,
    AWS: `AKIA${'IOSFODNN7EXAMPLE'}`,
    Google: `AIza${letters.slice(0, 35)}`,
    Slack: `xoxb-123456789012-${letters.slice(0, 24)}`,
    GitLab: `glpat-${letters.slice(0, 20)}`,
    npm: `npm_${letters.slice(0, 36)}`,
    Stripe: `sk_live_${letters.slice(0, 24)}`,
    'Hugging Face': `hf_${letters.slice(0, 34)}`,
    JWT: jwt,
    'private key': block('RSA PRIVATE KEY'),
    'OpenSSH key': block('OPENSSH PRIVATE KEY'),
    'PGP key': block('PGP PRIVATE KEY BLOCK'),
    'no kind that is known': letters,
    'a secret key of AWS': ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/'),
    'hexadecimal digits that are no sum': hex.slice(0, 48),
  }
  test.each(Object.entries(secrets))('%s', (_, secret) => {
    for (const text of [
      secret,
      `take ${secret}, please`,
      `{"a":"${secret}"}`,
      `https://x.org/?q=${secret}&b=1`,
      `x%3D${secret}`,
    ]) {
      const clean = JSON.stringify(redact({ deep: [{ list: [text] }] }))
      expect(clean).toContain('[redacted]')
      // Not a part of it either.
      for (let at = 0; at + 12 <= secret.length; at += 4)
        if (!/BEGIN|END|KEY/.test(secret.slice(at, at + 12)))
          expect(clean).not.toContain(secret.slice(at, at + 12))
    }
  })

  it('keeps what stands around it', () => {
    expect(redact(`curl -H "Authorization: Bearer ${letters}" https://x.org`)).toBe(
      'curl -H "Authorization: [redacted]" https://x.org',
    )
    expect(redact(`before\n${block('EC PRIVATE KEY')}\nbehind`)).toBe('before\n[redacted]\nbehind')
    expect(redact(`Bearer ${letters}.`)).toMatch(/^Bearer \[redacted\]/)
    expect(redact(`Basic ${btoa('user:hunter2')}`)).toBe('Basic [redacted]')
    expect(redact('postgres://app:hunter2@db:5432/app')).toBe('postgres://app:[redacted]@db:5432/app')
    expect(redact('redis://:p@ss@db/0')).toBe('redis://:[redacted]@db/0')
    expect(redact(`https://${letters}@github.com/a/b`)).toBe('https://[redacted]@github.com/a/b')
    expect(redact('curl -u me:hunter2 x.org')).toBe('curl -u me:[redacted] x.org')
    expect(redact(`-----BEGIN PRIVATE KEY-----\nMIIEow`)).toBe('[redacted]')
  })

  test.each([
    'a commit: 6a7845adc7e13c23d3752b85b8b4b1582666ae9b',
    `sha256 ${hex}`,
    `sha512-${'aB3+'.repeat(22)}==`,
    '550e8400-e29b-41d4-a716-446655440000',
    '/home/someone/projects/legible/src/durable/audit/redact-text.test.ts',
    'getUserAccountInformationByIdentifierOrEmailAddress2',
    'a_very_long_name_of_a_function_that_does_nothing_at_all_1',
    'https://example.com/a/very/long/path/that/goes/on-and-on?page=2&sort=name',
    'git@github.com:owner/repository.git',
    'http://localhost:8080/v1',
    'function parseToken(token: string): Token { if (token === undefined) return }',
    'the api_key parameter is needed',
    'src/components/UserProfileCardWithAvatar2/Index.tsx',
    'mkdir -p a/b/c && ssh -p 22 x.org',
    'Basic authentication, and the bearer of this letter',
    'task-management-system-overview',
    'The secretary counts tokens: 512 of max_tokens=1024; tokenizer: fast.',
    'a plain text with numbers 1234567890123456789012345678901234567890',
    'password=$DB_PASSWORD and token: $TOKEN, api_key: null',
  ])('stays: %s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('by a name', () => {
  test.each([
    ...['password', 'PASSWORD', 'userPassword', 'db_passwd', 'Passphrase', 'pwd', 'secret', 'client-secret'],
    ...[
      'clientSecret',
      'SECRET_KEY',
      'token',
      'accessToken',
      'refresh_token',
      'X-Auth-Token',
      'apiKey',
      'api_key',
    ],
    ...['apikey', 'API-KEY', 'x-api-key', 'APIKey', 'OPENAI_API_KEY', 'Authorization', 'proxy-authorization'],
    ...[
      'Cookie',
      'Set-Cookie',
      'privateKey',
      'private_key',
      'credentials',
      'aws_secret_access_key',
      'sessionId',
    ],
    ...[
      'DB_PASS',
      'auth',
      'token2',
      'my.secret.value',
      'connectionString',
      'authToken',
      'accesstoken',
      'pin',
    ],
  ])('%s', (name) => {
    const value = { [name]: 'hunter2', list: [{ [name]: 1234 }], all: { [name]: { deep: ['hunter2'] } } }
    expect(redact(value)).toEqual({
      [name]: '[redacted]',
      list: [{ [name]: '[redacted]' }],
      all: { [name]: '[redacted]' },
    })
  })

  test.each([
    ...['tokens', 'max_tokens', 'token_count', 'tokenizer', 'tokenLimit', 'secretary', 'author', 'passenger'],
    ...[
      'compass',
      'pass_count',
      'primary_key',
      'key',
      'keyboard',
      'publicKey',
      'keywords',
      'path',
      'authority',
    ],
  ])('not %s', (name) => {
    expect(redact({ [name]: 'hello' })).toEqual({ [name]: 'hello' })
  })

  it('in a text', () => {
    const texts: Record<string, string> = {
      'password=hunter2': 'password=[redacted]',
      'PASSWORD = "hunter 2" # mine': 'PASSWORD = "[redacted]" # mine',
      '{"api_key": "hunter2", "n": 1}': '{"api_key": "[redacted]", "n": 1}',
      '{\\"api_key\\": \\"hunter2\\", \\"n\\": 1}': '{\\"api_key\\": \\"[redacted]\\", \\"n\\": 1}',
      "{'token': 'it\\'s'}": "{'token': '[redacted]'}",
      '{"password": {"value": "hunter2"}}': '{"password": [redacted]}',
      'https://x.org/?access_token=hunter2&page=2': 'https://x.org/?access_token=[redacted]&page=2',
      'run --password hunter2 --verbose': 'run --password [redacted] --verbose',
      'run --api-key=hunter2 now': 'run --api-key=[redacted] now',
      'DB_PASS=hunter2 node app': 'DB_PASS=[redacted] node app',
      'Cookie: a=1; b=2\nAccept: */*': 'Cookie: [redacted]\nAccept: */*',
      'Authorization: token hunter2\r\nHost: x': 'Authorization: [redacted]\r\nHost: x',
      'Server=db;Password=hunter2;Port=1': 'Server=db;Password=[redacted];Port=1',
      '<password>hunter2</password>': '<password>[redacted]</password>',
      'password: hun(ter)2': 'password: [redacted]',
      'set aws_secret_access_key hunter2 now': 'set aws_secret_access_key [redacted] now',
      'f(x, token=hunter2): y': 'f(x, token=[redacted]): y',
      'sshpass -p hunter2 ssh x': 'sshpass -p [redacted] ssh x',
      'mysql -u root -phunter2 db': 'mysql -u root -p[redacted] db',
      "docker login -u me -p 'hunter 2' x.org": 'docker login -u me -p [redacted] x.org',
      'https://x.org/?a=1&sig=abc%3D&b=2': 'https://x.org/?a=1&sig=[redacted]&b=2',
      'PASS = hunter2': 'PASS = [redacted]',
      'password: |\n  hunter2\nname: me': 'password: |\n  [redacted]\nname: me',
      'password:\nname: me': 'password:\nname: me',
      'machine x.org login me password hunter2': 'machine x.org login me password [redacted]',
      'pass: 3 tests, auth: yes': 'pass: 3 tests, auth: yes',
    }
    for (const [text, clean] of Object.entries(texts)) expect(redact(text)).toBe(clean)
  })

  it('in pairs', () => {
    expect(redact([{ name: 'Authorization', value: 'hunter2' }])).toEqual([
      { name: 'Authorization', value: '[redacted]' },
    ])
    expect(redact({ key: 'DB_PASSWORD', value: 'hunter2' })).toEqual({
      key: 'DB_PASSWORD',
      value: '[redacted]',
    })
    expect(redact(['curl', '--token', 'hunter2', 'x.org'])).toEqual([
      'curl',
      '--token',
      '[redacted]',
      'x.org',
    ])
    expect(redact([['Cookie', 'hunter2']])).toEqual([['Cookie', '[redacted]']])
    expect(redact(new Map([['password', 'hunter2']]))).toEqual([['password', '[redacted]']])
    expect(redact(['token', 'parser', 'lexer'])).toEqual(['token', 'parser', 'lexer'])
  })

  it('that is a secret itself', () => {
    const clean = redact({ [`ghp_${letters}`]: 1, [`ghp_${letters}x`]: 2 })
    expect(clean).toEqual({ '[redacted]': 1, '[redacted] 2': 2 })
  })

  it('leaves what tells nothing', () => {
    const value = { password: true, token: null, secret: '' }
    expect(redact(value)).toEqual(value)
  })
})

describe('anything', () => {
  it('does not throw, and runs nothing', () => {
    const ran: string[] = []
    const hostile = {
      get getter() {
        ran.push('getter')
        throw new Error('no')
      },
      toJSON() {
        ran.push('toJSON')
        throw new Error('no')
      },
      big: 12n,
      symbol: Symbol('x'),
      nan: Number.NaN,
      date: new Date(0),
      bad: new Date(Number.NaN),
      bytes: new Uint8Array(3),
      set: new Set([1]),
      proxy: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
      revoked: (() => {
        const { proxy, revoke } = Proxy.revocable({}, {})
        revoke()
        return proxy
      })(),
      gone: undefined,
      error: new Error('password=hunter2'),
      self: {} as unknown,
    }
    hostile.self = hostile
    expect(JSON.parse(JSON.stringify(redact(hostile)))).toEqual({
      getter: '[getter]',
      toJSON: '[function]',
      big: '12',
      symbol: '[symbol]',
      nan: 'NaN',
      date: '1970-01-01T00:00:00.000Z',
      bad: '[no date]',
      bytes: '[3 bytes]',
      set: [1],
      proxy: '[unreadable]',
      revoked: '[unreadable]',
      error: 'Error: password=[redacted]',
      self: '[circular]',
    })
    expect(ran).toEqual([])
    expect(JSON.stringify(redact(JSON.parse('{"__proto__": {"password": "x"}}')))).toBe(
      '{"__proto__":{"password":"[redacted]"}}',
    )
  })

  test('is JSON of bounded length, and clean twice is clean once', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSparseArray: true,
          withNullPrototype: true,
        }),
        (value) => {
          const clean = redact(value)
          expect(redact(clean)).toEqual(clean)
          expect(JSON.parse(JSON.stringify(clean))).toEqual(clean)
        },
      ),
    )
  })

  test('a text is clean after one time', () => {
    const word = fc.constantFrom(
      'password',
      'token',
      '=',
      ': ',
      '"',
      "'",
      '\\',
      ' ',
      '\n',
      'x9',
      '[redacted]',
      'eyJa.b',
      '://a:b@c',
      'Bearer ',
      '--',
      '<',
      '>',
      '{',
      ']',
      'Cookie',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), (words) => {
        const clean = redact(words.join(''))
        expect(redact(clean)).toBe(clean)
      }),
      { numRuns: 2000 },
    )
  })

  it('is bounded', () => {
    const { depth, members, text, total } = redactLimits
    const long = 'word '.repeat(text)
    const clean = redact(`${long}password=hunter2`) as string
    expect(clean.startsWith(`${long.slice(0, text)}… [${long.length + 16} characters, sha256 `)).toBe(true)
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(JSON.stringify(redact(deep))).toBe(`${'['.repeat(depth)}"[too deep]"${']'.repeat(depth)}`)
    expect((redact(Array(1e6).fill(1)) as unknown[]).length).toBe(members + 1)
    expect((redact(Array(members).fill(long)) as string[]).join('').length).toBeLessThan(
      total + members * 130,
    )
    expect(
      JSON.stringify(redact(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i])))),
    ).toContain(`"…":"[${5000 - members} more left out]"`)
  })

  // A form that is not linear would take half a minute and more.
  test.each([
    ...[
      'eyJ',
      'eyJ.',
      'sk-',
      'a',
      'a.',
      '-',
      '://',
      '://a:',
      '://a@',
      'password=',
      'password="',
      'password=\\"',
      "password='x\\",
    ],
    ...[
      'password=[',
      'token: {',
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      'Bearer ',
      'Basic aGk6',
      'SG.aaaaaaaaaaaaaaaaaaaa.',
    ],
    ...[
      ' -u a',
      'A1b',
      '/',
      '\\',
      '"',
      '%3D',
      '<password>',
      'login a ',
      'login a password ',
      'password:\n ',
      'mysql ',
      'sshpass -p "',
      '?sig=',
      'api_key ',
      'api_key [',
      "api_key '",
      'cookie_a ',
      '--cookie ',
      '--token [',
      'token=)',
      '12345678:',
      'cookie: ',
      'password',
      'P',
      'aA',
      '_-',
    ],
  ])(
    'takes a moment for much of %s',
    (part) => {
      const start = performance.now()
      redact(part.repeat(200_000 / part.length))
      redact({ [part.repeat(200_000 / part.length)]: 1 })
      expect(performance.now() - start).toBeLessThan(15_000)
    },
    30_000,
  )
})
