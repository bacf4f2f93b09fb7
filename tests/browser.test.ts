// The reading core in a real browser, under a content security policy that forbids eval.
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../scripts/entries.ts'

const executablePath = [
  process.env.LEGIBLE_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => path && existsSync(path))

const policy = "default-src 'none'; script-src 'self'"

// What a user's page would do. It leaves its results in the page, as text.
const pageScript = `
  import { createJsonReader, readJson } from './src/json/index.ts'

  const violations = []
  document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective))

  const schema = {
    type: 'object',
    properties: { city: { type: 'string' }, celsius: { type: 'number' } },
    required: ['city', 'celsius'],
  }
  const reply = 'Here you are:\\n\`\`\`json\\n{ "city": "Tokyo", "celsius": 21.5 }\\n\`\`\`'
  const { ok, value } = readJson(reply, schema)
  const wrong = readJson('{ "city": "Tokyo" }', schema)

  const reader = createJsonReader(schema)
  const seen = []
  for (const chunk of ['{ "city": "To', 'kyo", "cel', 'sius": 21', '.5 }']) {
    reader.push(chunk)
    seen.push(structuredClone(reader.value))
  }
  const end = reader.end()

  await new Promise((resolve) => setTimeout(resolve, 50)) // violations are reported in a later task
  const violationsOfReading = [...violations]
  let evalWorks = true
  try { new Function('') } catch { evalWorks = false }

  const result = { ok, value, wrong: wrong.ok, wrongIssues: wrong.issues.length, seen, end: { ok: end.ok, value: end.value }, violationsOfReading, evalWorks }
  const shown = document.createElement('pre')
  shown.id = 'result'
  shown.textContent = JSON.stringify(result)
  document.body.append(shown)
`

describe('in Chromium', { timeout: 60_000 }, () => {
  let browser: Browser | undefined
  let server: Server | undefined

  beforeAll(async () => {
    if (!executablePath) return
    const { outputFiles } = await build({
      stdin: { contents: pageScript, resolveDir: root },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      write: false,
    })
    server = createServer((request, response) => {
      response.setHeader('content-security-policy', policy)
      if (request.url === '/page.js') {
        response.setHeader('content-type', 'text/javascript').end(outputFiles[0]!.text)
      } else {
        response.setHeader('content-type', 'text/html; charset=utf-8')
        response.end(
          '<!doctype html><title>legible</title><body><script type="module" src="/page.js"></script>',
        )
      }
    })
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({
      executablePath,
      headless: true,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it('reads JSON, whole and as a stream, without eval', async ({ skip }) => {
    if (!browser || !server) {
      const reason =
        'no Chromium found: run scripts/setup-system as root, or set LEGIBLE_CHROMIUM to its path'
      if (process.env.CI === 'true') throw new Error(reason)
      console.log(`browser test skipped: ${reason}`)
      return skip(reason)
    }
    const page = await browser.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    // a locator, because waitForFunction uses eval, which the policy forbids to Playwright too
    const shown = await page
      .locator('#result')
      .textContent({ timeout: 10_000 })
      .catch((error) => {
        throw new Error(['the page showed no result', ...errors, error].join('\n'))
      })
    expect(errors).toEqual([])
    const result = JSON.parse(shown ?? '')

    expect(result).toMatchObject({
      ok: true,
      value: { city: 'Tokyo', celsius: 21.5 },
      wrong: false,
      end: { ok: true, value: { city: 'Tokyo', celsius: 21.5 } },
      violationsOfReading: [],
      evalWorks: false, // the policy really was in force
    })
    expect(result.wrongIssues).toBeGreaterThan(0)
    expect(result.seen[2]).toMatchObject({ city: 'Tokyo' }) // there before the object was complete
  })
})
