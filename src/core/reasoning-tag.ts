import { holdBack } from './hold-back.ts'

/** Tags between which models think, as far as known. `◁think▷` stands for a tag with these brackets. */
export const reasoningTags: readonly string[] = [
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reflection',
  'scratchpad',
  '◁think▷',
]

/** What stands between thoughts that are shown together. */
export const betweenThoughts = '\n\n---\n\n'

const names = reasoningTags.map((name) => name.replace(/^◁|▷$/g, ''))
const starts = names.flatMap((name) => [`<${name}`, `</${name}`, `◁${name}`, `◁/${name}`])
const anyName = [...new Set(names)].join('|')
const tag = new RegExp(String.raw`[<◁](/?)(${anyName})(?:\s[^<>◁▷]{0,80})?[>▷]`, 'iy')
const partial = new RegExp(String.raw`^[<◁]/?(?:${anyName})(?:\s[^<>◁▷]{0,80})?$`, 'i')
const LONGEST = 100

export interface ReasoningTag {
  readonly closes: boolean
  /** In lower case. */
  readonly name: string
  readonly size: number
}

/** Whether a tag may begin with this character. */
export const opensTag = (c: number): boolean => c === 60 || c === 0x25c1

/** The reasoning tag at an offset; `undefined`: there is none; `wait`: more text is needed to tell. */
export function reasoningTag(text: string, at: number, ending: boolean): ReasoningTag | 'wait' | undefined {
  tag.lastIndex = at
  const [whole, slash, name = ''] = tag.exec(text) ?? []
  if (whole !== undefined) return { closes: slash === '/', name: name.toLowerCase(), size: whole.length }
  if (ending || text.length - at > LONGEST) return undefined
  const rest = text.slice(at)
  return partial.test(rest) || holdBack(rest.toLowerCase(), starts) === rest.length ? 'wait' : undefined
}
