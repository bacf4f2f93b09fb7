import { type Card, fonts, type Tone } from './card.ts'
import { type Graph, limitText, oversightText, type Step } from './graph.ts'
import type { Arrow, Box, Frame, Label, Layout, Loop, SideLine } from './layout.ts'
import { layoutGraph } from './layout-graph.ts'
import { labelFont } from './side-lines.ts'

const sans = `ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif`
const mono = `ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace`

/** What stands on the page itself must be seen on white and on black: none of these is light or dark. */
const lineColors = ['#3a7bd5', '#0f8b8d', '#9066d0', '#2b8a57', '#d0527f', '#7d7d10']
const grey = '#76808c'
const loopColor = '#b56a14'

/** Cards have a ground of their own, which follows the reader's preference. All names begin alike: a page has others. */
const style = `
.lg-sans { font-family: ${sans} }
.lg-mono { font-family: ${mono} }
.lg-card { fill: #ffffff; stroke: #cbd3dc }
.lg-name { fill: #1c2128 } .lg-prompt, .lg-path { fill: #57606a } .lg-outputs { fill: #24292f } .lg-limit { fill: #8a5a00 }
.lg-goal { fill: #0b62c4 } .lg-converge { fill: #9a6200 } .lg-agent { fill: #7a45d0 } .lg-inputs { fill: #1a7f4b }
.lg-mark { fill: #a3245c } .lg-mark-box { fill: #fdeaf2 }
@media (prefers-color-scheme: dark) {
.lg-card { fill: #1b2129; stroke: #3b444f }
.lg-name { fill: #f0f3f6 } .lg-prompt, .lg-path { fill: #a3adb8 } .lg-outputs { fill: #dde3ea } .lg-limit { fill: #e3b04b }
.lg-goal { fill: #62a8ff } .lg-converge { fill: #e3b04b } .lg-agent { fill: #b794f6 } .lg-inputs { fill: #4cc38a }
.lg-mark { fill: #ff9cc2 } .lg-mark-box { fill: #4a2136 }
}
`

/** The graph as a picture: one file without scripts or anything from elsewhere. Text of the file is only ever text. */
export function formatSvg(graph: Graph): string {
  const layout = layoutGraph(graph)
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="lg-title lg-desc">`,
    `<title id="lg-title">${escapeXml(`Workflow ${graph.name}`)}</title>`,
    `<desc id="lg-desc">${escapeXml(describeGraph(graph))}</desc>`,
    `<style>${style}</style>`,
    label(layout.title, `class="lg-sans" font-size="18" font-weight="700" fill="${grey}"`, 18),
    ...drawn(layout),
    '</svg>\n',
  ].join('\n')
}

/** What lies below comes first. */
function drawn({ cards, frames, arrows, loops, lines, labels }: Layout): string[] {
  const runs = frames.filter(({ kind }) => kind === 'run')
  const groups = frames.filter(({ kind }) => kind === 'agents')
  return [
    ...runs.map(frame),
    ...lines.map(sideLine),
    ...arrows.map(arrow),
    ...groups.map(frame),
    ...loops.map(loop),
    ...cards.map(card),
    ...labels.map((one) =>
      label(one, `class="lg-mono" font-size="${labelFont.size}" fill="${colorOf(one.color)}"`, 11),
    ),
  ]
}

const colorOf = (color: number | undefined) => (color === undefined ? grey : (lineColors[color] ?? grey))

function frame({ kind, x, y, width, height, text }: Frame): string {
  const look = kind === 'run' ? 'fill-opacity="0.07"' : 'fill-opacity="0.1" stroke-dasharray="4 4"'
  return [
    `<rect ${place({ x, y, width, height })} rx="12" fill="${grey}" stroke="${grey}" stroke-opacity="0.45" ${look}/>`,
    label(text, `class="lg-sans" font-size="12" font-weight="600" fill="${grey}"`, 13),
  ].join('')
}

function card({ kind, title, texts, mark, ...box }: Card & Box): string {
  const { x, y, height } = box
  // Where lines need a higher card, its text stays in the middle.
  const last = Math.max(...texts.map((text) => text.y)) + 14
  const top = y + Math.max(0, (height - last) / 2) * (kind === 'agent' ? 0 : 1)
  return [
    `<g><title>${escapeXml(title)}</title>`,
    `<rect ${place(box)} rx="9" class="lg-card"/>`,
    `<rect ${place({ x, y: y + 10, width: 4, height: height - 20 })} rx="2" class="lg-${kind}"/>`,
    mark ? `<rect ${place({ ...mark, x: x + mark.x, y: top + mark.y })} rx="9" class="lg-mark-box"/>` : '',
    ...texts.map(({ tone, text, x: left, y: line }) => {
      const { size, mono, bold } = fonts[tone]
      const classes = `lg-${mono ? 'mono' : 'sans'} lg-${classOf(tone, kind)}`
      const look = `class="${classes}" font-size="${size}"${bold ? ' font-weight="700"' : ''}${extras[tone] ?? ''}`
      return `<text x="${round(x + left)}" y="${round(top + line)}" ${look}>${escapeXml(text)}</text>`
    }),
    '</g>',
  ].join('')
}

const extras: Partial<Record<Tone, string>> = { kind: ' letter-spacing="0.6"', mark: ' text-anchor="middle"' }

const classOf = (tone: Tone, kind: Card['kind']) => (tone === 'kind' ? kind : tone)

function arrow({ x, from, to }: Arrow): string {
  const end = to - 8
  return (
    `<path d="M${round(x)} ${round(from)}V${round(end)}" fill="none" stroke="${grey}" stroke-width="2"/>` +
    `<path d="M${round(x - 5)} ${round(end)}h10l-5 8z" fill="${grey}"/>`
  )
}

const CORNER = 9

function loop({ x, from, to }: Loop): string {
  const [right, end] = [round(from.x), round(to.x - 8)]
  const r = Math.min(CORNER, (from.y - to.y) / 2)
  const way = `M${right} ${round(from.y)}H${round(x + r)}q${-r} 0 ${-r} ${-r}V${round(to.y + r)}q0 ${-r} ${r} ${-r}H${end}`
  return (
    `<path d="${way}" fill="none" stroke="${loopColor}" stroke-width="1.8"/>` +
    `<path d="M${end} ${round(to.y - 4.5)}v9l8 -4.5z" fill="${loopColor}"/>`
  )
}

function sideLine({ x, from, to, color }: SideLine): string {
  const tint = colorOf(color)
  const out = `M${round(from.x)} ${round(from.y)}H${round(x - CORNER)}q${CORNER} 0 ${CORNER} ${CORNER}`
  const last = Math.max(...to.map(({ y }) => y))
  const ways = to.map(({ x: left, y }) => {
    const start =
      y === last
        ? `M${round(x)} ${round(from.y + CORNER)}V${round(y - CORNER)}`
        : `M${round(x)} ${round(y - CORNER)}`
    return `${start}q0 ${CORNER} ${-CORNER} ${CORNER}H${round(left + 8)}`
  })
  const heads = to.map(({ x: left, y }) => `M${round(left + 8)} ${round(y - 4)}v8l-8 -4z`)
  return (
    `<path d="${out}${ways.join('')}" fill="none" stroke="${tint}" stroke-width="1.5"/>` +
    `<circle cx="${round(from.x)}" cy="${round(from.y)}" r="3" fill="${tint}"/>` +
    `<path d="${heads.join('')}" fill="${tint}"/>`
  )
}

const label = ({ text, x, y }: Label, look: string, baseline: number): string =>
  `<text x="${round(x)}" y="${round(y + baseline)}" ${look}>${escapeXml(text)}</text>`

const place = ({ x, y, width, height }: Box) =>
  `x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"`

const round = (number: number) => Math.round(number * 10) / 10

/** In words, for those who do not see it. */
function describeGraph({ inputs, runs }: Graph): string {
  const given = inputs.length > 0 ? [`Inputs: ${inputs.map(({ name }) => name).join(', ')}.`] : []
  const told = runs.map(({ name, limit, steps }) => {
    const repeated = limit === undefined ? '' : `, ${limitText(limit)}`
    return `RUN ${name}${repeated}: ${steps.map(stepText).join(', then ')}.`
  })
  return [...given, ...told].join(' ')
}

function stepText({ name, agents, limit, oversight }: Step): string {
  const facts = [
    ...(agents.length > 0 ? [`agents ${agents.map((agent) => agent.name).join(', ')}`] : []),
    ...(limit === undefined ? [] : [limitText(limit)]),
    ...(oversightText[oversight] ? [oversightText[oversight]] : []),
  ]
  return facts.length > 0 ? `${name} (${facts.join('; ')})` : name
}

/** Text in XML: nothing opens or closes a tag, and what XML does not allow at all is shown as such. */
function escapeXml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
