// What must never happen, by name: the properties that the contract of replies promises, and the traps that tools for files
// fell into elsewhere. Each goes the whole way, from the text of a model through the loop to the disk and the log.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentOptions } from '../src/agent/agent-options.ts'
import { chat } from '../src/agent/chat.ts'
import type { AgentEvent } from '../src/agent/event.ts'
import { openAuditLog } from '../src/durable/audit/audit-log.ts'
import { recordCalls } from '../src/durable/audit/record-calls.ts'
import { openPermissionFile } from '../src/durable/permission-file.ts'
import { scriptedModel } from '../src/model/rehearsal/scripted-model.ts'
import { defineTool } from '../src/tool/define-tool.ts'
import { fileTools } from '../src/tool/file/file-tools.ts'
import { previewChange } from '../src/tool/file/preview-change.ts'
import { createPermissions } from '../src/tool/permission/create-permissions.ts'
import type { CallRecord } from '../src/tool/run-options.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'legible-security-'))
  folders.push(made)
  return made
}

/** A chat with a tool that leaves a mark when it runs. */
async function talk(replies: string[], options: Partial<AgentOptions> = {}) {
  const ran: unknown[] = []
  const wipe = defineTool({
    name: 'wipe',
    description: 'Wipes a disk.',
    input: z.object({ disk: z.string(), times: z.number().int().min(1) }),
    run: (args) => {
      ran.push(args)
      return 'wiped'
    },
  })
  const events: AgentEvent[] = []
  const records: CallRecord[] = []
  const run = chat({
    model: scriptedModel([...replies, 'Done.', 'Done.', 'Done.']),
    tools: [wipe],
    record: (one) => {
      records.push(one)
    },
    ...options,
  }).start('Go')
  for await (const event of run) events.push(event)
  const outcome = await run.outcome
  const codes = events.flatMap((event) =>
    event.type === 'issues' ? event.issues.map(({ code }) => code) : [],
  )
  return { ran, events, records, outcome, codes }
}
const args = { disk: 'c', times: 1 }
const action = (more: object = {}) => JSON.stringify({ type: 'action', tool: 'wipe', args, ...more })

describe('the six properties of replies', () => {
  test('1. a call is explicit JSON with "type": "action"', async () => {
    expect((await talk([action()])).ran).toEqual([args])
    for (const reply of [
      JSON.stringify({ tool: 'wipe', args }),
      JSON.stringify({ type: 'call', tool: 'wipe', args }),
      'wipe(disk="c", times=1)',
      `I will now call wipe with ${JSON.stringify(args)}.`,
      `<tool_call>${JSON.stringify({ name: 'wipe', arguments: args })}</tool_call>`,
      `[TOOL_CALLS] ${JSON.stringify([{ name: 'wipe', arguments: args }])}`,
      `<action>${JSON.stringify({ tool: 'wipe', args })}</action>`,
    ])
      expect((await talk([reply])).ran, reply).toEqual([])
  })

  test('2. all arguments are validated against the schema of the tool', async () => {
    for (const wrong of [
      {},
      { disk: 'c' },
      { disk: 'c', times: 0 },
      { disk: 'c', times: 'never' },
      [],
      'c',
    ]) {
      const { ran, codes, outcome } = await talk([action({ args: wrong })])
      expect(ran, JSON.stringify(wrong)).toEqual([])
      expect(codes.length, JSON.stringify(wrong)).toBeGreaterThan(0)
      expect(outcome.kind).toBe('answered')
    }
  })

  test('3. unknown tools are rejected before anything runs', async () => {
    for (const tool of ['wipe2', 'Wipe ', '__proto__', 'constructor', 'toString', '', 'fs.write']) {
      const { ran, codes } = await talk([action({ tool })])
      expect(ran, tool).toEqual([])
      expect(codes.length, tool).toBeGreaterThan(0)
    }
  })

  test('4. what cannot be read does not fail silently: the model is told, and the program', async () => {
    for (const reply of [
      '{"type": "action", "tool": "wipe", "args": {"disk": ',
      `${action()}\n${action()}`,
      `${action()} and more`,
      '',
    ]) {
      const { ran, events } = await talk([reply])
      expect(ran, reply).toEqual([])
      expect(
        events.some(({ type }) => type === 'turn-idle'),
        reply,
      ).toBe(true)
    }
  })

  test('5. an example does not call a tool', async () => {
    for (const reply of [
      `For example:\n\n\`\`\`json\n${action()}\n\`\`\`\n\nThat would wipe the disk.`,
      `You could write \`${action()}\` to do it.`,
      `> ${action()}\n\nis what the manual says.`,
      `<think>${action()}</think>I would rather not.`,
      JSON.stringify({ type: 'text', text: action() }),
      `"${action().replaceAll('"', '\\"')}" is text.`,
      `<!-- ${action()} -->Nothing to see.`,
    ])
      expect((await talk([reply, reply])).ran, reply).toEqual([])
  })

  test('6. all validation comes before anything is carried out', async () => {
    const order: string[] = []
    const spied = defineTool({
      name: 'wipe',
      description: 'Wipes.',
      input: z.object({ disk: z.string().refine(() => order.push('schema')) }),
      needs: () => {
        order.push('permission')
        return { capability: 'wipe' }
      },
      run: () => order.push('run'),
    })
    const permissions = createPermissions()
    permissions.grant({ capability: 'wipe' })
    const record = (one: CallRecord) => {
      order.push(one.type)
    }
    await talk([action({ args: { disk: 'c' } })], { tools: [spied], permissions, record })
    const run = order.indexOf('run')
    expect(order.slice(run)).toEqual(['run', 'call-end'])
    expect(order.slice(0, run)).toEqual(expect.arrayContaining(['schema', 'permission', 'call-start']))
    expect(order.indexOf('schema')).toBeLessThan(order.indexOf('permission'))
    expect(order.lastIndexOf('permission')).toBeLessThan(run)
  })
})

/** A chat whose model makes one call of a tool for files, with everything permitted that can be. */
async function call(root: string, tool: string, input: object) {
  const permissions = createPermissions()
  permissions.grant({ capability: 'fs.read' })
  permissions.grant({ capability: 'fs.write' })
  const { events } = await talk([JSON.stringify({ type: 'action', tool, args: input })], {
    tools: fileTools({ root }),
    permissions,
  })
  const end = events.find((event) => event.type === 'call-end')
  return end?.type === 'call-end' && end.ok
    ? { ok: true, text: String(end.result.text) }
    : { ok: false, text: '' }
}

function rootWithSecret(): { root: string; outside: string; secret: string } {
  const base = folder()
  const root = join(base, 'root')
  const outside = join(base, 'outside')
  mkdirSync(root)
  mkdirSync(outside)
  const secret = join(outside, 'secret.txt')
  writeFileSync(secret, 'secret')
  return { root, outside, secret }
}

describe('the traps of tools for files', () => {
  test('a folder in the root that is a link does not lead out of it', async () => {
    const { root, outside, secret } = rootWithSecret()
    symlinkSync(outside, join(root, 'in'))
    symlinkSync(secret, join(root, 'file'))
    for (const path of ['in/secret.txt', 'file'])
      expect(await call(root, 'fs.read', { path }), path).toMatchObject({ ok: false })
    for (const path of ['in/new.txt', 'in/secret.txt', 'file'])
      expect(await call(root, 'fs.write', { path, content: 'x' }), path).toMatchObject({ ok: false })
    expect(await call(root, 'fs.list', { path: 'in' })).toMatchObject({ ok: false })
    const found = await call(root, 'fs.search', { text: 'secret' })
    expect(found.text).not.toContain('secret.txt:')
    expect(readFileSync(secret, 'utf8')).toBe('secret')
    expect(existsSync(join(outside, 'new.txt'))).toBe(false)
  })

  test('an absolute path is refused, and not taken for one in the root', async () => {
    const { root, secret } = rootWithSecret()
    mkdirSync(join(root, 'etc'))
    writeFileSync(join(root, 'etc/hosts'), 'mine')
    for (const path of [
      secret,
      '/etc/hosts',
      '//etc/hosts',
      'file:///etc/hosts',
      'C:\\etc\\hosts',
      '\\\\host\\share',
    ])
      expect(await call(root, 'fs.read', { path }), path).toMatchObject({ ok: false })
  })

  test('dots, empty names, NUL and trailing dots are refused', async () => {
    const { root } = rootWithSecret()
    writeFileSync(join(root, 'a'), 'a')
    for (const path of [
      '../outside/secret.txt',
      'x/../../outside/secret.txt',
      '',
      ' ',
      'a\0',
      'a\0.txt',
      '..',
      'a/..',
      '.../../outside',
      'a.',
      'a..',
    ])
      expect(await call(root, 'fs.read', { path }), JSON.stringify(path)).toMatchObject({ ok: false })
  })

  test('.git, our own files and policies cannot be written, under any spelling', async () => {
    const { root } = rootWithSecret()
    mkdirSync(join(root, '.git'))
    for (const path of [
      '.git/config',
      '.GIT/hooks/pre-commit',
      'sub/.git/x',
      '.legible/audit.jsonl',
      '.legible/permissions.json',
      'legible.toml',
      'legible.config.ts',
      'LEGIBLE.TOML',
      '.env',
      'git~1/x',
    ])
      expect(await call(root, 'fs.write', { path, content: 'x' }), path).toMatchObject({ ok: false })
    expect(existsSync(join(root, '.git/config'))).toBe(false)
  })

  test('what is granted and what is checked has one name: a grant works, and is all that is needed', async () => {
    const root = folder()
    const permissions = openPermissionFile(join(folder(), 'state', 'permissions.json'))
    const save = () =>
      talk(
        [
          JSON.stringify({
            type: 'action',
            tool: 'fs.write',
            args: { path: `${Math.random()}.txt`, content: 'x' },
          }),
        ],
        {
          tools: fileTools({ root }),
          permissions,
          approve: () => 'deny',
        },
      )
    const ran = async () => (await save()).records.map(({ type }) => type)
    expect(await ran()).toEqual(['call-refused'])
    const { id } = await permissions.grant({ capability: 'fs.write' })
    expect(await ran()).toEqual(['call-start', 'call-end'])
    // A grant that was revoked is no grant; reading is no writing.
    await permissions.revoke(id)
    expect(await ran()).toEqual(['call-refused'])
    await permissions.grant({ capability: 'fs.read' })
    expect(await ran()).toEqual(['call-refused'])
  })

  test('a rule that another process revokes counts no more, at once', async () => {
    const file = join(folder(), 'state', 'permissions.json')
    const [here, there] = [openPermissionFile(file), openPermissionFile(file)]
    const needs = [{ capability: 'fs.write', path: 'a' }]
    const { id } = await there.grant({ capability: 'fs.write' })
    expect(here.check(needs).kind).toBe('granted')
    await there.revoke(id)
    expect(here.check(needs).kind).toBe('unset')
  })

  test('what is written is what was shown: a file that changed since the diff is not touched', async () => {
    const root = folder()
    writeFileSync(join(root, 'a.txt'), 'one\n')
    const tools = fileTools({ root })
    const edit = { path: 'a.txt', old: 'one', new: 'two' }
    const permissions = createPermissions()
    permissions.grant({ capability: 'fs.read' })
    const { events } = await talk(
      [
        JSON.stringify({ type: 'action', tool: 'fs.read', args: { path: 'a.txt' } }),
        JSON.stringify({ type: 'action', tool: 'fs.edit', args: edit }),
      ],
      {
        tools,
        permissions,
        approve: async () => {
          const shown = await previewChange(tools, { name: 'fs.edit', arguments: edit })
          expect(shown).toMatchObject({ ok: true, added: 1, removed: 1 })
          writeFileSync(join(root, 'a.txt'), 'one\none of mine\n')
          // Somebody else reads the new version: that makes it known to the tools, but was not shown.
          await tools[0]!.run({ path: 'a.txt' }, {} as never)
          return 'allow' as const
        },
      },
    )
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\none of mine\n')
    expect(events).toContainEqual(expect.objectContaining({ type: 'call-end', ok: false }))
  })

  test('a call that no tool can take is in the log too, whatever form it was written in', async () => {
    for (const reply of [action({ tool: 'wipe2' }), action({ args: { disk: 'c' } })]) {
      const { records } = await talk([reply])
      expect(records).toMatchObject([{ type: 'call-refused', call: { arguments: { written: reply } } }])
    }
  })

  test('secrets are not in the log, wherever they stand', async () => {
    const root = folder()
    const file = join(root, '.legible', 'audit.jsonl')
    const log = await openAuditLog(file)
    const secrets = {
      password: 'hunter2-correct-horse',
      note: `use sk-proj-${'a1B2'.repeat(10)} for it`,
      nested: [{ headers: { Authorization: 'Bearer abcdefghijklmnop' } }],
      url: 'https://user:pa55word@example.com/x',
      [`ghp_${'x9Y8'.repeat(9)}`]: 1,
    }
    const anything = defineTool({
      name: 'any',
      description: 'Anything.',
      input: { type: 'object' },
      run: () => 'ok',
    })
    await talk([JSON.stringify({ type: 'action', tool: 'any', args: secrets })], {
      tools: [anything],
      record: recordCalls(log),
    })
    await log.close()
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('call-start')
    for (const secret of ['hunter2', 'a1B2a1B2', 'abcdefghijklmnop', 'pa55word', 'x9Y8x9Y8'])
      expect(text, secret).not.toContain(secret)
  })
})
