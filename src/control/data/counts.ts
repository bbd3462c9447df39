import * as z from 'zod'

import { invalidRequest, type SandboxError } from '../../contract/errors.ts'
import { didYouMean } from '../../contract/nearest.ts'
import type { Variant } from '../../contract/variation.ts'
import { forms } from '../../resources/records/index.ts'
import type { Data } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import type { CountItem, Counts } from './data.ts'

/** How many items are answered at most, the one for the rest among them. */
const MOST = 1_000

/** A field that records can be counted by. */
interface Field {
  /** What it is called in the session. */
  readonly by: string
  /** What it is called where nothing is assumed otherwise. */
  readonly name: string
  readonly isDateTime: boolean
}

/** What counting needs to know besides the rows. */
export interface Counting {
  readonly data: Data
  /** The form of the collection's records in the session. */
  readonly variant: Variant
}

/** Counts rows of a collection by a field of what GET shows of them. Errors: invalid_request that names `by`. */
export function countsOf<T extends TableName>(
  table: T,
  asked: string | undefined,
  rows: readonly Row<T>[],
  { data, variant }: Counting,
): Counts {
  const { by, name, isDateTime } = fieldOf(table, asked, variant)
  const valueOf = variant.isByRecord
    ? encodedReader(table, by, data, variant)
    : valueReader(table, name, data)
  const groups = new Map<unknown, { value: unknown; count: number }>()
  const add = (value: unknown, key: unknown): void => {
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { value, count: 1 })
  }
  for (const row of rows) {
    const value = valueOf(row)
    if (isDateTime) add(monthOf(value), monthOf(value))
    else if (!Array.isArray(value)) add(value, keyOf(value))
    else if (value.length === 0) add(value, null)
    else for (const [key, element] of new Map(value.map((each) => [keyOf(each), each]))) add([element], key)
  }
  const shown = (value: unknown) => {
    if (isDateTime) return value
    if (variant.isByRecord) return Array.isArray(value) ? value[0] : value
    return encoded(name, value, variant)
  }
  const items = merged(
    Array.from(groups.values(), ({ value, count }) => ({ ...itemOf(shown(value)), count })),
  )
  const sorted = items.toSorted((a, b) => (isDateTime ? 0 : b.count - a.count) || compared(a.value, b.value))
  return { by, items: cut(sorted), totalCount: items.length, recordCount: rows.length }
}

/** The field that `by` names. Errors: invalid_request. */
function fieldOf(table: TableName, by: string | undefined, variant: Variant): Field {
  const fields = fieldsOf(table, variant)
  const possible = Array.from(fields).flatMap(([name, field]) => (field ? [name] : []))
  const field = by === undefined ? undefined : fields.get(by)
  if (field) return field
  if (by === undefined) throw refusal(`is required. Known are ${possible.join(', ')}.`)
  if (!fields.has(by)) throw refusal(`${by} is no field of ${table}. ${didYouMean(by, possible)}`)
  throw refusal(
    `${by} has values without id and name, which cannot be counted. Known are ${possible.join(', ')}.`,
  )
}

const refusal = (message: string): SandboxError => invalidRequest([{ in: 'query', name: 'by', message }])

/** Every field of what GET shows, by its name in the session; undefined where it cannot be counted by. */
function fieldsOf(table: TableName, { schema, encode }: Variant): ReadonlyMap<string, Field | undefined> {
  const form = forms[table]
  const [names, variants, rows] = [shapeOf(form.shape), shapeOf(schema), shapeOf(form.row)]
  const fields = Object.keys(names).map((name) => {
    // An empty list is what every form takes, since only what is in a list is looked at.
    const [newName = name] = Object.keys(Object(encode({ [name]: [] })))
    return [newName, { name, schema: variants[newName] }] as const
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- which fields it takes over depends on no row
  const further = Object.keys(form.extras({} as never)).map(
    (name) => [name, { name, schema: rows[name] }] as const,
  )
  return new Map(
    [...fields, ...further].map(([by, field]) => {
      const isDateTime = unwrapped(rows[field.name])?.meta()?.format === 'date-time'
      return [by, isCountable(field.schema) ? { by, name: field.name, isDateTime } : undefined]
    }),
  )
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {}
}

function unwrapped(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodLazy) {
    const inner: unknown = schema.unwrap()
    return inner instanceof z.ZodType ? unwrapped(inner) : undefined
  }
  // A value, or something else where there is none.
  if (schema instanceof z.ZodUnion) {
    const [value]: readonly unknown[] = schema.options
    return value instanceof z.ZodType ? unwrapped(value) : undefined
  }
  return schema
}

function isCountable(schema: z.ZodType | undefined): boolean {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) {
    const element = unwrapped(inner.element instanceof z.ZodType ? inner.element : undefined)
    return !(element instanceof z.ZodArray) && isCountable(element)
  }
  if (inner instanceof z.ZodObject)
    return 'id' in inner.shape && ('label' in inner.shape || 'name' in inner.shape)
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodNull].some((type) => inner instanceof type)
}

/**
 * Reads a field of a row as GET shows it, before assumptions. Mostly the row has it; where it has null, every such row
 * is shown alike, so that one of them is enough; else it has to be presented.
 */
function valueReader<T extends TableName>(table: T, name: string, data: Data): (row: Row<T>) => unknown {
  const presented = (row: Row<T>): unknown => Reflect.get(Object(forms[table].present(row, data)), name)
  let absent: readonly [unknown] | undefined
  return (row) => {
    const value: unknown = Reflect.get(row, name)
    if (value !== null) return value === undefined ? presented(row) : value
    absent ??= [presented(row)]
    return absent[0]
  }
}

/** Reads a field of a row as GET shows it, after assumptions. */
function encodedReader<T extends TableName>(
  table: T,
  by: string,
  data: Data,
  { encode }: Variant,
): (row: Row<T>) => unknown {
  const form = forms[table]
  return (row) => Reflect.get(Object(encode({ ...Object(form.present(row, data)), ...form.extras(row) })), by)
}

const monthOf = (instant: unknown): string | null =>
  typeof instant === 'string' && instant !== '' ? instant.slice(0, 7) : null

/** What tells a value from others: of an object its id. */
const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value

function encoded(name: string, value: unknown, { encode }: Variant): unknown {
  const [shown]: unknown[] = Object.values(Object(encode({ [name]: value })))
  return Array.isArray(shown) ? shown[0] : shown
}

function itemOf(value: unknown): Omit<CountItem, 'count'> {
  if (typeof value === 'object' && value !== null && 'id' in value) {
    const label = 'label' in value ? value.label : Reflect.get(value, 'name')
    return { value: Number(value.id), label: String(label) }
  }
  if (typeof value === 'number' || typeof value === 'boolean') return { value, label: String(value) }
  return typeof value === 'string' && value !== '' ? { value, label: value } : { value: null, label: 'none' }
}

/** The items, those that are shown alike as one. */
function merged(items: readonly CountItem[]): CountItem[] {
  const found = new Map<CountItem['value'], CountItem>()
  for (const item of items) {
    const same = found.get(item.value)
    found.set(item.value, same ? { ...same, count: same.count + item.count } : item)
  }
  return [...found.values()]
}

/** Numbers by size, texts by their characters, what is absent last. */
function compared(a: CountItem['value'], b: CountItem['value']): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

function cut(items: readonly CountItem[]): CountItem[] {
  if (items.length <= MOST) return [...items]
  const rest = items.slice(MOST - 1)
  const count = rest.reduce((sum, item) => sum + item.count, 0)
  return [...items.slice(0, MOST - 1), { value: null, label: 'others', count, valueCount: rest.length }]
}
