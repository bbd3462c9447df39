import * as z from 'zod'

import { isObject } from '../core/json.ts'
import type { Settings } from './choices.ts'
import { withRow } from './learned-values.ts'
import { defaultSettings } from './settings.ts'

export interface WireFormat {
  readonly schema: z.ZodType
  readonly encode?: Convert
  readonly decode?: Convert
  readonly isByRecord?: boolean
  readonly isLearned?: boolean
  readonly check?: Check
}

export interface Codec {
  readonly schema: z.ZodType
  /** Encodes every field that fits, and returns the rest unchanged; some formats need the row of the record. */
  readonly encode: (value: unknown, row?: object) => unknown
  readonly decode: Convert
  readonly isByRecord: boolean
  readonly isLearned: boolean
  readonly check: Check
}

type Check = (value: unknown) => readonly { readonly path: string; readonly message: string }[]

type Convert = (value: unknown) => unknown

type Adapt = (settings: Settings) => WireFormat | undefined

/** A key per schema, because clones of a schema keep their entry, and zod cannot type functions in a registry. */
const registry = z.registry<{ readonly key: symbol }>()
const adaptations = new Map<symbol, Adapt>()

function findFormat(schema: z.ZodType, settings: Settings): WireFormat | undefined {
  const entry = registry.get(schema)
  return entry && adaptations.get(entry.key)?.(settings)
}

export function adapt<T extends z.ZodType>(schema: T, change: Adapt): T {
  const key = Symbol('adaptation')
  const earlier = registry.get(schema)
  adaptations.set(
    key,
    (settings) => change(settings) ?? (earlier && adaptations.get(earlier.key)?.(settings)),
  )
  registry.add(schema, { key })
  return schema
}

export type Rename = (settings: Settings) => Readonly<Record<string, string>> | undefined

export function renameKeys<T extends z.ZodObject>(schema: T, rename: Rename): T {
  return adapt(schema, (settings) => {
    const names = rename(settings)
    if (!names || Object.entries(names).every(([name, newName]) => name === newName)) return undefined
    const former = Object.fromEntries(Object.entries(names).map(([name, newName]) => [newName, name]))
    const shape = Object.fromEntries(
      Object.entries(schema.shape).map(([name, field]) => [names[name] ?? name, field]),
    )
    const wire = withShape(schema, shape).meta(schema.meta() ?? {})
    return { schema: wire, encode: createRenamer(names), decode: createRenamer(former) }
  })
}

const createRenamer =
  (names: Readonly<Record<string, string>>): Convert =>
  (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [names[key] ?? key, part]))
      : value

function withShape(schema: z.ZodObject, shape: z.ZodRawShape): z.ZodObject {
  return schema.def.catchall instanceof z.ZodNever ? z.strictObject(shape) : z.object(shape)
}

export function createCodecs(settings: Settings): (schema: z.ZodType) => Codec {
  const schemas = new Map<z.ZodType, z.ZodType>()
  const adaptSchema = (schema: z.ZodType): z.ZodType => {
    const format = schemas.get(schema)
    if (format) return format
    if (settings === defaultSettings || !isAdapted(schema, settings)) return schema
    // A schema may contain itself.
    schemas.set(
      schema,
      z.lazy(() => built),
    )
    const built = withMeta(buildSchema(schema, settings, adaptSchema), schema)
    schemas.set(schema, built)
    return built
  }
  return (original) => {
    const schema = adaptSchema(original)
    if (schema === original) {
      const encode = identity
      return { schema, encode, decode: identity, check: () => [], isByRecord: false, isLearned: false }
    }
    const { isByRecord = false, isLearned = false } = findFormat(original, settings) ?? {}
    return {
      schema,
      encode: (value, row) => convert(schema, row ? withRow(value, row) : value, 'encode'),
      decode: (value) => convert(schema, value, 'decode'),
      check: (value) => check(schema, value),
      isByRecord,
      isLearned,
    }
  }
}

function isAdapted(schema: z.ZodType, settings: Settings, seen = new Set<z.ZodType>()): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  return (
    findFormat(schema, settings) !== undefined ||
    listInnerSchemas(schema).some((inner) => isAdapted(inner, settings, seen))
  )
}

const identity: Convert = (value) => value

function buildSchema(
  schema: z.ZodType,
  settings: Settings,
  adaptSchema: (schema: z.ZodType) => z.ZodType,
): z.ZodType {
  const format = findFormat(schema, settings)
  if (format) {
    const { encode = identity, decode = identity } = format
    const wire = adaptSchema(format.schema)
    if (format.check) checks.set(wire, format.check)
    if (encode === identity && decode === identity) return wire
    // The default form is validated when records are presented or arranged.
    return z.codec(wire, z.unknown(), { encode, decode })
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape)
    return withShape(schema, Object.fromEntries(fields.map(([name, field]) => [name, adaptSchema(field)])))
  }
  const [inner = schema] = listInnerSchemas(schema).map(adaptSchema)
  if (schema instanceof z.ZodArray) return z.array(inner)
  return schema instanceof z.ZodNullable ? inner.nullable() : inner.optional()
}

function withMeta(schema: z.ZodType, described: z.ZodType): z.ZodType {
  const { id, ...meta } = described.meta() ?? {}
  const isNamed = id === undefined || getWireSchema(schema).meta()?.id !== undefined
  return schema.meta(isNamed ? meta : { ...meta, id })
}

const checks = new WeakMap<z.core.$ZodType, Check>()

function check(schema: z.core.$ZodType, value: unknown, place = ''): ReturnType<Check> {
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return check(schema.unwrap(), value, place)
  }
  if (schema instanceof z.ZodCodec) {
    const own = checks.get(schema.def.in)
    if (!own) return check(schema.def.in, value, place)
    return own(value).map(({ path, message }) => ({
      path: place === '' ? path : `${place}.${path}`,
      message,
    }))
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((element, index) => check(schema.element, element, `${place}[${index}]`))
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) =>
    Object.hasOwn(schema.shape, name)
      ? check(schema.shape[name], part, place === '' ? name : `${place}.${name}`)
      : [],
  )
}

/** Converts every part that fits its codec. Zod itself converts complete and valid values only. */
function convert(schema: z.core.$ZodType, value: unknown, direction: 'encode' | 'decode'): unknown {
  if (schema instanceof z.ZodLazy) return convert(schema.unwrap(), value, direction)
  if (schema instanceof z.ZodCodec) {
    const { in: wire, transform, reverseTransform } = schema.def
    return direction === 'encode'
      ? convert(wire, reverseTransform(value, { value, issues: [] }), direction)
      : transform(convert(wire, value, direction), { value, issues: [] })
  }
  if (value === null || value === undefined) return value
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    return convert(schema.unwrap(), value, direction)
  }
  if (schema instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((element) => convert(schema.element, element, direction)) : value
  }
  if (!(schema instanceof z.ZodObject) || !isObject(value)) return value
  const entries = Object.entries(value).map(([key, part]) => {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined
    return [key, field ? convert(field, part, direction) : part]
  })
  return Object.fromEntries(entries)
}

export function getWireSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodCodec && schema.in instanceof z.ZodType ? getWireSchema(schema.in) : schema
}

function listInnerSchemas(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values<z.ZodType>(schema.shape)
  if (schema instanceof z.ZodArray) return [toSchema(schema.element)]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [toSchema(schema.unwrap())]
  return []
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod types inner schemas as those of its core
const toSchema = (schema: z.core.$ZodType): z.ZodType => schema as z.ZodType
