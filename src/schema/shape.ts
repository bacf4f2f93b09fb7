/**
 * What a schema says, as far as it guides reading. Made by `shapeOf` from zod, any Standard Schema with JSON
 * Schema, or plain JSON Schema; read by the JSON reader, the section bodies and the prompt writers.
 * The user's own schema still has the last word: a Shape never rejects what it does not understand.
 */
export type Shape =
  | AnyShape
  | StringShape
  | NumberShape
  | BigIntShape
  | BooleanShape
  | NullShape
  | EnumShape
  | DateShape
  | DurationShape
  | ArrayShape
  | ObjectShape
  | UnionShape

interface ShapeBase {
  readonly description?: string
  /** The schema's `default`; `undefined` when there is none. */
  readonly default?: unknown
  /** The first of the schema's `examples`; `undefined` when there is none. */
  readonly example?: unknown
  /** What the schema calls it: its `title`, or its name among the definitions. */
  readonly name?: string
  /**
   * True when the shape says all that the JSON Schema says, below it too: a value that `fits` needs no further
   * validation against that. Recursive shapes are exact when all their parts are. What a schema library checks
   * beyond JSON Schema is not in here: see `CompiledSchema.exact`.
   */
  exact: boolean
}

export interface AnyShape extends ShapeBase {
  readonly kind: 'any'
}

export interface StringShape extends ShapeBase {
  readonly kind: 'string'
  /** As JSON Schema names it: `date`, `date-time`, `time`, `duration`, `email`, `uuid`, … */
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: RegExp
  /** How the validator checks the format; absent when it does not. */
  readonly check?: (text: string) => boolean
}

export interface NumberShape extends ShapeBase, NumberBounds {
  readonly kind: 'number'
}

export interface NumberBounds {
  readonly integer: boolean
  readonly min?: number
  readonly max?: number
  readonly exclusiveMin?: number
  readonly exclusiveMax?: number
  readonly multipleOf?: number
}

interface BigIntShape extends ShapeBase {
  readonly kind: 'bigint'
}

interface BooleanShape extends ShapeBase {
  readonly kind: 'boolean'
}

interface NullShape extends ShapeBase {
  readonly kind: 'null'
}

/** `enum` and `const`: scalars only (others are `any`, not exact). */
export interface EnumShape extends ShapeBase {
  readonly kind: 'enum'
  readonly members: readonly EnumMember[]
}

export interface EnumMember {
  readonly value: string | number | boolean | null
  readonly description?: string
  /** Other words that mean this member. */
  readonly aliases: readonly string[]
}

/** A JavaScript `Date` (zod's `z.date()`). A date that stays text is a string with a format. */
interface DateShape extends ShapeBase {
  readonly kind: 'date'
}

/** A number of milliseconds (`{ type: 'number', format: 'duration' }`). One that stays text is a string. */
interface DurationShape extends ShapeBase, NumberBounds {
  readonly kind: 'duration'
}

export interface ArrayShape extends ShapeBase {
  readonly kind: 'array'
  /** For every element after the prefix; `false`: there are none. */
  items: Shape | false
  readonly prefix: readonly Shape[]
  readonly minItems?: number
  readonly maxItems?: number
}

export interface ObjectShape extends ShapeBase {
  readonly kind: 'object'
  /** In the order of the schema; those that are required but not declared come last. */
  readonly fields: ReadonlyMap<string, FieldShape>
  /** How many of the fields are required. */
  readonly required: number
  /** For keys that are not fields; `false`: there are none; an `any` shape when the schema is silent. */
  additional: Shape | false
  /** Keys that the schema does not let through, whatever their value; absent when there are none. */
  forbidden?: ForbiddenKeys
}

interface ForbiddenKeys {
  readonly names: ReadonlySet<string>
  readonly patterns: readonly RegExp[]
}

export interface FieldShape {
  readonly shape: Shape
  readonly required: boolean
  /** Other names under which a model may write the field. */
  readonly aliases: readonly string[]
  readonly stream: StreamWish | undefined
}

/**
 * How a field behaves while it streams (`x-stream`): `done`, shown only when complete; `not-null`, its parent
 * is not shown until it is there; `state`, shown as `{ value, state: 'incomplete' | 'complete' }`.
 */
export type StreamWish = 'done' | 'not-null' | 'state'

export interface UnionShape extends ShapeBase {
  readonly kind: 'union'
  variants: readonly Shape[]
}
