import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/entries.ts'
import { checkLayers } from '../scripts/layers.ts'

describe('layers', () => {
  it('hold in src/', () => {
    const files = globSync('**/*.{ts,tsx,mts,cts,js}', { cwd: `${root}/src` })
    expect(files.length).toBeGreaterThan(0)
    const sources = files.map((file) => [file, readFileSync(`${root}/src/${file}`, 'utf8')] as const)
    expect(checkLayers(new Map(sources))).toEqual([])
  })

  const core = { 'core/span.ts': 'export type Span = [number, number]' }
  const broken: [name: string, files: Record<string, string>, problem: string | RegExp][] = [
    [
      'upwards',
      { 'core/a.ts': `import { b } from '../json/b.ts'`, 'json/b.ts': '' },
      /core may not import json/,
    ],
    [
      'sideways',
      { 'json/a.ts': `export * from '../text/b.ts'`, 'text/b.ts': '' },
      /json may not import text/,
    ],
    [
      'type',
      { 'core/a.ts': `import type { B } from '../json/b.ts'`, 'json/b.ts': '' },
      /may not import json/,
    ],
    [
      'import type',
      { 'core/a.ts': `type B = import('../json/b.ts').B`, 'json/b.ts': '' },
      /may not import json/,
    ],
    ['dynamic', { 'core/a.ts': `await import('../json/b.ts')`, 'json/b.ts': '' }, /may not import json/],
    ['computed', { 'core/a.ts': 'await import(name)' }, /not a plain string/],
    [
      'syntax alone',
      { 'agentfile/syntax/a.ts': `import '../../json/b.ts'`, 'json/b.ts': '' },
      /may not import json/,
    ],
    ['node in the core', { 'json/a.ts': `import { readFileSync } from 'node:fs'` }, /may not import node:fs/],
    ['node without prefix', { 'json/a.ts': `import fs from 'fs'` }, /may not import fs/],
    ['node types', { 'json/a.ts': '/// <reference types="node" />' }, /hides a dependency/],
    ['yaml', { 'json/a.ts': `import { parse } from 'yaml'` }, /may not import yaml/],
    ['ai', { 'agent/a.ts': `import type { LanguageModel } from 'ai'` }, /may not import ai/],
    ['dev dependency', { 'schema/a.ts': `import type { z } from 'zod'` }, /may not import zod/],
    [
      'cycle',
      { 'core/a.ts': `import './b.ts'`, 'core/b.ts': `import './a.ts'` },
      'cycle: core/a.ts → core/b.ts → core/a.ts',
    ],
    ['cycle of types', { 'core/a.ts': `import type {} from './a.ts'` }, 'cycle: core/a.ts → core/a.ts'],
    ['unknown folder', { 'utils/a.ts': '' }, /no layer is named utils/],
    ['missing file', { 'core/a.ts': `import './b.js'` }, /does not exist/],
    ['testing', { 'json/a.ts': `import '../testing/b.ts'`, 'testing/b.ts': '' }, /may not import testing/],
    ['code in an index', { 'core/index.ts': 'export const a = 1' }, /only re-export/],
    ['star in an index', { 'core/index.ts': `export * from './span.ts'` }, /only re-export/],
  ]
  it.each(broken)('refuses: %s', (_, files, problem) => {
    const problems = checkLayers(new Map(Object.entries({ ...core, ...files })))
    expect(problems).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)])
  })

  it('allows what goes down', () => {
    const files = {
      ...core,
      'json/a.ts': `import type { Span } from '../core/span.ts'`,
      'json/a.test.ts': `import fs from 'node:fs'; import { z } from 'zod'; import './a.ts'; import '../testing/b.ts'`,
      'json/index.ts': `export type { Span } from '../core/span.ts'`,
      'section/yaml.ts': `import { parse } from 'yaml'; import '../json/a.ts'`,
      'durable/file.ts': `import fs from 'node:fs/promises'; import '../agentfile/syntax/lex.ts'`,
      'agentfile/syntax/lex.ts': `import type { Span } from '../../core/span.ts'`,
      'model/a.ts': `import type { LanguageModel } from 'ai'`,
      'testing/b.ts': `import '../json/a.ts'`,
      'index.ts': `export type { Span } from './json/index.ts'`,
    }
    expect(checkLayers(new Map(Object.entries(files)))).toEqual([])
  })
})
