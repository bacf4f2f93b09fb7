// The entry points, read from `exports` in package.json: a new entry is one line there.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Entry {
  /** As users import it: `legible`, `legible/json`. */
  id: string
  /** File name of its reports: `index`, `json`. */
  name: string
  /** The built module, and its types, relative to the root. */
  js: string
  dts: string
  /** The source it is built from, relative to the root. */
  source: string
}

const { name, exports } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as {
  name: string
  exports: Record<string, string>
}

export const entries: Entry[] = Object.entries(exports)
  .filter(([, file]) => file.endsWith('.js'))
  .map(([key, file]) => ({
    id: name + key.slice(1),
    name: key === '.' ? 'index' : key.slice(2).replaceAll('/', '-'),
    js: file.slice(2),
    dts: file.slice(2).replace(/\.js$/, '.d.ts'),
    source: file.slice(2).replace(/^dist/, 'src').replace(/\.js$/, '.ts'),
  }))
