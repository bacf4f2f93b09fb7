import { AGENT_WIDTH, agentCard, type Card, GOAL_WIDTH, goalCard, inputsCard } from './card.ts'
import { type Graph, limitText, type RunGroup, type Step } from './graph.ts'
import type { Arrow, Box, Frame, Label, Layout, Loop, Port } from './layout.ts'
import { type FarFlow, labelFont, layoutLines, portWidth } from './side-lines.ts'
import { fitLine, textWidth, wrapLines } from './text-lines.ts'

/** A place on the way down: the inputs, the agents of a goal, or a goal. */
interface Station extends Box {
  readonly id: string
}

const MARGIN = 24
const TITLE = 40
/** Left of the cards of a frame: room for loops. */
const LEFT = 56
const RIGHT = 20
const HEAD = 34
const GAP = 38
const AGENT_GAP = 14
const MOST_IN_ROW = 3
const LINE = 16
/** Between two lines that come to a box. */
const PORT = 22
const headFont = { size: 12, bold: true } as const

/** Top to bottom, as it runs. What each step needs from further up comes in at its right side. */
export function layoutGraph(graph: Graph): Layout {
  return new LayoutBuilder(graph).build()
}

class LayoutBuilder {
  readonly #graph: Graph
  readonly #stations: Station[] = []
  /** Node → its station: agents share one, inputs too. */
  readonly #stationOf = new Map<string, number>()
  readonly #cards: (Card & Box)[] = []
  readonly #frames: Frame[] = []
  readonly #arrows: Arrow[] = []
  readonly #loops: Loop[] = []
  readonly #labels: Label[] = []
  /** Station → variables that come from the one before it. */
  readonly #handed = new Map<number, string[]>()
  readonly #ports: { in: string[]; out: string[] }[] = []
  /** Variable at its source → the stations it goes to. */
  readonly #far = new Map<string, { variable: string; from: number; to: number[] }>()
  readonly #left: number
  readonly #columnWidth: number
  #y = MARGIN + TITLE

  constructor(graph: Graph) {
    this.#graph = graph
    const steps = graph.runs.flatMap((run) => run.steps)
    const inRow = Math.max(0, ...steps.map(({ agents }) => agentsInRow(agents.length)))
    const widest = inRow === 0 ? 0 : inRow * (AGENT_WIDTH + AGENT_GAP) + AGENT_GAP
    this.#columnWidth = Math.max(GOAL_WIDTH, widest)
    this.#left = MARGIN + LEFT
    this.#numberStations()
    this.#sortFlows()
  }

  build(): Layout {
    const { name, inputs, runs } = this.#graph
    if (inputs.length > 0) this.#placeCard(inputsCard(inputs), 0)
    /** Frames are as wide as the longest label beside a card needs. */
    const gutter = this.#gutter()
    for (const run of runs) this.#placeRun(run, gutter)
    const right = this.#left + this.#columnWidth + gutter + RIGHT
    const { lines, labels, right: end } = layoutLines(this.#farFlows(), right)
    const text = fitLine(name, { size: 18, bold: true }, right - MARGIN)
    return {
      width: end + MARGIN,
      height: this.#y + MARGIN,
      title: { text, x: MARGIN, y: MARGIN, width: right - MARGIN, height: 24 },
      cards: this.#cards,
      frames: this.#frames,
      arrows: this.#arrows,
      loops: this.#loops,
      lines,
      labels: [...this.#labels, ...labels],
    }
  }

  #numberStations(): void {
    let station = 0
    const { inputs, runs } = this.#graph
    if (inputs.length > 0) {
      for (const { id } of inputs) this.#stationOf.set(id, station)
      station++
    }
    for (const { id, agents } of runs.flatMap(({ steps }) => steps)) {
      for (const agent of agents) this.#stationOf.set(agent.id, station)
      if (agents.length > 0) station++
      this.#stationOf.set(id, station++)
    }
    for (let i = 0; i < station; i++) this.#ports.push({ in: [], out: [] })
  }

  /** To the next station with the arrow that is there anyway, further down on a line of its own. */
  #sortFlows(): void {
    const seen = new Set<string>()
    for (const { variable, from: source, to: target } of this.#graph.flows) {
      const from = this.#stationOf.get(source) as number
      const to = this.#stationOf.get(target) as number
      const key = `${from} ${variable}`
      if (seen.has(`${key} ${to}`)) continue
      seen.add(`${key} ${to}`)
      if (to === from + 1) {
        this.#handed.set(to, [...(this.#handed.get(to) ?? []), variable])
        continue
      }
      this.#ports[to]?.in.push(variable)
      const far = this.#far.get(key)
      if (far) far.to.push(to)
      else {
        this.#far.set(key, { variable, from, to: [to] })
        this.#ports[from]?.out.push(variable)
      }
    }
  }

  #gutter(): number {
    const widths = [...this.#far.values()].map(({ variable }) => portWidth(variable))
    return Math.max(RIGHT, ...widths)
  }

  #placeRun(run: RunGroup, gutter: number): void {
    const { name, limit, steps } = run
    const isFirst = this.#stations.length === 0
    const handed = this.#handedLines(this.#stations.length)
    const lead = this.#y
    if (!isFirst) this.#y += GAP + handed.length * LINE
    const top = this.#y
    const first = this.#stations.length
    this.#y += HEAD
    for (const [i, step] of steps.entries()) this.#placeStep(step, i === 0 ? { lead, handed } : undefined)
    this.#y += 18
    const x = MARGIN
    const width = LEFT + this.#columnWidth + gutter + RIGHT
    const text = `RUN ${name}${limit === undefined ? '' : ` ↻ ${limitText(limit)}`}`
    // The arrow comes in at the middle of the column.
    const room = this.#middle - x - 28
    const label = { text: fitLine(text, headFont, room), x: x + 14, y: top + 8, width: room, height: 18 }
    this.#frames.push({ kind: 'run', x, y: top, width, height: this.#y - top, text: label })
    const start = this.#stations[first]
    const end = this.#stations.at(-1)
    if (limit !== undefined && start && end && steps.length > 0)
      this.#loops.push({
        x: x + 16,
        from: { x: end.x, y: end.y + end.height - 9 },
        to: { x: start.x, y: start.y + 9 },
      })
  }

  /** `entry`: the arrow to the first step of a RUN begins above its frame, and so do the names beside it. */
  #placeStep(step: Step, entry?: { lead: number; handed: string[] }): void {
    if (step.agents.length > 0) {
      this.#connect(entry)
      this.#placeAgents(step)
      this.#connect()
    } else this.#connect(entry)
    const card = this.#placeCard(goalCard(step), this.#stations.length)
    // Its agents are asked each time.
    const start = step.agents.length > 0 ? (this.#stations.at(-2) as Station) : card
    if (step.limit !== undefined)
      this.#loops.push({
        x: Math.min(card.x, start.x) - 24,
        from: { x: card.x, y: card.y + card.height - 22 },
        to: { x: start.x, y: start.y + 22 },
      })
  }

  /** The arrow from the last station to the one that comes next, and what it carries. */
  #connect(entry?: { lead: number; handed: string[] }): void {
    const last = this.#stations.at(-1)
    if (!last) return
    const lines = entry?.handed ?? this.#handedLines(this.#stations.length)
    const from = last.y + last.height
    // Names stand above the frame that the arrow goes into.
    const top = entry ? entry.lead : from
    if (!entry) this.#y = from + GAP + lines.length * LINE
    for (const [i, text] of lines.entries())
      this.#labels.push({
        text,
        x: this.#middle + 12,
        y: top + 13 + i * LINE,
        width: textWidth(text, labelFont),
        height: LINE,
      })
    this.#arrows.push({ x: this.#middle, from, to: this.#y })
  }

  #handedLines(station: number): string[] {
    const variables = this.#handed.get(station)
    if (!variables) return []
    return wrapLines(variables.join(', '), labelFont, this.#columnWidth / 2 - 24, 4)
  }

  #placeAgents({ id, agents }: Step): void {
    const cards = agents.map(agentCard)
    const inRow = agentsInRow(cards.length)
    const width = inRow * (AGENT_WIDTH + AGENT_GAP) + AGENT_GAP
    const x = this.#middle - width / 2
    const top = this.#y
    let y = top + 30
    for (let row = 0; row < cards.length; row += inRow) {
      const some = cards.slice(row, row + inRow)
      const height = Math.max(...some.map((card) => card.height))
      for (const [i, card] of some.entries())
        this.#cards.push({ ...card, height, x: x + AGENT_GAP + i * (AGENT_WIDTH + AGENT_GAP), y })
      y += height + AGENT_GAP
    }
    const height = Math.max(y - top, this.#portHeight(this.#stations.length))
    const text = cards.length === 1 ? 'an agent, asked first' : `${cards.length} agents at the same time`
    const label = { text, x: x + AGENT_GAP, y: top + 7, width: width - 2 * AGENT_GAP, height: 16 }
    this.#frames.push({ kind: 'agents', x, y: top, width, height, text: label })
    this.#stations.push({ id: `${id}_agents`, x, y: top, width, height })
    this.#y = top + height
  }

  #placeCard(card: Card, station: number): Box {
    const height = Math.max(card.height, this.#portHeight(station))
    const box = { x: this.#middle - card.width / 2, y: this.#y, width: card.width, height }
    this.#cards.push({ ...card, ...box })
    this.#stations.push({ id: card.id, ...box })
    this.#y += height
    return box
  }

  #portHeight(station: number): number {
    const ports = this.#ports[station]
    return ports ? (ports.in.length + ports.out.length) * PORT + 16 : 0
  }

  get #middle(): number {
    return this.#left + this.#columnWidth / 2
  }

  /** Each far flow with the places where it leaves and comes in: in above, out below. */
  #farFlows(): FarFlow[] {
    const place = (index: number, variable: string, side: 'in' | 'out'): Port => {
      const { x, y, width, height } = this.#stations[index] as Station
      const ports = this.#ports[index] as { in: string[]; out: string[] }
      const all = ports.in.length + ports.out.length
      const number =
        side === 'in' ? ports.in.indexOf(variable) : ports.in.length + ports.out.indexOf(variable)
      return { x: x + width, y: y + (height - (all - 1) * PORT) / 2 + number * PORT + 5 }
    }
    return [...this.#far.values()].map(({ variable, from, to }) => ({
      variable,
      from: place(from, variable, 'out'),
      to: to.map((one) => place(one, variable, 'in')),
    }))
  }
}

/** Rows of about the same length. */
const agentsInRow = (count: number) => (count === 0 ? 0 : Math.ceil(count / Math.ceil(count / MOST_IN_ROW)))
