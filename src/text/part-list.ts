import { betweenThoughts } from '../core/reasoning-tag.ts'
import type { Part, Parts, SectionPart } from './format.ts'
import { foldName } from './name-table.ts'

/** The parts of a text, and the views that are derived from them. */
export class PartList implements Parts {
  readonly all: readonly Part[]

  constructor(all: readonly Part[]) {
    this.all = all
  }

  get(name: string): string[] {
    return this.sections(name).map(({ content }) => content.trim())
  }

  sections(name?: string): SectionPart[] {
    const folded = name === undefined ? undefined : foldName(name)
    return this.all.filter(
      (part): part is SectionPart =>
        part.kind === 'section' && (folded === undefined || foldName(part.name) === folded),
    )
  }

  toMap(): Map<string, string[]> {
    const map = new Map<string, string[]>()
    for (const { name, content } of this.sections()) {
      const contents = map.get(name)
      if (contents) contents.push(content.trim())
      else map.set(name, [content.trim()])
    }
    return map
  }

  get text(): string {
    return this.contents('text').join('').trim()
  }

  get reasoning(): string {
    return this.contents('reasoning')
      .map((content) => content.trim())
      .join(betweenThoughts)
  }

  private contents(kind: Part['kind']): string[] {
    return this.all.filter((part) => part.kind === kind).map(({ content }) => content)
  }
}
