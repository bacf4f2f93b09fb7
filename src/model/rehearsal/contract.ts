import type { Dialect } from '../../dialects/dialect.ts'
import type { TextFormat } from '../../text/format.ts'

/** A value to write: an example that fits, and whether words of the task may stand where it says `text`. */
export interface Template {
  readonly example: unknown
  /** Nothing is known that other words could violate: a length, a pattern. */
  readonly free: boolean
}

/** A tool that a prompt offers, with arguments that fit. */
export interface OfferedTool extends Template {
  readonly name: string
}

/** A section that a prompt asks for. */
export interface AskedSection {
  readonly name: string
  /** What stands in it: calls of tools, a value, or words. */
  readonly holds: 'calls' | 'value' | 'text'
  /** It ends the work: the answer. */
  readonly answers: boolean
  readonly optional: boolean
  readonly notation: 'JSON' | 'YAML'
  readonly template?: Template | undefined
}

/** How a prompt wants its replies to be written. */
export type Contract =
  | {
      readonly kind: 'sections'
      readonly format: TextFormat
      readonly sections: readonly AskedSection[]
      readonly tools: readonly OfferedTool[]
    }
  | {
      readonly kind: 'reply'
      readonly tools: readonly OfferedTool[]
      /** The text is a value. */
      readonly answer?: Template | undefined
    }
  | { readonly kind: 'plan'; readonly tools: readonly OfferedTool[]; readonly dependsOn: boolean }
  | {
      readonly kind: 'dialect'
      readonly row: Dialect
      /** The dialects that a prompt describes in the same words, this one among them: they differ in what comes around calls. */
      readonly alike: readonly Dialect[]
      readonly tools: readonly DialectTool[]
      /** The answer is a value. */
      readonly answer?: Template | undefined
    }
  | { readonly kind: 'json'; readonly template: Template; readonly tools: readonly [] }
  | { readonly kind: 'plain'; readonly tools: readonly [] }

/** Writing a dialect needs the schemas: text that looks like a number is marked as text. */
export interface DialectTool extends OfferedTool {
  readonly description: string
  readonly parameters: Record<string, unknown>
}

export const plain: Contract = { kind: 'plain', tools: [] }
