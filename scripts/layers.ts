// Who may import whom. Types count like values: a type import is knowledge of the other folder too.
// Checked by tests/layers.test.ts over all of src/, with no exclusions.
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

const reading = ['core', 'schema', 'json', 'text', 'dialects', 'section']
const upToAgent = [...reading, 'tool', 'reply', 'plan', 'model', 'agent']
const upToDurable = [...upToAgent, 'agentfile/syntax', 'agentfile/run', 'agentfile', 'durable']

/** Each layer, and the layers below that it may import. `root` is src/index.ts. */
const layers: Record<string, string[]> = {
  core: [],
  schema: ['core'],
  json: ['core', 'schema'],
  text: ['core'],
  dialects: ['core', 'schema', 'json', 'text'],
  section: ['core', 'schema', 'json', 'text', 'dialects'],
  tool: reading,
  reply: [...reading, 'tool'],
  plan: [...reading, 'tool'],
  model: [...reading, 'tool', 'reply', 'plan'],
  agent: [...reading, 'tool', 'reply', 'plan', 'model'],
  'agentfile/syntax': ['core'],
  'agentfile/graph': ['core', 'agentfile/syntax'],
  'agentfile/run': [...upToAgent, 'agentfile/syntax'],
  agentfile: ['agentfile/syntax', 'agentfile/run'],
  durable: [...upToAgent, 'agentfile/syntax', 'agentfile/run', 'agentfile'],
  cli: [...upToDurable, 'agentfile/graph'],
  testing: upToDurable,
  root: upToDurable,
}

/** Packages, and the files that may import them. What is not listed may be imported by tests only. */
const packages: { name: RegExp; allowed: RegExp }[] = [
  { name: /^node:/, allowed: /^(durable|cli)\/|^tool\/file/ },
  { name: /^yaml$/, allowed: /yaml/ },
  { name: /^(ai|@ai-sdk\/.*)$/, allowed: /^model\// },
  { name: /^@cfworker\/json-schema$/, allowed: /^schema\// },
  { name: /^commander$/, allowed: /^cli\// },
  { name: /^@modelcontextprotocol\/sdk\//, allowed: /^cli\// },
  { name: /^smol-toml$/, allowed: /^cli\// },
  { name: /^@opentelemetry\/api$/, allowed: /^agent\// },
  { name: /^@restatedev\//, allowed: /^durable\// },
]

function layerOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  if (!file.includes('/')) return 'root'
  const nested = `${first}/${second}`
  return nested in layers ? nested : first
}

/** Every module a source file names, in whatever way: imports, re-exports, `import()`, `import('x').Type`. */
function importsOf(file: string, source: string): { modules: string[]; problems: string[] } {
  const { program, comments, errors } = parseSync(file, source)
  const modules: string[] = []
  const problems = errors.map((error) => `does not parse: ${error.message}`)
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, source, id, expression } = node as Record<string, { type?: string; value?: unknown }> & {
      type?: string
    }
    if (/^(ImportDeclaration|Export\w*Declaration|ImportExpression|TSImportType)$/.test(type ?? '')) {
      if (typeof source?.value === 'string') modules.push(source.value)
      else if (source) problems.push('import() of something that is not a plain string')
    }
    if (type === 'TSExternalModuleReference' || type === 'TSModuleDeclaration') {
      const named = type === 'TSModuleDeclaration' ? id : expression
      if (typeof named?.value === 'string') modules.push(named.value)
    }
    Object.values(node).forEach(visit)
  }
  visit(program)
  for (const { value } of comments) {
    if (/^\/\s*<reference/.test(value)) problems.push('/// <reference> hides a dependency: import it')
  }
  if (posix.basename(file) === 'index.ts') {
    const others = program.body.filter((node) => node.type !== 'ExportNamedDeclaration' || !node.source)
    if (others.length > 0) problems.push('index.ts may only re-export, by name')
  }
  return { modules, problems }
}

/** What is wrong with the imports of these files (paths relative to src/ → source text); empty when all is well. */
export function checkLayers(files: Map<string, string>): string[] {
  const problems: string[] = []
  const graph = new Map<string, string[]>()
  for (const [file, source] of files) {
    const isTest = file.endsWith('.test.ts')
    const layer = layerOf(file)
    const below = layers[layer]
    if (!below) problems.push(`${file}: no layer is named ${layer}; add it to scripts/layers.ts`)
    const found = importsOf(file, source)
    problems.push(...found.problems.map((problem) => `${file}: ${problem}`))
    const edges: string[] = []
    for (const module of found.modules) {
      if (module.startsWith('.')) {
        const target = posix.join(posix.dirname(file), module)
        const to = layerOf(target)
        if (target.startsWith('..')) {
          if (!isTest) problems.push(`${file}: ${module} is outside src/`)
        } else if (!files.has(target)) {
          problems.push(`${file}: ${module} does not exist`)
        } else {
          edges.push(target)
          if (to !== layer && !below?.includes(to) && !(isTest && to === 'testing')) {
            problems.push(`${file}: ${layer} may not import ${to} (${module})`)
          }
          if (target.endsWith('.test.ts')) problems.push(`${file}: imports the test ${module}`)
        }
      } else if (!isTest) {
        const rule = packages.find(({ name }) => name.test(module))
        if (!rule?.allowed.test(file)) problems.push(`${file}: may not import ${module}`)
      }
    }
    graph.set(file, edges)
  }
  return [...problems, ...cycles(graph)]
}

/** Depth first; an edge back into the current path closes a cycle. Each is reported once, where it is first met. */
function cycles(graph: Map<string, string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const path: string[] = []
  const visit = (file: string): void => {
    if (path.includes(file)) {
      found.push(`cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      return
    }
    if (done.has(file)) return
    path.push(file)
    for (const next of graph.get(file) ?? []) visit(next)
    path.pop()
    done.add(file)
  }
  for (const file of graph.keys()) visit(file)
  return found
}
