import * as z from 'zod'

import { toFieldErrors } from './issues.ts'
import type { JsonSchema, SchemaIssue } from './json-schema.ts'
import { isObject } from './json.ts'
import { didYouMean } from './nearest.ts'
import { getProvenance, type Provenance } from './provenance.ts'

/** Generates a value of a schema; the same for the same key and attempt. */
export type GenerateValue = (schema: JsonSchema, key: string, attempt: number) => unknown

/** The values of fields that only a learned shape has, by name; undefined for one that is generated again. */
export type LearnedValues = Readonly<Record<string, unknown>>

/** The values as a row stores them. */
export const learnedValues: z.ZodType<LearnedValues> = z.record(z.string(), z.unknown())

/** The keys of a record's row and of its learned values, in its default form; not part of the JSON. */
const [rowKey, learnedKey] = [Symbol('row'), Symbol('learned values')]

/** Adds the row of a record, which has fields and learned values that its default form lacks. */
export const withRow = (record: unknown, row: object): unknown =>
  isObject(record) ? { ...record, [rowKey]: row } : record

/** Returns the learned values of a decoded record; undefined if there are none. */
export function readLearned(record: unknown): LearnedValues | undefined {
  const values: unknown = isObject(record) ? Reflect.get(record, learnedKey) : undefined
  return isObject(values) ? values : undefined
}

/** Returns the field of a row that stores learned values, unless there is nothing to store. */
export function keepLearned(values: LearnedValues = {}): { readonly learned?: LearnedValues } {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined)
  return kept.length > 0 ? { learned: Object.fromEntries(kept) } : {}
}

/** The sandbox's own record that a learned shape replaces. */
export interface OwnShape {
  readonly schema: z.ZodObject
  /** The schema of the row, whose fields are available besides those of the record. */
  readonly row?: z.ZodObject
  /** Whether the record is part of another one, and so has no row that could store learned values. */
  readonly isPart?: boolean
}

/** A field of the sandbox's own record. */
interface Source {
  readonly path: readonly string[]
  readonly schema: z.ZodType
}

interface LearnedField {
  readonly name: string
  /** The place of the field in the record, as in `author.name`. */
  readonly path: string
  readonly json: JsonSchema
  readonly schema: z.ZodType
  /** The field that gives the value; undefined for a generated value. */
  readonly source: Source | undefined
  /** The fields of an object without a source. */
  readonly inner: readonly LearnedField[]
  /** A value that fits, if no other does. */
  readonly sample: unknown
}

/** The number of values to generate until one fits. */
const ATTEMPTS = 30

/**
 * The form of a record that its JSON Schema describes. Fields with the name of one of the sandbox's own fields, or with
 * its name as `x-from`, have its value if that fits. Others have a value that was arranged, or a generated one.
 */
export class LearnedShape {
  /** The wire format, whose fields are marked with their provenance. */
  readonly schema: z.ZodObject
  /** What is wrong with the schema; the shape can be used if there is nothing. */
  readonly issues: readonly SchemaIssue[]
  readonly isByRecord = true
  readonly isLearned = true
  readonly #name: string
  readonly #own: OwnShape
  readonly #generate: GenerateValue
  readonly #fields: ReadonlyMap<string, LearnedField>
  readonly #issues: SchemaIssue[] = []

  constructor(name: string, json: JsonSchema, own: OwnShape, marks: Provenance, generate: GenerateValue) {
    this.#name = name
    this.#own = own
    this.#generate = generate
    const fields = this.#readFields(json, [])
    this.#fields = new Map(fields.map((field) => [field.name, field]))
    if (json.type !== 'object' || json.properties === undefined) {
      this.#issues.push({ path: [], message: 'must describe an object, with its properties' })
    }
    this.#checkDocumented(json)
    const marked = z.fromJSONSchema(toZodInput(this.#mark(json, marks, fields)))
    this.schema = marked instanceof z.ZodObject ? marked : z.object({})
    this.issues = this.#issues
  }

  readonly encode = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const row: unknown = Reflect.get(value, rowKey)
    const record = { ...Object(row), ...value }
    const key = this.#identify(record)
    const stored = readLearned(value) ?? record['learned']
    const own: LearnedValues = isObject(stored) ? stored : {}
    const shown: Record<string, unknown> = {}
    for (const [name, field] of this.#fields) {
      const arranged = Object.hasOwn(own, name) ? own[name] : undefined
      const isUsable = arranged !== undefined && fits(field, arranged)
      shown[name] = isUsable ? arranged : this.#build(field, record, key)
    }
    // Fields of an arranged record that no shape has, like `organizationId`.
    for (const [name, part] of Object.entries(value)) {
      if (!Object.hasOwn(this.#own.schema.shape, name) && !this.#fields.has(name)) shown[name] = part
    }
    return shown
  }

  readonly decode = (value: unknown): unknown => {
    if (!isObject(value)) return value
    const parts = Object.entries(value)
    const record = Object.fromEntries(parts.filter(([name]) => !this.#fields.has(name)))
    const given = parts.flatMap(([name, part]) => {
      const field = this.#fields.get(name)
      return field ? [{ field, part }] : []
    })
    for (const { field, part } of given) restore(field, part, record)
    if (this.#own.isPart) this.#complete(record)
    const key = this.#identify(record)
    const learned = given.map(({ field, part }) => [
      field.name,
      isSame(this.#build(field, record, key), part) ? undefined : part,
    ])
    return { ...record, [learnedKey]: Object.fromEntries(learned) }
  }

  /** Finds fields of an arranged record that the shape cannot have. */
  readonly check = (value: unknown): { readonly path: string; readonly message: string }[] => {
    if (!isObject(value)) return []
    const kept = this.#own.isPart ? (readLearned(this.decode(value)) ?? {}) : {}
    return Object.entries(value).flatMap(([name, part]) => {
      const field = this.#fields.get(name)
      const issues = field?.schema.safeParse(part).error?.issues ?? []
      const errors = toFieldErrors(
        'body',
        issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })),
      )
      if (errors.length > 0) return errors.map((error) => ({ path: error.name, message: error.message }))
      if (kept[name] === undefined) return []
      const message = `cannot be arranged, because its value is generated. Leave it out, or give it x-from in shapes.${this.#name}`
      return [{ path: name, message }]
    })
  }

  #readFields(json: JsonSchema, path: readonly string[]): LearnedField[] {
    return Object.entries(json.properties ?? {}).map(([name, inner]) => {
      const place = [...path, name]
      const isRequired = json.required?.includes(name) ?? false
      const source = this.#findSource(inner, place)
      const isObjectAlone = inner.type === 'object'
      const parts = isObjectAlone ? this.#readFields(inner, place) : []
      if (!isObjectAlone) this.#rejectSources(inner, toPlace(place))
      const unsampled = {
        name,
        path: place.join('.'),
        json: inner,
        schema: z.fromJSONSchema(toZodInput(inner)),
        source,
        inner: parts,
        sample: undefined,
      }
      const sample = this.#build(unsampled, {}, 'sample')
      if (sample === undefined && (isRequired || source === undefined)) {
        const message = 'has bounds that no generated value fits. Widen them, or list its values as enum'
        if (this.#issues.length === 0) this.#issues.push({ path: toPlace(place), message })
      }
      return { ...unsampled, sample }
    })
  }

  /** Rejects `x-from` inside of lists and alternatives. */
  #rejectSources(json: JsonSchema, place: readonly PropertyKey[]): void {
    const inner = [json.items, ...(json.anyOf ?? []), ...(json.oneOf ?? [])]
    const holds = (part: JsonSchema | undefined): boolean =>
      part !== undefined &&
      (part['x-from'] !== undefined ||
        [
          part.items,
          ...(part.anyOf ?? []),
          ...(part.oneOf ?? []),
          ...Object.values(part.properties ?? {}),
        ].some(holds))
    if (!inner.some(holds)) return
    const message = 'has x-from within a list or an alternative. Give x-from to the field itself'
    this.#issues.push({ path: place, message })
  }

  #findSource(json: JsonSchema, place: readonly string[]): Source | undefined {
    const from = json['x-from']
    if (from === null) return undefined
    const path = from?.split('.') ?? place
    const schema = findField(this.#own.schema, path) ?? (this.#own.row && findField(this.#own.row, path))
    if (schema) return { path, schema }
    if (from !== undefined) {
      const message = `${from} is not a field of the sandbox's own ${this.#name}. ${didYouMean(from, listSources(this.#own))}`
      this.#issues.push({ path: [...toPlace(place), 'x-from'], message })
    }
    return undefined
  }

  /** Demands the fields that the document shows. */
  #checkDocumented(json: JsonSchema): void {
    for (const [name, schema] of Object.entries<z.ZodType>(this.#own.schema.shape)) {
      if (getProvenance(schema)?.['x-provenance'] !== 'documented') continue
      const field = this.#fields.get(name)
      const isLike = field?.source?.schema === schema && fits(field, schema instanceof z.ZodString ? 'a' : 1)
      if (isLike && json.required?.includes(name)) continue
      const path = ['properties', name]
      this.#issues.push({ path, message: 'must be required and as the document shows it' })
    }
  }

  #build(field: LearnedField, record: object, key: string): unknown {
    const { source, inner, json, path, sample } = field
    const own = source && toForeign(readAt(record, source.path)).find((value) => fits(field, value))
    if (own !== undefined) return own
    if (inner.length > 0) {
      const parts = Object.fromEntries(inner.map((part) => [part.name, this.#build(part, record, key)]))
      if (fits(field, parts)) return parts
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const value = this.#generate(json, `${this.#name} ${key} ${path}`, attempt)
      if (value !== undefined && fits(field, value)) return value
    }
    return sample
  }

  /** Identifies a record by its id, or by the values of its own fields. */
  #identify(record: Readonly<Record<string, unknown>>): string {
    if (typeof record['id'] === 'number') return String(record['id'])
    const values = Array.from(this.#fields.values(), ({ source }) => source && readAt(record, source.path))
    return JSON.stringify(values)
  }

  /** Adds the fields of its own that a part of another record needs, and the shape lacks. */
  #complete(record: Record<string, unknown>): void {
    for (const [name, schema] of Object.entries<z.ZodType>(this.#own.schema.shape)) {
      record[name] ??= ['', 0, 1].find((value) => schema.safeParse(value).success)
    }
  }

  #mark(json: JsonSchema, marks: Provenance, fields: readonly LearnedField[]): object {
    const properties = Object.entries(json.properties ?? {}).map(([name, inner]) => {
      const field = fields.find((one) => one.name === name)
      const own = field?.source && getProvenance(field.source.schema)
      const isDocumented = own?.['x-provenance'] === 'documented'
      return [name, { ...this.#mark(inner, marks, field?.inner ?? []), ...(isDocumented ? own : marks) }]
    })
    return {
      ...json,
      ...(json.properties && { properties: Object.fromEntries(properties) }),
      ...(json.items && { items: this.#mark(json.items, marks, []) }),
      ...(json.anyOf && { anyOf: json.anyOf.map((one) => this.#mark(one, marks, [])) }),
      ...(json.oneOf && { oneOf: json.oneOf.map((one) => this.#mark(one, marks, [])) }),
    }
  }
}

/** Lists the fields that give a value: those of the record, then those of its row. */
export function listSources({ schema, row }: OwnShape): string[] {
  const names = Object.keys({ ...schema.shape, ...row?.shape })
  return names.filter((name) => name !== 'learned')
}

const fits = ({ schema }: Pick<LearnedField, 'schema'>, value: unknown): boolean =>
  schema.safeParse(value).success

/** Lists the forms in which a value of the sandbox may fit another field. */
function toForeign(value: unknown): unknown[] {
  if (value === undefined) return []
  if (value === '') return ['', null]
  if (typeof value === 'number') return [value, String(value)]
  return typeof value === 'string' && value.includes('T') ? [value, value.slice(0, 10)] : [value]
}

/** Lists the values of the sandbox that may have given a value. */
function fromForeign(value: unknown): unknown[] {
  if (value === null) return [null, '']
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? [value, Number(value)] : [value]
}

function restore({ source, inner }: LearnedField, value: unknown, record: Record<string, unknown>): void {
  if (source) {
    const own = fromForeign(value).find(
      (one) => source.schema.safeParse(one).success && toForeign(one).some((form) => isSame(form, value)),
    )
    if (own !== undefined) return writeAt(record, source.path, own)
  }
  if (isObject(value)) {
    for (const part of inner) if (part.name in value) restore(part, value[part.name], record)
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const readAt = (record: unknown, path: readonly string[]): unknown =>
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

/** Returns the path in a JSON Schema of a field. */
const toPlace = (path: readonly string[]): string[] => path.flatMap((name) => ['properties', name])

/** Returns a schema as zod takes it, which knows no readonly lists. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON of the keywords that zod knows
const toZodInput = (json: object): z.core.JSONSchema.JSONSchema => json as z.core.JSONSchema.JSONSchema
