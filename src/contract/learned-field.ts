import * as z from 'zod'

import { isObject } from '../core/json.ts'
import { didYouMean } from '../core/nearest.ts'
import type { SchemaIssue } from './expand-schema.ts'
import type { JsonSchema } from './json-schema.ts'
import { getProvenance, type Provenance } from './provenance.ts'
import { listSources, type OwnShape } from './shapes.ts'

export type GenerateValue = (schema: JsonSchema, key: string, attempt: number) => unknown

interface Source {
  readonly path: readonly string[]
  readonly schema: z.ZodType
}

export interface LearnedField {
  readonly name: string
  readonly path: string
  readonly json: JsonSchema
  readonly schema: z.ZodType
  readonly source: Source | undefined
  readonly inner: readonly LearnedField[]
  readonly sample: unknown
}

export interface FieldContext {
  readonly name: string
  readonly own: OwnShape
  readonly generate: GenerateValue
  readonly issues: SchemaIssue[]
}

export function readFields(
  json: JsonSchema,
  context: FieldContext,
  path: readonly string[] = [],
): LearnedField[] {
  return Object.entries(json.properties ?? {}).map(([name, inner]) => {
    const place = [...path, name]
    const isAlone = inner.type === 'object'
    if (!isAlone && hasSourceWithin(inner)) {
      const message = 'has x-from within a list or an alternative. Give x-from to the field itself'
      context.issues.push({ path: toPlace(place), message })
    }
    const field: LearnedField = {
      name,
      path: place.join('.'),
      json: inner,
      schema: z.fromJSONSchema(toZodInput(inner)),
      source: findSource(inner, place, context),
      inner: isAlone ? readFields(inner, context, place) : [],
      sample: undefined,
    }
    const sample = buildValue(field, {}, 'sample', context)
    if (sample === undefined && context.issues.length === 0) {
      const message = 'has bounds that no generated value fits. Widen them, or list its values as enum'
      context.issues.push({ path: toPlace(place), message })
    }
    return { ...field, sample }
  })
}

function hasSourceWithin({ items, anyOf = [], oneOf = [] }: JsonSchema): boolean {
  return [...(items ? [items] : []), ...anyOf, ...oneOf].some(
    (part) =>
      part['x-from'] !== undefined ||
      hasSourceWithin(part) ||
      Object.values(part.properties ?? {}).some((one) => one['x-from'] !== undefined || hasSourceWithin(one)),
  )
}

function findSource(json: JsonSchema, place: readonly string[], context: FieldContext): Source | undefined {
  const { own, name, issues } = context
  const from = json['x-from']
  if (from === null) return undefined
  const path = from?.split('.') ?? place
  const schema = findField(own.schema, path) ?? (own.row && findField(own.row, path))
  if (schema) return { path, schema }
  if (from !== undefined) {
    const message = `must be a field of the sandbox's own ${name} (got ${from}). ${didYouMean(from, listSources(own))}`
    issues.push({ path: [...toPlace(place), 'x-from'], message })
  }
  return undefined
}

const ATTEMPTS = 30

export function buildValue(field: LearnedField, record: object, key: string, context: FieldContext): unknown {
  const { source, inner, json, path, sample } = field
  const own = source && toForeign(readAt(record, source.path)).find((value) => fits(field, value))
  if (own !== undefined) return own
  if (inner.length > 0) {
    const parts = inner.map((part) => [part.name, buildValue(part, record, key, context)])
    const value: unknown = Object.fromEntries(parts)
    if (fits(field, value)) return value
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const value = context.generate(json, `${context.name} ${key} ${path}`, attempt)
    if (value !== undefined && fits(field, value)) return value
  }
  return sample
}

export function restoreValue(
  { source, inner }: LearnedField,
  value: unknown,
  record: Record<string, unknown>,
): void {
  const own = fromForeign(value).find(
    (one) => source?.schema.safeParse(one).success && toForeign(one).some((form) => isSame(form, value)),
  )
  if (source && own !== undefined) writeAt(record, source.path, own)
  else if (isObject(value)) {
    for (const part of inner) if (part.name in value) restoreValue(part, value[part.name], record)
  }
}

export const fits = ({ schema }: Pick<LearnedField, 'schema'>, value: unknown): boolean =>
  schema.safeParse(value).success

function toForeign(value: unknown): unknown[] {
  if (value === undefined) return []
  if (value === '') return ['', null]
  if (typeof value === 'number') return [value, String(value)]
  return typeof value === 'string' && value.includes('T') ? [value, value.slice(0, 10)] : [value]
}

function fromForeign(value: unknown): unknown[] {
  if (value === null) return [null, '']
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? [value, Number(value)] : [value]
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export const readAt = (record: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (isObject(value) ? value[name] : undefined), record)

function writeAt(
  record: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    record[name] = value
    return
  }
  const inner = { ...Object(record[name]) }
  writeAt(inner, rest, value)
  record[name] = inner
}

function findField(schema: z.ZodType, [name = '', ...rest]: readonly string[]): z.ZodType | undefined {
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, name)) return undefined
  const field: z.ZodType = schema.shape[name]
  return rest.length === 0 ? field : findField(field, rest)
}

const toPlace = (path: readonly string[]): string[] => path.flatMap((name) => ['properties', name])

export function markFields(
  json: JsonSchema,
  marks: Provenance,
  fields: readonly LearnedField[] = [],
): object {
  const properties = Object.entries(json.properties ?? {}).map(([name, inner]) => {
    const field = fields.find((one) => one.name === name)
    const own = field?.source && getProvenance(field.source.schema)
    const shown = own?.['x-provenance'] === 'documented' ? own : marks
    return [name, { ...markFields(inner, marks, field?.inner), ...shown }]
  })
  return {
    ...json,
    ...(json.properties && { properties: Object.fromEntries(properties) }),
    ...(json.items && { items: markFields(json.items, marks) }),
    ...(json.anyOf && { anyOf: json.anyOf.map((one) => markFields(one, marks)) }),
    ...(json.oneOf && { oneOf: json.oneOf.map((one) => markFields(one, marks)) }),
  }
}

export const toZodInput = (json: object): z.core.JSONSchema.JSONSchema =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- in the keywords that zod knows
  json as z.core.JSONSchema.JSONSchema
