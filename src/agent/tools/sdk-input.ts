import { isRecord } from '../../core/is-record.ts'
import { isStandardSchema, type Schema } from '../../schema/schema.ts'

/** What the AI SDK validates by. It may take its time, so that reading cannot wait for it. */
type Validate = (value: unknown) => Promise<unknown>

export interface SdkInput {
  readonly input: Schema | undefined
  /** Gives the value to run with, or rejects. */
  readonly validate?: Validate
}

/** A schema as the AI SDK takes it: that of a library, one made by `jsonSchema()` or `zodSchema()`, or a lazy one. */
export async function sdkInput(schema: unknown): Promise<SdkInput> {
  // arktype's schemas are functions too.
  if (isStandardSchema(schema)) return { input: schema }
  if (typeof schema === 'function') return sdkInput(schema())
  if (!isRecord(schema)) return { input: undefined }
  if (!('jsonSchema' in schema)) return { input: schema }
  const input = (await schema.jsonSchema) as Schema
  const { validate } = schema
  if (typeof validate !== 'function') return { input }
  return {
    input,
    async validate(value) {
      const checked = await validate(value)
      if (checked.success) return checked.value
      throw checked.error
    },
  }
}
