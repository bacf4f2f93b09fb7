import type { Issue } from '../../core/issue.ts'
import type { Limits } from '../../core/limits.ts'
import { createJsonReader } from '../../json/create-json-reader.ts'
import { readJson } from '../../json/read-json.ts'
import { compileSchema } from '../../schema/compile-schema.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Shape } from '../../schema/shape.ts'
import { JsonText, jsonText } from './json-text.ts'

export interface JsonAnswerOptions {
  readonly schema: Schema | undefined
  /** Text is written while it arrives, and not all of it at the end. */
  readonly streams: boolean
  readonly limits: Partial<Limits> | undefined
}

/** Makes clean JSON of an answer that shall be JSON, out of prose and fences, as far as its schema lets it. */
export class JsonAnswer {
  private readonly options: JsonAnswerOptions
  private readonly emit: (text: string) => void
  private readonly shape: Shape | undefined
  private readonly text: JsonText
  private readonly reader
  private written = ''
  private ended = false
  private plain: boolean | undefined

  constructor(options: JsonAnswerOptions, emit: (text: string) => void) {
    const { schema, streams, limits } = options
    this.options = options
    this.emit = emit
    this.shape = schema === undefined ? undefined : compileSchema(schema).shape
    this.text = new JsonText(this.shape, emit)
    this.reader = createJsonReader(schema, {
      limits,
      ...(streams && {
        onChange: (change) => {
          if (!this.ended && this.isPlain()) this.text.change(change)
        },
      }),
    })
  }

  /** Without a schema, an object in prose may be anything. One that stands first is the answer. */
  private isPlain(): boolean {
    this.plain ??= this.shape !== undefined || /^\s*(?:[{]|```|~~~)/.test(this.written)
    return this.plain
  }

  push(text: string): void {
    this.written += text
    this.reader.push(text)
  }

  /** What was wrong with it. `cut`: the model was not done. Half an answer must not pass for a whole one. */
  end(cut: boolean): readonly Issue[] {
    this.ended = true
    const read = this.reader.end()
    if (cut && !read.complete) {
      if (!this.text.leave()) this.emit(this.written)
    } else if (read.value !== undefined) this.text.end(read.value)
    else if (!this.text.leave()) this.emit(this.choice() ?? this.written)
    return read.issues
  }

  /** A model that is asked to choose may just say its choice. */
  private choice(): string | undefined {
    const { shape, written } = this
    if (shape?.kind !== 'object' || shape.fields.size !== 1) return undefined
    const [[name, field] = ['', undefined]] = shape.fields
    if (field?.shape.kind !== 'enum') return undefined
    const words = field.shape.members.map(({ value }) => value)
    const read = readJson(written.trim().replace(/\.$/, ''), { enum: words }, { limits: this.options.limits })
    return read.ok ? jsonText({ [name]: read.value }) : undefined
  }
}
