import type { KnownTools } from '../known-tools.ts'

/** Finds the tool that is meant by a name as it was written. */
export class ToolNames {
  private readonly tools: KnownTools
  /** By the name without case, and with underscores for dots and dashes; `undefined` where several are alike. */
  private readonly alike = new Map<string, string | undefined>()

  /** By what stands behind the last dot. */
  private readonly last = new Map<string, string | undefined>()

  constructor(tools: KnownTools) {
    this.tools = tools
    for (const name of tools.names) {
      add(this.alike, normal(name), name)
      const dot = name.lastIndexOf('.')
      if (dot > 0) add(this.last, normal(name.slice(dot + 1)), name)
    }
  }

  /** `functions.f`, `F` and `f` may all be the tool `f`; the last of them `a.f` too, if there is one only. */
  find(written: string): string | undefined {
    if (written.length > 200) return undefined
    const name = written.replaceAll('\\', '').trim()
    if (this.tools.has(name)) return name
    // A method of something in a program.
    if (name.startsWith('self.')) return undefined
    for (let rest = name; ; ) {
      const found = this.tools.has(rest) ? rest : this.alike.get(normal(rest))
      if (found !== undefined) return found
      const dot = rest.indexOf('.')
      if (dot < 0) return this.last.get(normal(name))
      rest = rest.slice(dot + 1)
    }
  }
}

function add(names: Map<string, string | undefined>, key: string, name: string): void {
  names.set(key, names.has(key) ? undefined : name)
}

const normal = (name: string) => name.toLowerCase().replace(/[.\-\s]/g, '_')
