import * as z from 'zod'

import type { Settings } from './choices.ts'
import { partsOf } from './schema-parts.ts'
import { defaultSettings } from './settings.ts'

/** A schema as the settings make it, and how values come there from what they are by default, and back. */
export interface Variant {
  readonly schema: z.ZodType
  /** From the default form to this one. */
  readonly encode: Coder
  /** From this form to the default one; what fits neither is left as it is. */
  readonly decode: Coder
  /** Whether a field's form depends on other fields of its record. */
  readonly isByRecord?: boolean
}

type Coder = (value: unknown) => unknown

/** What settings make of a schema; undefined where it stays. */
export type Variation = (settings: Settings) => (Partial<Variant> & Pick<Variant, 'schema'>) | undefined

/** What settings make of the keys of an object: new names by old ones; undefined where they stay. */
export type Renaming = (settings: Settings) => Readonly<Record<string, string>> | undefined

/** A mark that stays with a schema whatever is said of it later; zod cannot type the functions themselves. */
const marks = z.registry<{ readonly variation: symbol }>()
const variations = new Map<symbol, Variation>()
const renamings = new Map<symbol, Renaming>()

function mark(schema: z.ZodType): symbol {
  const variation = Symbol('variation')
  marks.add(schema, { variation })
  return variation
}

const varied = (schema: z.ZodType, settings: Settings): ReturnType<Variation> =>
  variations.get(marks.get(schema)?.variation ?? Symbol('none'))?.(settings)

const renamed = (schema: z.ZodType, settings: Settings): ReturnType<Renaming> =>
  renamings.get(marks.get(schema)?.variation ?? Symbol('none'))?.(settings)

/** Says what settings make of a schema. */
export function varies<T extends z.ZodType>(schema: T, vary: Variation): T {
  variations.set(mark(schema), vary)
  return schema
}

/** Says what settings make of the keys of an object. */
export function renames<T extends z.ZodObject>(schema: T, rename: Renaming): T {
  renamings.set(mark(schema), rename)
  return schema
}

const same: Coder = (value) => value

/** Makes the variants of schemas under some settings; a schema that nothing changes is its own variant. */
export function variantsUnder(settings: Settings): (schema: z.ZodType) => Variant {
  if (settings === defaultSettings) return (schema) => ({ schema, encode: same, decode: same })
  const made = new Map<z.ZodType, Variant>()
  const variantOf = (schema: z.ZodType): Variant => {
    const known = made.get(schema)
    if (known) return known
    if (!isVaried(schema, settings)) return { schema, encode: same, decode: same }
    // A schema may contain itself.
    made.set(schema, {
      schema: z.lazy(() => found.schema),
      encode: (value) => found.encode(value),
      decode: (value) => found.decode(value),
    })
    const found = builtVariant(schema, settings, variantOf)
    made.set(schema, found)
    return found
  }
  return variantOf
}

/** Says whether settings change a schema, or anything in it. */
function isVaried(schema: z.ZodType, settings: Settings, seen = new Set<z.ZodType>()): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  if (varied(schema, settings) ?? renamed(schema, settings)) return true
  return partsOf(schema).some((part) => isVaried(part, settings, seen))
}

function builtVariant(
  schema: z.ZodType,
  settings: Settings,
  variantOf: (schema: z.ZodType) => Variant,
): Variant {
  const own = varied(schema, settings)
  const built = own ? through(own, variantOf(own.schema)) : variantOfParts(schema, settings, variantOf)
  const { id, ...meta } = schema.meta() ?? {}
  const isNamed = id === undefined || built.schema.meta()?.id !== undefined
  return { ...built, schema: built.schema.meta(isNamed ? meta : { ...meta, id }) }
}

/** What a variation makes of a schema, and other variations of what is in that. */
function through(own: Partial<Variant>, further: Variant): Variant {
  const { encode = same, decode = same, isByRecord = false } = own
  return {
    schema: further.schema,
    isByRecord,
    encode: (value) => further.encode(encode(value)),
    decode: (value) => decode(further.decode(value)),
  }
}

function variantOfParts(
  schema: z.ZodType,
  settings: Settings,
  variantOf: (schema: z.ZodType) => Variant,
): Variant {
  if (schema instanceof z.ZodObject) {
    return objectVariant(schema, renamed(schema, settings) ?? {}, variantOf)
  }
  const [part = schema] = partsOf(schema)
  const { schema: inner, encode, decode } = variantOf(part)
  if (schema instanceof z.ZodArray) {
    return { schema: z.array(inner), encode: eachOf(encode), decode: eachOf(decode) }
  }
  const wrapped = schema instanceof z.ZodNullable ? inner.nullable() : inner.optional()
  return { schema: wrapped, encode: present(encode), decode: present(decode) }
}

const eachOf =
  (code: Coder): Coder =>
  (value) =>
    Array.isArray(value) ? value.map(code) : value

const present =
  (code: Coder): Coder =>
  (value) =>
    value === null || value === undefined ? value : code(value)

function objectVariant(
  schema: z.ZodObject,
  names: Readonly<Record<string, string>>,
  variantOf: (schema: z.ZodType) => Variant,
): Variant {
  const fields = Object.entries<z.ZodType>(schema.shape).map(([name, field]) => {
    return { name, newName: names[name] ?? name, variant: variantOf(field) }
  })
  const shape = Object.fromEntries(fields.map(({ newName, variant }) => [newName, variant.schema]))
  const isStrict = schema.def.catchall instanceof z.ZodNever
  return {
    schema: isStrict ? z.strictObject(shape) : z.object(shape),
    encode: recoded(fields.map(({ name, newName, variant }) => [name, newName, variant.encode])),
    decode: recoded(fields.map(({ name, newName, variant }) => [newName, name, variant.decode])),
  }
}

/** Takes an object over key by key; keys that are not known stay. */
function recoded(fields: readonly (readonly [from: string, to: string, code: Coder])[]): Coder {
  const known = new Map(fields.map(([from, to, code]) => [from, { to, code }]))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const entries = Object.entries(value).map(([key, part]) => {
      const field = known.get(key)
      return field ? [field.to, field.code(part)] : [key, part]
    })
    return Object.fromEntries(entries)
  }
}
