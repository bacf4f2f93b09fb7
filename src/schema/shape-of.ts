import { format as formats } from '@cfworker/json-schema'
import { copySchema, invalid } from './copy-schema.ts'
import { apart, spreadInexact } from './exactness.ts'
import { jsonSchemaOf } from './json-schema-of.ts'
import { mergeSchemas } from './merge-schemas.ts'
import { isStandardSchema, type Schema } from './schema.ts'
import {
  bare,
  beyondShapes,
  constOf,
  hasType,
  identified,
  isScalar,
  notesOf,
  pick,
  regExp,
  restricts,
  type SchemaNode,
  type SubSchema,
  saysNothing,
  strings,
  typeKeywords,
  unescapeStep,
  without,
} from './schema-node.ts'
import type {
  AnyShape,
  ArrayShape,
  EnumMember,
  FieldShape,
  NumberBounds,
  ObjectShape,
  Shape,
  StreamWish,
  UnionShape,
} from './shape.ts'

/** What a schema says, as far as it guides reading. Throws a LegibleError when the schema itself is broken. */
export function shapeOf(schema: Schema): Shape {
  return buildShape(copySchema(jsonSchemaOf(schema, true), true), isStandardSchema(schema))
}

type Draft<T extends Shape = Shape> = { -readonly [K in keyof T]: T[K] }

const maxDepth = 500

const guessable = ['object', 'array', 'string', 'number', 'duration']

const anything: AnyShape = Object.freeze({ kind: 'any', exact: true })

/**
 * Builds the shape of a copied JSON Schema. Schemas may refer to themselves, so every shape is registered before
 * its parts are built, and what depends on finished parts waits until all of them are there.
 */
export function buildShape(root: SubSchema, standard: boolean): Shape {
  const made = new Map<SchemaNode, Shape>()
  const all: Draft[] = []
  const copies: (() => void)[] = []
  const checks: (() => void)[] = []
  /** Shapes of schemas that also accept other types: they name none. */
  const guessed = new Set<Shape>()
  let ids: Map<string, SchemaNode> | undefined
  let depth = 0
  // Before 2019-09, whatever stands beside a $ref does not count.
  const refStandsAlone = typeof root === 'object' && /draft-0\d/.test(String(root.$schema))

  const shape = build(root, [])
  for (const copy of copies) copy()
  for (const check of checks) check()
  spreadInexact(all)
  return shape

  /** `open`: the schemas that are being read for this same value. Meeting one again would never end. */
  function build(schema: SubSchema, open: readonly SchemaNode[]): Shape {
    if (schema === true) return anything
    if (schema === false) return add({ kind: 'any', exact: false }, {})
    if (open.includes(schema)) throw invalid('#', 'a $ref leads back to itself')
    const known = made.get(schema)
    if (known) return known
    if (++depth > maxDepth) throw invalid('#', `nests more than ${maxDepth} schemas`)
    const shape = buildNode(schema, schema, [...open, schema])
    depth--
    return shape
  }

  /** `key`: the schema that `schema` was made from, under which others find its shape. */
  function buildNode(schema: SchemaNode, key: SchemaNode, open: readonly SchemaNode[]): Shape {
    const parts = schema.allOf as SubSchema[] | undefined
    const [first] = parts ?? []
    // How a $ref gets a description in draft-07: allOf with the reference alone.
    if (parts?.length === 1 && typeof first === 'object' && '$ref' in first && !restricts(schema, 'allOf'))
      return buildNode({ ...without(schema, 'allOf'), ...first }, key, open)

    if (typeof schema.$ref === 'string') {
      if (refStandsAlone || !restricts(schema, '$ref')) {
        const target = build(resolve(schema.$ref), open) as Draft
        const name = unescapeStep(schema.$ref.replace(/.*[/#]/, ''))
        if (name && target !== anything) target.name ??= name
        return note(target, notesOf(schema), key)
      }
      return buildMerged([{ $ref: schema.$ref }, without(schema, '$ref')])
    }
    if (parts) return buildMerged([without(schema, 'allOf'), ...parts])

    const choice = schema.oneOf ? 'oneOf' : 'anyOf'
    const variants = schema[choice] as SubSchema[] | undefined
    if (variants?.length) {
      const members = variants.map((variant) => constOf(variant, schema.type))
      if (members.every((member) => member !== undefined)) {
        const exact =
          choice === 'anyOf' || new Set(members.map((member) => member.value)).size === members.length
        return add({ kind: 'enum', members, exact: exact && !restricts(schema, choice, 'type') }, schema, key)
      }
      const base = without(schema, choice)
      if (!restricts(base, 'type'))
        return buildUnion(variants, (shapes) => {
          const typed = schema.type === undefined || shapes.every(({ kind }) => kind === schema.type)
          return typed && (choice === 'anyOf' || (!shapes.some((one) => guessed.has(one)) && apart(shapes)))
        })
      // Properties that all variants share stand beside them.
      if (variants.every((variant) => pick(resolved(variant), 'properties'))) {
        const merged = variants.map((variant) => mergeSchemas([bare(base), variant], resolved, open).schema)
        return buildUnion(merged, () => false)
      }
    }

    const values = 'const' in schema ? [schema.const] : schema.enum
    if (Array.isArray(values)) return buildEnum(values)

    const types = schema.type
    if (Array.isArray(types) && types.length !== 1)
      return buildUnion(
        types.map((type) => ({ ...bare(schema), type })),
        () => true,
      )
    const type = Array.isArray(types) ? types[0] : types
    const exact = !beyondShapes.some((word) => word in schema) && schema.uniqueItems !== true
    const javascript = standard && schema['x-js']
    if (javascript === 'date' || javascript === 'bigint')
      return add({ kind: javascript, exact: true }, schema, key)
    if (javascript) return add({ kind: 'any', exact: false }, schema, key)
    const hints = typeKeywords.filter((group) => group.some((word, index) => index > 0 && word in schema))
    switch (type ?? (hints.length === 1 ? hints[0]?.[0] : undefined)) {
      case 'object':
        return buildObject(exact)
      case 'array':
        return buildArray(exact)
      case 'string':
        return buildString(exact)
      case 'number':
      case 'integer':
        return buildNumber(exact)
      case 'boolean':
        return add({ kind: 'boolean', exact }, schema, key)
      case 'null':
        return add({ kind: 'null', exact }, schema, key)
      case undefined:
        return add({ kind: 'any', exact: exact && hints.length === 0 }, schema, key)
      default:
        throw invalid('#', `there is no type ${JSON.stringify(type)}`)
    }

    function buildMerged(all: SubSchema[]): Shape {
      const merged = mergeSchemas(all, resolved, open)
      const shape = buildNode(merged.schema, key, [...open, ...merged.used])
      if (merged.exact) return shape
      // That one is everybody's.
      if (shape === anything) return note(shape, {}, key, true)
      checks.push(() => {
        shape.exact = false
      })
      return shape
    }

    function buildUnion(
      variants: readonly SubSchema[],
      exactWhen: (shapes: readonly Shape[]) => boolean,
    ): Shape {
      const [only] = variants
      if (variants.length === 1 && only !== undefined)
        return note(build(only, open), notesOf(schema), key, restricts(schema, choice))
      const union = add<UnionShape>({ kind: 'union', variants: [], exact: true }, schema, key)
      union.variants = variants.map((variant) => build(variant, open))
      checks.push(() => {
        union.exact &&= exactWhen(union.variants)
      })
      return union
    }

    function buildEnum(values: unknown[]): Shape {
      const ofType = values.filter((value) => schema.type === undefined || hasType(value, schema.type))
      if (!ofType.length || !ofType.every(isScalar)) return add({ kind: 'any', exact: false }, schema, key)
      const exact = !restricts(schema, 'const' in schema ? 'const' : 'enum', 'type')
      if (ofType.length === 1 && ofType[0] === null) return add({ kind: 'null', exact }, schema, key)
      const said = schema['x-enum-descriptions'] ?? schema['x-enumDescriptions'] ?? schema.enumDescriptions
      const aliases = schema['x-alias']
      const members = ofType.map((value): EnumMember => {
        // By name, or in the order of the members.
        const description = pick(said, Array.isArray(said) ? values.indexOf(value) : String(value))
        return {
          value,
          ...(typeof description === 'string' && { description }),
          aliases: Array.isArray(aliases) ? [] : strings(pick(aliases, String(value))),
        }
      })
      return add({ kind: 'enum', members, exact }, schema, key)
    }

    function buildObject(exact: boolean): Shape {
      const fields = new Map<string, FieldShape>()
      const object = add<ObjectShape>(
        { kind: 'object', fields, required: 0, additional: anything, exact },
        schema,
        key,
      )
      const rest = schema.additionalProperties as SubSchema | undefined
      if (rest !== undefined) object.additional = rest !== false && build(rest, [])

      const properties = (schema.properties ?? {}) as Record<string, SubSchema>
      const required = new Set(strings(schema.required))
      forbid(object, properties, schema.patternProperties)
      for (const [name, property] of Object.entries(properties)) {
        if (property === false && !required.has(name)) continue
        const aliases = wish(property, 'x-alias')
        fields.set(name, {
          shape: build(property, []),
          required: required.has(name),
          aliases: strings(aliases).filter((alias) => !Object.hasOwn(properties, alias)),
          stream: streamWish(wish(property, 'x-stream')),
        })
      }
      const names = schema.propertyNames as SubSchema | undefined
      const keys = names === undefined ? {} : resolved(names)
      const listed = strings(pick(keys, 'enum'))
      if (object.additional)
        for (const name of new Set([...required, ...listed]))
          if (!fields.has(name))
            fields.set(name, {
              shape: object.additional,
              required: required.has(name),
              aliases: [],
              stream: undefined,
            })
      if (listed.length && ![...fields.keys()].some((name) => !listed.includes(name)))
        object.additional = false
      else if (!saysNothing(keys)) object.exact = false
      for (const field of fields.values()) if (field.required) object.required++
      if (required.size !== object.required) object.exact = false
      return object
    }

    function buildArray(exact: boolean): Shape {
      const { items, prefixItems, additionalItems } = schema as Record<
        string,
        SubSchema | SubSchema[] | undefined
      >
      const tuple = Array.isArray(items) ? items : (prefixItems as SubSchema[] | undefined)
      const rest = (Array.isArray(items) ? additionalItems : items) as SubSchema | undefined
      const prefix: Shape[] = []
      const bounds = numbers({ minItems: 'minItems', maxItems: 'maxItems' })
      const array = add<ArrayShape>({ kind: 'array', items: anything, prefix, ...bounds, exact }, schema, key)
      for (const item of tuple ?? []) prefix.push(build(item, []))
      if (rest !== undefined) array.items = rest !== false && build(rest, [])
      if (Array.isArray(items) && prefixItems) array.exact = false
      return array
    }

    function buildString(exact: boolean): Shape {
      const { format } = schema
      const pattern = regExp(schema.pattern)
      const check = typeof format === 'string' && Object.hasOwn(formats, format) && formats[format]
      return add(
        {
          kind: 'string',
          ...(typeof format === 'string' && { format }),
          ...numbers({ minLength: 'minLength', maxLength: 'maxLength' }),
          ...(pattern && { pattern }),
          ...(check && { check }),
          exact: exact && (schema.pattern === undefined || pattern?.unicode === true),
        },
        schema,
        key,
      )
    }

    function buildNumber(exact: boolean): Shape {
      const bounds: NumberBounds = {
        integer: type === 'integer',
        ...numbers({
          minimum: 'min',
          maximum: 'max',
          exclusiveMinimum: 'exclusiveMin',
          exclusiveMaximum: 'exclusiveMax',
          multipleOf: 'multipleOf',
        }),
      }
      // draft-04 has true and false here.
      const odd = typeof (schema.exclusiveMinimum ?? schema.exclusiveMaximum) === 'boolean'
      const kind = schema.format === 'duration' ? 'duration' : 'number'
      return add({ kind, ...bounds, exact: exact && !odd }, schema, key)
    }

    function numbers(names: Record<string, string>): Record<string, number> {
      const found: Record<string, number> = {}
      for (const keyword in names) {
        const value = schema[keyword]
        if (typeof value === 'number') found[names[keyword] as string] = value
      }
      return found
    }
  }

  function add<S extends Shape>(shape: S, schema: SchemaNode, key = schema): Draft<S> {
    const noted = Object.assign(shape, notesOf(schema)) as Draft<S>
    all.push(noted as Draft)
    if (schema.type === undefined && guessable.includes(shape.kind)) guessed.add(noted as Shape)
    made.set(key, noted as Shape)
    return noted
  }

  /** The same shape under other words. Its parts may still be missing, so it is copied at the end. */
  function note(shape: Shape, notes: Partial<Shape>, key: SchemaNode, inexact = false): Shape {
    const known = Object.keys(notes).every(
      (name) => shape[name as keyof Shape] === notes[name as keyof Shape],
    )
    if (known && !inexact) {
      made.set(key, shape)
      return shape
    }
    const copy = { exact: !inexact } as Draft
    all.push(copy)
    copies.push(() => {
      Object.assign(copy, shape, notes, inexact && { exact: false })
      if (guessed.has(shape)) guessed.add(copy)
    })
    made.set(key, copy)
    return copy
  }

  function resolved(schema: SubSchema): SubSchema {
    let node = schema
    for (let hops = 0; typeof node === 'object' && typeof node.$ref === 'string'; hops++) {
      if (hops > 64) throw invalid('#', `the $ref ${node.$ref} leads back to itself`)
      node = resolve(node.$ref)
    }
    return node
  }

  function resolve(ref: string): SubSchema {
    let node: unknown = root
    if (/^#(\/|$)/.test(ref)) {
      for (const step of ref.split('/').slice(1)) node = pick(node, unescapeStep(step))
    } else {
      ids ??= identified(root)
      node = ids.get(ref)
    }
    if (typeof node !== 'boolean' && (typeof node !== 'object' || node === null || Array.isArray(node)))
      throw invalid('#', `the $ref ${JSON.stringify(ref)} leads nowhere`)
    return node as SubSchema
  }

  /** A wish of a property: on its schema, on what that refers to, or on the part of it that is not null. */
  function wish(schema: SubSchema, name: string, hops = 0): unknown {
    if (typeof schema === 'boolean' || hops > 8) return undefined
    if (schema[name] !== undefined) return schema[name]
    if (typeof schema.$ref === 'string') return wish(resolve(schema.$ref), name, hops + 1)
    const variants = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as SubSchema[] | undefined
    const solid = variants?.filter((variant) => typeof variant !== 'object' || variant.type !== 'null')
    return solid?.length === 1 ? wish(solid[0] as SubSchema, name, hops + 1) : undefined
  }
}

function streamWish(value: unknown): StreamWish | undefined {
  return value === 'done' || value === 'not-null' || value === 'state' ? value : undefined
}

/** `{ secret: false }`: the key must not be there. */
function forbid(shape: Draft<ObjectShape>, properties: Record<string, SubSchema>, byPattern: unknown): void {
  const names = Object.keys(properties).filter((name) => properties[name] === false)
  const patterns = Object.entries((byPattern ?? {}) as Record<string, unknown>).flatMap(([source, below]) => {
    const pattern = below === false ? regExp(source) : undefined
    return pattern ? [pattern] : []
  })
  if (names.length > 0 || patterns.length > 0) shape.forbidden = { names: new Set(names), patterns }
}
