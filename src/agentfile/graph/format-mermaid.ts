import { type Graph, limitText, oversightText, type Step } from './graph.ts'

/**
 * The graph as Mermaid: thick arrows say what runs after what, dotted ones which values go further down, and what is repeated. Ids are ours, and
 * whatever comes from the file stands in quotes, with everything that means something to Mermaid or HTML as a number.
 */
export function formatMermaid(graph: Graph): string {
  const lines = [
    '---',
    `title: ${JSON.stringify(graph.name.replace(/[\p{C}\p{Z}]+/gu, ' '))}`,
    '---',
    'flowchart TD',
  ]
  if (graph.inputs.length > 0) {
    lines.push('  subgraph inputs["inputs"]')
    for (const { id, name, type, default: given } of graph.inputs) {
      const typed = type ? `${name}: ${type}` : name
      lines.push(`    ${id}(["${label(given === undefined ? typed : `${typed} = ${given}`)}"])`)
    }
    lines.push('  end')
  }
  for (const { id, name, limit, steps } of graph.runs) {
    lines.push(`  subgraph ${id}["${label(`RUN ${name}${limit ? `, ${limitText(limit)}` : ''}`)}"]`)
    for (const step of steps) lines.push(...nodesOf(step))
    lines.push('  end')
  }
  for (const edge of edgesOf(graph)) lines.push(`  ${edge}`)
  const agents = graph.runs.flatMap(({ steps }) => steps.flatMap((step) => step.agents.map(({ id }) => id)))
  if (agents.length > 0)
    lines.push('  classDef agent stroke-dasharray: 4 3', `  class ${agents.join(',')} agent`)
  return `${lines.join('\n')}\n`
}

function nodesOf({ id, kind, name, outputs, limit, oversight, agents }: Step): string[] {
  const facts = [
    name,
    ...(outputs.length > 0 ? [`→ ${outputs.join(', ')}`] : []),
    ...(limit === undefined ? [] : [limitText(limit)]),
    ...(oversightText[oversight] ? [oversightText[oversight]] : []),
  ]
  const text = facts.map(label).join('<br/>')
  return [
    ...agents.map((agent) => {
      const facts = [agent.name, ...(agent.outputs.length > 0 ? [`→ ${agent.outputs.join(', ')}`] : [])]
      return `    ${agent.id}(["${facts.map(label).join('<br/>')}"])`
    }),
    kind === 'converge' ? `    ${id}{{"${text}"}}` : `    ${id}["${text}"]`,
  ]
}

function edgesOf({ runs, flows }: Graph): string[] {
  /** What goes from one to another: `from to` → variables. */
  const carried = new Map<string, string[]>()
  for (const { from, to, variable } of flows) {
    const key = `${from} ${to}`
    carried.set(key, [...(carried.get(key) ?? []), variable])
  }
  const take = (from: string, to: string): string => {
    const variables = carried.get(`${from} ${to}`) ?? []
    carried.delete(`${from} ${to}`)
    return label(variables.join(', '))
  }
  const edges: string[] = []
  const arrow = (from: string, to: string): void => {
    const variables = take(from, to)
    edges.push(variables === '' ? `${from} ==> ${to}` : `${from} == "${variables}" ==> ${to}`)
  }
  const again = (from: string, first: readonly string[], limit: string): void => {
    for (const to of first) edges.push(`${from} -. "${label(limitText(limit))}" .-> ${to}`)
  }
  let before: string | undefined
  for (const { steps, limit } of runs) {
    for (const step of steps) {
      const { id, agents, limit } = step
      const first = firstOf(step)
      if (before !== undefined) for (const to of first) arrow(before, to)
      for (const agent of agents) arrow(agent.id, id)
      if (limit !== undefined) again(id, first, limit)
      before = id
    }
    const start = steps[0]
    const end = steps.at(-1)
    if (limit !== undefined && start && end) again(end.id, firstOf(start), limit)
  }
  for (const key of [...carried.keys()]) {
    const [from = '', to = ''] = key.split(' ')
    edges.push(`${from} -. "${take(from, to)}" .-> ${to}`)
  }
  return edges
}

/** What a step begins with: its agents, if it has some. */
const firstOf = ({ id, agents }: Step) => (agents.length > 0 ? agents.map((agent) => agent.id) : [id])

/** More of a text is no help in a picture. */
const MOST = 120

/** A text between quotes. Mermaid knows characters by their numbers: `#35;`. */
function label(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  const cut = characters.length > MOST ? [...characters.slice(0, MOST - 1), '…'] : characters
  return cut.map(entity).join('')
}

function entity(character: string): string {
  if (/[\p{L}\p{M}\p{N} _,.:/→…-]/u.test(character)) return character
  // Halves of pairs and characters that are no text.
  return /[\p{C}]/u.test(character) ? '#65533;' : `#${character.codePointAt(0)};`
}
