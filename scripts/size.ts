// What an entry point costs in a browser: bundled with its dependencies, minified, gzipped.
// `npm run size` prints the table; tests/size.test.ts enforces the limits.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { type Entry, entries, root } from './entries.ts'

/**
 * Limits in bytes after gzip: what they weigh now, so that growth shows. 15 kB was the aim for `legible/json`; the
 * reading engine alone takes 11 of them, fitting to schemas and their validation the rest. Entries that are not listed run in Node only:
 * reported, without a limit.
 */
export const limits: Record<string, number> = {
  legible: 88_500,
  'legible/json': 38_000,
  'legible/text': 16_000,
  'legible/tools': 132_000,
  'legible/reply': 60_000,
  'legible/plan': 52_500,
  'legible/agentfile/syntax': 15_000,
}

export async function measure(entry: Entry): Promise<{ minified: number; gzipped: number }> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry.source],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    platform: entry.id in limits ? 'browser' : 'node',
    write: false,
    logLevel: 'silent',
  })
  const code = outputFiles[0]!.contents
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length }
}

const kB = (bytes: number | undefined) => (bytes === undefined ? '' : `${(bytes / 1000).toFixed(1)} kB`)

if (import.meta.main) {
  console.log('entry'.padEnd(24), ...['minified', 'gzipped', 'limit'].map((title) => title.padStart(10)))
  for (const entry of entries) {
    const { minified, gzipped } = await measure(entry)
    console.log(
      entry.id.padEnd(24),
      ...[minified, gzipped, limits[entry.id]].map((bytes) => kB(bytes).padStart(10)),
    )
  }
}
