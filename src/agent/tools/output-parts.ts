import type { Media, ToolResult } from '../../tool/tool.ts'
import { toolResult } from '../../tool/tool-result.ts'

/** Collects what an output is made of, text in one place and media in the other. */
export class OutputParts {
  private readonly texts: string[] = []
  private readonly media: Media[] = []

  add(part: string | Media): void {
    if (typeof part === 'string') this.texts.push(part)
    else this.media.push(part)
  }

  get text(): string {
    return this.texts.join('\n')
  }

  /** `value`: what counts in place of the text. */
  result(value?: unknown): ToolResult {
    return toolResult({ text: value === undefined ? this.text : value, media: this.media })
  }
}
