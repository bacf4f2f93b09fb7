import type { Program } from '../../agentfile/run/program.ts'
import { columns } from '../../core/columns.ts'
import type { Paint } from '../paint.ts'
import { clip } from './clip.ts'
import { isOver, type RunNode, stateOf } from './run-node.ts'
import type { TreeRow } from './tree-rows.ts'
import { count, duration } from './words.ts'

const spinner = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']
/** How long each of its signs is seen. */
export const SPIN_TIME = 100

/** Where things stand in a line. */
export interface Layout {
  /** Columns of the window that are used. */
  readonly width: number
  /** Where that begins which is behind the names. */
  readonly details: number
  readonly paint: Paint
}

const LEAST_DETAILS = 27
const MOST_DETAILS = 44
/** Lines are read more easily when their ends are not far away. */
const WIDEST = 120
const TIME = 9
const TOKENS = 15

/** The names of a program stand under each other, with what follows them in a column of its own. */
export function layoutFor(program: Program, width: number, paint: Paint): Layout {
  const goals = program.goals.map(({ name }) => columns(name).width + 7)
  const agents = program.agents.map(({ name }) => columns(name).width + 10)
  const wanted = Math.min(MOST_DETAILS, Math.max(LEAST_DETAILS, ...goals, ...agents))
  return { width, details: Math.min(wanted, Math.floor(width * 0.4)), paint }
}

/** A line of the tree as it is written: safe, and never wider than the window. */
export function fitRow({ lead, node, more }: TreeRow, layout: Layout, now: number): string {
  const { width, paint } = layout
  if (!node) return paint.dim(clip(`${lead}… ${more} more`, width))
  if (node.kind === 'heading') return clip(`${lead}${node.label}`, width)
  const isNarrow = width < 40
  const room = isNarrow ? width : layout.details - 2
  const start = `${lead}${signOf(node, now)} `
  // In a window for nothing, the sign is worth more than the lines.
  if (start.length >= width) return paintSign(clip(signOf(node, now), width), node, paint)
  // Of those far below, at least something is seen.
  const name = clip(node.label, Math.min(width - start.length, Math.max(4, room - start.length)))
  const used = start.length + columns(name).width
  const head = `${paint.dim(lead)}${paintSign(signOf(node, now), node, paint)} ${name}`
  const end = isNarrow ? '' : endOf(node, width, now)
  const gap = isNarrow ? 2 : Math.max(2, layout.details - used)
  const detailRoom = Math.min(width, WIDEST) - used - gap - end.length
  const { text, isStream } = detailOf(node)
  const detail = detailRoom > 1 ? clip(text, detailRoom, isStream ? 'end' : 'start') : ''
  if (detailRoom < 0 || (detail === '' && end.trim() === '')) return head
  const shown = isOver(node) && node.state !== 'failed' ? detail : paint.dim(detail)
  const filled =
    end.trim() === '' ? shown : shown + ' '.repeat(Math.max(0, detailRoom - columns(detail).width))
  return `${head}${' '.repeat(gap)}${filled}${paint.dim(end.trimEnd())}`.trimEnd()
}

function detailOf(node: RunNode): { text: string; isStream: boolean } {
  if (isOver(node)) return { text: node.gave, isStream: false }
  if (node.doing !== '') return { text: node.doing, isStream: false }
  const { text } = node.tail
  if (text !== '') return { text, isStream: true }
  return { text: node.gave || node.plan, isStream: false }
}

/** `    1.2 s      812 tokens` */
function endOf(node: RunNode, width: number, now: number): string {
  const time = node.kind === 'note' ? '' : duration((node.ended ?? now) - node.started)
  const tokens = node.kind === 'goal' && node.tokens > 0 ? count(node.tokens, 'token') : ''
  const timeColumn = time.padStart(TIME)
  return width < 60 ? timeColumn : timeColumn + tokens.padStart(TOKENS)
}

function signOf(node: RunNode, now: number): string {
  switch (stateOf(node)) {
    case 'active':
      return spinner[Math.floor(now / SPIN_TIME) % spinner.length] as string
    case 'done':
      return '✓'
    case 'unconverged':
      return '!'
    case 'failed':
      return '✗'
    case 'waiting':
    case 'stopped':
      return '‖'
  }
}

function paintSign(sign: string, node: RunNode, paint: Paint): string {
  switch (stateOf(node)) {
    case 'active':
      return paint.cyan(sign)
    case 'done':
      return paint.green(sign)
    case 'failed':
      return paint.red(sign)
    default:
      return paint.yellow(sign)
  }
}

/** `research  solid-state batteries        rehearsal model (offline): see --model`: one line, or two where there is no room. */
export function headerLines(name: string, inputs: string, model: string, { width, paint }: Layout): string[] {
  const title = clip(name, width)
  const rest = Math.min(width, WIDEST) - columns(title).width
  const modelWidth = columns(model).width
  const given = clip(inputs, Math.max(0, rest - 2 - (rest > modelWidth + 20 ? modelWidth + 2 : 0)))
  const left = given === '' ? paint.bold(title) : `${paint.bold(title)}  ${given}`
  const gap = rest - (given === '' ? 0 : columns(given).width + 2) - modelWidth
  if (gap < 2) return [left, paint.dim(clip(model, width))]
  return [`${left}${' '.repeat(gap)}${paint.dim(clip(model, width))}`]
}
