import * as z from 'zod'

import { isObject } from '../core/json.ts'
import type { Settings } from './choices.ts'
import { defaultSettings } from './settings.ts'

/** The form of a value under some settings. */
export interface WireFormat {
  readonly schema: z.ZodType
  /** Converts the default form; `row` is the row of the record that has the value, if it is known. */
  readonly encode?: (value: unknown, row: object | undefined) => unknown
  readonly decode?: (value: unknown) => unknown
  /** Converts a record whose fields are encoded. */
  readonly present?: (record: unknown) => unknown
}

export interface Codec {
  readonly schema: z.ZodType
  /** Encodes every field that fits, and returns the rest unchanged; some formats need the row of the record. */
  readonly encode: (value: unknown, row?: object) => unknown
  readonly decode: (value: unknown) => unknown
}

type Adapt = (settings: Settings) => WireFormat | undefined

/** A key per schema, because clones of a schema keep their entry, and zod cannot type functions in a registry. */
const registry = z.registry<{ readonly key: symbol }>()
const adaptations = new Map<symbol, Adapt>()

/** Declares the form of a schema under settings other than the default ones. */
export function adapt<T extends z.ZodType>(schema: T, change: Adapt): T {
  const key = Symbol('adaptation')
  adaptations.set(key, change)
  registry.add(schema, { key })
  return schema
}

/** @param createFormat creates the form of a schema that has none by the settings */
export function createCodecs(
  settings: Settings,
  createFormat: (schema: z.ZodType) => WireFormat | undefined = () => undefined,
): (schema: z.ZodType) => Codec {
  const formats = new Map<z.ZodType, WireFormat | undefined>()
  const findFormat = (schema: z.ZodType): WireFormat | undefined => {
    const known = formats.get(schema)
    if (known || formats.has(schema)) return known
    const { key } = registry.get(schema) ?? {}
    const format = (key && adaptations.get(key)?.(settings)) ?? createFormat(schema)
    formats.set(schema, format)
    return format
  }
  const schemas = new Map<z.ZodType, z.ZodType>()
  const adaptSchema = (schema: z.ZodType): z.ZodType => {
    const adapted = schemas.get(schema)
    if (adapted) return adapted
    if (settings === defaultSettings || !isAdapted(schema)) return schema
    // A schema may contain itself.
    schemas.set(
      schema,
      z.lazy(() => built),
    )
    const format = findFormat(schema)
    const built = withMeta(format ? adaptSchema(format.schema) : rebuild(schema, adaptSchema), schema)
    schemas.set(schema, built)
    return built
  }
  const isAdapted = (schema: z.ZodType, seen = new Set<z.ZodType>()): boolean => {
    if (seen.has(schema)) return false
    seen.add(schema)
    return (
      findFormat(schema) !== undefined || listInnerSchemas(schema).some((inner) => isAdapted(inner, seen))
    )
  }
  const encode = (schema: z.ZodType, value: unknown, row?: object): unknown => {
    const format = findFormat(schema)
    const encoded = format?.encode ? format.encode(value, row) : value
    const record = mapInner(format?.encode ? format.schema : schema, encoded, (inner, part) =>
      encode(inner, part, row),
    )
    return format?.present ? format.present(record) : record
  }
  const decode = (schema: z.ZodType, value: unknown): unknown => {
    const format = findFormat(schema)
    return format?.decode
      ? mapInner(format.schema, format.decode(value), decode)
      : mapInner(schema, value, decode)
  }
  return (schema) => {
    const adapted = adaptSchema(schema)
    if (adapted === schema) return { schema, encode: (value) => value, decode: (value) => value }
    return {
      schema: adapted,
      encode: (value, row) => encode(schema, value, row),
      decode: (value) => decode(schema, value),
    }
  }
}

/** Creates an object, list, or optional or nullable schema anew with changed parts, but the same checks. */
export function rebuild<T extends z.ZodType>(schema: T, change: (schema: z.ZodType) => z.ZodType): T {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape).map(([name, field]) => [name, change(field)])
    return schema.clone({ ...schema.def, shape: Object.fromEntries(fields) })
  }
  const [inner = schema] = listInnerSchemas(schema).map(change)
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: inner })
  if (schema instanceof z.ZodOptional) return schema.clone({ ...schema.def, innerType: inner })
  if (schema instanceof z.ZodNullable) return schema.clone({ ...schema.def, innerType: inner })
  return schema
}

function withMeta(schema: z.ZodType, described: z.ZodType): z.ZodType {
  const { id, ...meta } = described.meta() ?? {}
  return schema.meta(id === undefined || schema.meta()?.id !== undefined ? meta : { ...meta, id })
}

/** Converts the parts of a value by the schemas of the parts; parts without one stay as they are. */
function mapInner(
  schema: z.ZodType,
  value: unknown,
  convert: (schema: z.ZodType, part: unknown) => unknown,
): unknown {
  if (schema instanceof z.ZodObject) {
    if (!isObject(value)) return value
    const { shape } = schema
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [
        name,
        Object.hasOwn(shape, name) ? convert(shape[name], part) : part,
      ]),
    )
  }
  const [inner] = listInnerSchemas(schema)
  if (!inner || value === null || value === undefined) return value
  if (!(schema instanceof z.ZodArray)) return convert(inner, value)
  return Array.isArray(value) ? value.map((element) => convert(inner, element)) : value
}

function listInnerSchemas(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values<z.ZodType>(schema.shape)
  if (schema instanceof z.ZodArray) return [toSchema(schema.element)]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [toSchema(schema.unwrap())]
  return []
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod types inner schemas as those of its core
const toSchema = (schema: z.core.$ZodType): z.ZodType => schema as z.ZodType
