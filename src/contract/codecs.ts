import * as z from 'zod'

import { isObject } from '../core/json.ts'
import { getOrCreate } from '../core/maps.ts'
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

/**
 * Creates the codecs of schemas under some settings. Under the default ones, every value keeps its form.
 * @param createFormat creates the form of a schema that has none by the settings
 */
export function createCodecs(
  settings: Settings,
  createFormat: (schema: z.ZodType) => WireFormat | undefined = () => undefined,
): (schema: z.ZodType) => Codec {
  const codecs = new Map<z.ZodType, Codec>()
  const formats = new Map<symbol, WireFormat | undefined>()
  // Clones have the same form, so that its schema is described once in an OpenAPI document.
  const findFormat = (schema: z.ZodType): WireFormat | undefined => {
    const { key } = registry.get(schema) ?? {}
    return key && getOrCreate(formats, key, () => adaptations.get(key)?.(settings))
  }
  const findCodec = (schema: z.ZodType): Codec => {
    const known = codecs.get(schema)
    if (known) return known
    // A schema may contain itself.
    codecs.set(schema, {
      schema: z.lazy(() => codec.schema),
      encode: (value, row) => codec.encode(value, row),
      decode: (value) => codec.decode(value),
    })
    const codec = createCodec(schema)
    codecs.set(schema, codec)
    return codec
  }
  const createCodec = (schema: z.ZodType): Codec => {
    const format = findFormat(schema) ?? createFormat(schema)
    const parts = combineCodecs(schema, findCodec)
    if (!format) return parts
    const { encode, decode, present = (record) => record } = format
    const wire = findCodec(format.schema)
    return {
      schema: withMeta(wire.schema, schema),
      encode: (value, row) =>
        present(encode ? wire.encode(encode(value, row), row) : parts.encode(value, row)),
      decode: (value) => (decode ? wire.decode(decode(value)) : parts.decode(value)),
    }
  }
  return settings === defaultSettings ? keepForm : findCodec
}

const keepForm = (schema: z.ZodType): Codec => ({
  schema,
  encode: (value) => value,
  decode: (value) => value,
})

/** Creates the codec of an object, list, or optional or nullable schema from those of its parts. */
function combineCodecs(schema: z.ZodType, findCodec: (part: z.ZodType) => Codec): Codec {
  const changed = rebuild(schema, (part) => findCodec(part).schema)
  if (changed === schema) return keepForm(schema)
  const convert = (value: unknown, convertPart: (codec: Codec, part: unknown) => unknown): unknown => {
    if (value === null || value === undefined) return value
    if (schema instanceof z.ZodObject) {
      if (!isObject(value)) return value
      const { shape } = schema
      return Object.fromEntries(
        Object.entries(value).map(([name, part]) => [
          name,
          Object.hasOwn(shape, name) ? convertPart(findCodec(shape[name]), part) : part,
        ]),
      )
    }
    const [inner = schema] = listParts(schema)
    if (!(schema instanceof z.ZodArray)) return convertPart(findCodec(inner), value)
    return Array.isArray(value) ? value.map((element) => convertPart(findCodec(inner), element)) : value
  }
  return {
    schema: withMeta(changed, schema),
    encode: (value, row) => convert(value, ({ encode }, part) => encode(part, row)),
    decode: (value) => convert(value, ({ decode }, part) => decode(part)),
  }
}

/** Creates an object, list, or optional or nullable schema anew if a part of it changes, with the same checks. */
export function rebuild<T extends z.ZodType>(schema: T, change: (part: z.ZodType) => z.ZodType): T {
  const parts = listParts(schema)
  const changed = parts.map(change)
  if (changed.every((part, index) => part === parts[index])) return schema
  const [inner = schema] = changed
  if (schema instanceof z.ZodArray) return schema.clone({ ...schema.def, element: inner })
  if (schema instanceof z.ZodOptional) return schema.clone({ ...schema.def, innerType: inner })
  if (schema instanceof z.ZodNullable) return schema.clone({ ...schema.def, innerType: inner })
  if (!(schema instanceof z.ZodObject)) return schema
  const fields = Object.keys(schema.shape).map((name, index) => [name, changed[index]])
  return schema.clone({ ...schema.def, shape: Object.fromEntries(fields) })
}

function listParts(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodObject) return Object.values<z.ZodType>(schema.shape)
  if (schema instanceof z.ZodArray) return [toSchema(schema.element)]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [toSchema(schema.unwrap())]
  return []
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod types inner schemas as those of its core
const toSchema = (schema: z.core.$ZodType): z.ZodType => schema as z.ZodType

function withMeta(schema: z.ZodType, described: z.ZodType): z.ZodType {
  const { id, ...meta } = described.meta() ?? {}
  return schema.meta(id === undefined || schema.meta()?.id !== undefined ? meta : { ...meta, id })
}
