import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Agentfile } from '../syntax/agentfile.ts'
import { readAgentfile } from '../syntax/read-agentfile.ts'
import { fonts } from './card.ts'
import { formatMermaid } from './format-mermaid.ts'
import { formatSvg } from './format-svg.ts'
import type { Flow, Graph, RunGroup, Step } from './graph.ts'
import { graphOf } from './graph-of.ts'
import type { Box } from './layout.ts'
import { layoutGraph } from './layout-graph.ts'
import { textWidth } from './text-lines.ts'

const graphFrom = (text: string): Graph => {
  const { ok, value, issues } = readAgentfile(text)
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(ok).toBe(true)
  return graphOf(value as Agentfile)
}

const research = `NAME research
INPUT topic
INPUT rounds integer DEFAULT 3
SUPERVISED
AGENT optimist "Find what speaks for $topic" -> points
AGENT critic "Find what speaks against it" -> issues REQUIRES "reasoning-heavy"
GOAL scout "Weigh $topic" -> summary: string, confidence: number USING optimist, critic UNSUPERVISED
CONVERGE polish "Improve $summary" -> report WITHIN $rounds
GOAL publish "Publish $report on $topic" SUPERVISED HUMAN
RUN main USING scout, polish
RUN last USING publish WITHIN 4
`

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    ']]><svg onload="x">',
    '"] --> evil["',
    '`#quot;; end %% click goal1 href "javascript:x"',
    '</text></svg>',
    "' onmouseover='x",
    '\u0000\u001b[31m\ud800\ufffe',
    '東京の天気'.repeat(30),
    'W'.repeat(300),
  ),
)

const outputs = fc.array(hostile, { maxLength: 4 })
const prompt = fc.record({ kind: fc.constantFrom('text' as const, 'file' as const), text: hostile })
const limit = fc.constantFrom(undefined, '1', '5', '$rounds')

/** Workflows of whatever names: what the language would not let through must be harmless too. */
const graphs: fc.Arbitrary<Graph> = fc
  .record({
    name: hostile,
    inputs: fc.array(fc.record({ name: hostile, type: hostile, default: hostile }), { maxLength: 5 }),
    runs: fc.array(
      fc.record({
        name: hostile,
        limit,
        steps: fc.array(
          fc.record({
            name: hostile,
            prompt,
            outputs,
            limit,
            oversight: fc.constantFrom('supervised' as const, 'human' as const, 'unsupervised' as const),
            agents: fc.array(fc.record({ name: hostile, prompt, outputs, requires: hostile }), {
              maxLength: 7,
            }),
          }),
          { minLength: 1, maxLength: 5 },
        ),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    flows: fc.array(fc.record({ from: fc.nat(), to: fc.nat(), variable: hostile }), { maxLength: 40 }),
  })
  .map(({ name, inputs, runs, flows }): Graph => {
    let count = 0
    const made = runs.map(
      ({ name, limit, steps }, i): RunGroup => ({
        id: `run${i + 1}`,
        name,
        ...(limit && { limit }),
        steps: steps.map(({ limit, agents, ...step }): Step => {
          const id = `goal${++count}`
          return {
            ...step,
            id,
            kind: limit ? 'converge' : 'goal',
            ...(limit && { limit }),
            agents: agents.map((agent, i) => ({ ...agent, id: `${id}_agent${i + 1}` })),
          }
        }),
      }),
    )
    const given = inputs.map((input, i) => ({ ...input, id: `input${i + 1}` }))
    // Values go from an input, or from an earlier step.
    const steps = made.flatMap((run) => run.steps)
    const targets = steps.flatMap(({ id, agents }, i) => [
      ...agents.map((agent) => [agent.id, i] as const),
      [id, i] as const,
    ])
    const carried = flows.flatMap(({ from, to, variable }): Flow[] => {
      const [target, i] = targets[to % targets.length] as readonly [string, number]
      const sources = [...given.map(({ id }) => id), ...steps.slice(0, i).map(({ id }) => id)]
      const source = sources[from % sources.length]
      return source === undefined ? [] : [{ from: source, to: target, variable }]
    })
    return { name, inputs: given, runs: made, flows: carried }
  })

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
const contains = (a: Box, b: Box) =>
  a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height

function overlaps(boxes: readonly Box[]): [Box, Box][] {
  return boxes.flatMap((a, i) =>
    boxes.slice(i + 1).flatMap((b): [Box, Box][] => (overlap(a, b) ? [[a, b]] : [])),
  )
}

describe('a graph', () => {
  const flowsOf = (text: string) =>
    graphFrom(text).flows.map(({ from, to, variable }) => `${from} ${variable} ${to}`)

  test('takes a value from who gave it last', () => {
    const text = [
      'NAME a',
      'GOAL one "Write" -> text',
      'GOAL two "Improve $text" -> text',
      'GOAL three "Print $text, and $text again, and $$text"',
      'RUN main USING one, two, three',
    ]
    expect(flowsOf(text.join('\n'))).toEqual(['goal1 text goal2', 'goal2 text goal3'])
  })

  test('shows a goal as often as it runs, and an agent for each', () => {
    const text = 'NAME a\nINPUT x\nAGENT b "Ask $x"\nGOAL g "Go" USING b\nRUN r USING g, g\nRUN s USING g\n'
    expect(flowsOf(text)).toEqual(['input1 x goal1_agent1', 'input1 x goal2_agent1', 'input1 x goal3_agent1'])
    expect(graphFrom(text).runs.map(({ steps }) => steps.map(({ id }) => id))).toEqual([
      ['goal1', 'goal2'],
      ['goal3'],
    ])
  })

  test('looks into the files of prompts', () => {
    const { value } = readAgentfile('NAME a\nINPUT x\nGOAL g FROM skill\nRUN r USING g\n')
    const files = (path: string) => (path === 'skill/SKILL.md' ? 'Look at $x' : undefined)
    expect(graphOf(value as Agentfile, files).flows).toEqual([{ from: 'input1', variable: 'x', to: 'goal1' }])
  })

  test('without RUN is that of all goals, and has who watches each', () => {
    const { runs } = graphFrom('NAME a\nSUPERVISED HUMAN\nGOAL g "Go"\nGOAL h "Go" UNSUPERVISED\n')
    expect(runs.map(({ name, steps }) => [name, steps.map(({ oversight }) => oversight)])).toEqual([
      ['main', ['human', 'unsupervised']],
    ])
  })
})

describe('a layout', () => {
  test('has no two boxes in one place, and all of them on the page', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { cards, frames, labels, title, width, height } = layoutGraph(graph)
        const runs = frames.filter(({ kind }) => kind === 'run')
        const groups = frames.filter(({ kind }) => kind === 'agents')
        expect(overlaps([title, ...cards, ...labels])).toEqual([])
        expect(overlaps(runs)).toEqual([])
        expect(overlaps([...groups, ...cards.filter(({ kind }) => kind !== 'agent'), ...labels])).toEqual([])
        for (const card of cards) {
          if (card.kind === 'agent') expect(groups.filter((group) => contains(group, card))).toHaveLength(1)
          expect(runs.filter((run) => contains(run, card))).toHaveLength(card.kind === 'inputs' ? 0 : 1)
        }
        for (const box of [...cards, ...frames, ...labels])
          expect(contains({ x: 0, y: 0, width, height }, box)).toBe(true)
        for (const { width, texts } of cards)
          for (const { tone, text } of texts) expect(textWidth(text, fonts[tone])).toBeLessThanOrEqual(width)
      }),
      { numRuns: 150 },
    )
  })

  test('has no line through a card, and no two lines on each other', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { cards, frames, lines, width } = layoutGraph(graph)
        const right = Math.max(...[...cards, ...frames].map((box) => box.x + box.width))
        for (const { x } of lines) expect(x > right && x < width).toBe(true)
        const ports = lines.flatMap(({ from, to }) => [from, ...to].map(({ y }) => y))
        expect(new Set(ports).size).toBe(ports.length)
        for (const { from, to } of lines) for (const { y } of to) expect(y).toBeGreaterThan(from.y)
        const ways = lines.map(({ x, from, to }) => {
          const end = Math.max(...to.map(({ y }) => y))
          return { x, y: from.y, width: 1, height: end - from.y }
        })
        expect(overlaps(ways)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test('keeps the order in which things run', () => {
    const { cards } = layoutGraph(graphFrom(research))
    const tops = ['inputs', 'goal1_agent1', 'goal1', 'goal2', 'goal3'].map(
      (id) => cards.find((card) => card.id === id)?.y,
    )
    expect(tops).toEqual([...tops].sort((a, b) => Number(a) - Number(b)))
    const [first, second] = cards.filter(({ kind }) => kind === 'agent')
    expect(first?.y).toBe(second?.y)
  })

  test('of 200 goals is made in no time', () => {
    const goals = Array.from(
      { length: 200 },
      (_, i) => `GOAL g${i} "Use ${i > 1 ? `$v${i - 2} $v0` : '$a'}" -> v${i}`,
    )
    const run = `RUN main USING ${Array.from({ length: 200 }, (_, i) => `g${i}`).join(', ')}`
    const graph = graphFrom(['NAME big', 'INPUT a', ...goals, run].join('\n'))
    const start = performance.now()
    const svg = formatSvg(graph)
    expect(performance.now() - start).toBeLessThan(2000)
    expect(readXml(svg).filter((name) => name === 'title')).toHaveLength(202)
  })
})

/** Names of elements, in order. Throws at whatever is not plain XML. */
function readXml(text: string): string[] {
  const names: string[] = []
  const open: string[] = []
  const token =
    /<([a-z]+)((?: [a-zA-Z-]+="[^"<&]*")*)(\/?)>|<\/([a-z]+)>|((?:[^<>&\p{Cc}\p{Cs}\ufffe\uffff]|\n|&#\d+;)+)/uy
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const match = token.exec(text)
    if (!match) throw new Error(`no XML at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`)
    const [, start, attributes = '', closed, end] = match
    if (start !== undefined) {
      if (/ (on\w+|href|src)=/i.test(attributes))
        throw new Error(`an attribute that does something: ${attributes}`)
      names.push(start)
      if (!closed) open.push(start)
    } else if (end !== undefined && open.pop() !== end) throw new Error(`</${end}> closes nothing`)
  }
  if (open.length > 0) throw new Error(`not closed: ${open}`)
  return names
}

describe('SVG', () => {
  test('is XML without scripts, whatever the names and prompts are', () => {
    const allowed = ['svg', 'title', 'desc', 'style', 'rect', 'path', 'circle', 'g', 'text']
    fc.assert(
      fc.property(graphs, (graph) => {
        const svg = formatSvg(graph)
        const names = readXml(svg)
        expect(names.filter((name) => !allowed.includes(name))).toEqual([])
        expect(names.filter((name) => name === 'style')).toHaveLength(1)
        expect(svg).not.toContain('NaN')
      }),
      { numRuns: 150 },
    )
  })

  test('says in words what it shows', () => {
    const svg = formatSvg(graphFrom(research))
    expect(svg).toContain('role="img" aria-labelledby="lg-title lg-desc"')
    expect(svg).toContain('<title id="lg-title">Workflow research</title>')
    expect(svg).toContain(
      'Inputs: topic, rounds. RUN main: scout (agents optimist, critic), then polish (at most $rounds times; supervised). ' +
        'RUN last, at most 4 times: publish (a person decides).',
    )
  })

  test('shows text as it is', () => {
    const svg = formatSvg(graphFrom('NAME a\nGOAL b "Say <b>&amp;</b> \\"now\\""\nRUN c USING b\n'))
    expect(svg).toContain('>Say &#60;b&#62;&#38;amp;&#60;/b&#62; &#34;now&#34;</text>')
  })
})

describe('Mermaid', () => {
  test('shows all there is', () => {
    expect(formatMermaid(graphFrom(research))).toBe(`---
title: "research"
---
flowchart TD
  subgraph inputs["inputs"]
    input1(["topic"])
    input2(["rounds: integer #61; 3"])
  end
  subgraph run1["RUN main"]
    goal1_agent1(["optimist<br/>→ points"])
    goal1_agent2(["critic<br/>→ issues"])
    goal1["scout<br/>→ summary: string, confidence: number"]
    goal2{{"polish<br/>→ report<br/>at most #36;rounds times<br/>supervised"}}
  end
  subgraph run2["RUN last, at most 4 times"]
    goal3["publish<br/>a person decides"]
  end
  goal1_agent1 ==> goal1
  goal1_agent2 ==> goal1
  goal1 == "summary" ==> goal2
  goal2 -. "at most #36;rounds times" .-> goal2
  goal2 == "report" ==> goal3
  goal3 -. "at most 4 times" .-> goal3
  input1 -. "topic" .-> goal1_agent1
  input1 -. "topic" .-> goal1
  input2 -. "rounds" .-> goal2
  input1 -. "topic" .-> goal3
  classDef agent stroke-dasharray: 4 3
  class goal1_agent1,goal1_agent2 agent
`)
  })

  test('has only lines of a known form, whatever the names are', () => {
    const text = '"(?:[\\p{L}\\p{M}\\p{N} _,.:/→…-]|#\\d+;|<br/>)*"'
    const id = '(?:input|run|goal)\\d+(?:_agent\\d+)?|inputs'
    const line = new RegExp(
      [
        '---|title: ".*"|flowchart TD|  end|  classDef agent stroke-dasharray: 4 3',
        `  subgraph (?:${id})\\[${text}\\]`,
        `    (?:${id})(?:\\[${text}\\]|\\(\\[${text}\\]\\)|\\{\\{${text}\\}\\})`,
        `  (?:${id}) (?:==>|== ${text} ==>|-\\. ${text} \\.->) (?:${id})`,
        `  class (?:(?:${id}),?)+ agent`,
      ]
        .map((form) => `(?:${form})`)
        .join('|')
        .replace(/^/, '^(?:')
        .replace(/$/, ')$'),
      'u',
    )
    fc.assert(
      fc.property(graphs, (graph) => {
        const lines = formatMermaid(graph).trimEnd().split('\n')
        expect(lines.filter((one) => !line.test(one))).toEqual([])
        const opened = lines.filter((one) => one.startsWith('  subgraph')).length
        expect(lines.filter((one) => one === '  end')).toHaveLength(opened)
      }),
      { numRuns: 200 },
    )
  })
})
