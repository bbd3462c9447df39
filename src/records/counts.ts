import * as z from 'zod'

import { type Codec, getWireSchema } from '../contract/codecs.ts'
import { invalidRequest, type SandboxError } from '../core/errors.ts'
import { didYouMean } from '../core/nearest.ts'
import type { RecordCounts } from '../living/timeline-types.ts'
import type { Data } from '../store/session-data.ts'
import { type Row, type TableName, tables } from '../store/tables.ts'
import { pick } from './forms/form.ts'
import { forms } from './forms/forms.ts'
import type { CountItem, Counts } from './types.ts'

const MAX_ITEMS = 1_000

interface CountableField {
  readonly by: string
  readonly name: string
  readonly isDateTime: boolean
}

export function countTables(records: readonly { readonly table: TableName }[]): RecordCounts {
  const counts: Partial<Record<TableName, number>> = {}
  for (const { table } of records) counts[table] = (counts[table] ?? 0) + 1
  return counts
}

export function countRecords<T extends TableName>(
  table: T,
  requested: string | undefined,
  rows: readonly Row<T>[],
  data: Data,
  variant: Codec,
): Counts {
  const { by, name, isDateTime } = findField(table, requested, variant)
  const readValue = variant.isByRecord
    ? createEncodedReader(table, by, data, variant)
    : createReader(table, name, data)
  const groups = new Map<unknown, { value: unknown; count: number }>()
  const add = (value: unknown, key: unknown): void => {
    const group = groups.get(key)
    if (group) group.count += 1
    else groups.set(key, { value, count: 1 })
  }
  for (const row of rows) {
    const value = readValue(row)
    if (isDateTime) add(toMonth(value), toMonth(value))
    else if (!Array.isArray(value)) add(value, toKey(value))
    else if (value.length === 0) add(value, null)
    else for (const [key, element] of new Map(value.map((each) => [toKey(each), each]))) add([element], key)
  }
  const shown = (value: unknown) => {
    if (isDateTime) return value
    if (variant.isByRecord) return Array.isArray(value) ? value[0] : value
    const [encoded]: unknown[] = Object.values(Object(variant.encode({ [name]: value })))
    return Array.isArray(encoded) ? encoded[0] : encoded
  }
  // Values that differ in the dataset may be shown alike.
  const merged = new Map<CountItem['value'], CountItem>()
  for (const { value, count } of groups.values()) {
    const item = toItem(shown(value))
    const { count: earlier, ...same } = merged.get(item.value) ?? { ...item, count: 0 }
    merged.set(item.value, { ...same, count: earlier + count })
  }
  const items = [...merged.values()]
  const sorted = items.toSorted((a, b) => (isDateTime ? 0 : b.count - a.count) || compare(a.value, b.value))
  return { by, items: limit(sorted), totalCount: items.length, recordCount: rows.length }
}

function findField(table: TableName, by: string | undefined, variant: Codec): CountableField {
  const fields = listFields(table, variant)
  const possible = Array.from(fields).flatMap(([name, field]) => (field ? [name] : []))
  const field = by === undefined ? undefined : fields.get(by)
  if (field) return field
  if (by === undefined) throw byError(`is required. Known are ${possible.join(', ')}.`)
  if (!fields.has(by)) throw byError(`${by} is not a field of ${table}. ${didYouMean(by, possible)}`)
  throw byError(
    `${by} cannot be counted, because its values have no id and name. Known are ${possible.join(', ')}.`,
  )
}

const byError = (message: string): SandboxError => invalidRequest([{ in: 'query', name: 'by', message }])

function listFields(
  table: TableName,
  { schema, encode, isLearned }: Codec,
): ReadonlyMap<string, CountableField | undefined> {
  const form = forms[table]
  const [names, variants, rows] = [
    getShape(form.shape),
    getShape(getWireSchema(schema)),
    getShape(tables[table].row),
  ]
  const fields = Object.keys(isLearned ? variants : names).map((name) => {
    if (isLearned) return [name, { name, schema: variants[name] }] as const
    // Every codec accepts an empty list, because it encodes the elements only.
    const [newName = name] = Object.keys(Object(encode({ [name]: [] })))
    return [newName, { name, schema: variants[newName] }] as const
  })
  const further = form.extras.map((name) => [name, { name, schema: rows[name] }] as const)
  return new Map(
    [...fields, ...further].map(([by, field]) => {
      const isDateTime = unwrap(rows[field.name])?.meta()?.format === 'date-time'
      return [by, isCountable(field.schema) ? { by, name: field.name, isDateTime } : undefined]
    }),
  )
}

function getShape(schema: z.ZodType): Readonly<Record<string, z.ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {}
}

function unwrap(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodLazy) {
    const inner: unknown = schema.unwrap()
    return inner instanceof z.ZodType ? unwrap(inner) : undefined
  }
  // The first option is the value, the second an absent value.
  if (schema instanceof z.ZodCodec) return unwrap(getWireSchema(schema))
  if (schema instanceof z.ZodUnion) {
    const [value]: readonly unknown[] = schema.options
    return value instanceof z.ZodType ? unwrap(value) : undefined
  }
  return schema
}

function isCountable(schema: z.ZodType | undefined): boolean {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray) {
    const element = unwrap(inner.element instanceof z.ZodType ? inner.element : undefined)
    return !(element instanceof z.ZodArray) && isCountable(element)
  }
  if (inner instanceof z.ZodObject)
    return 'id' in inner.shape && ('label' in inner.shape || 'name' in inner.shape)
  return [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodNull].some((type) => inner instanceof type)
}

/** Reads a field as the default assumptions present it. All null values are presented alike, so the first result serves for all. */
function createReader<T extends TableName>(table: T, name: string, data: Data): (row: Row<T>) => unknown {
  const presentValue = (row: Row<T>): unknown => Reflect.get(Object(forms[table].present(row, data)), name)
  let absent: readonly [unknown] | undefined
  return (row) => {
    const value: unknown = Reflect.get(row, name)
    if (value !== null) return value === undefined ? presentValue(row) : value
    absent ??= [presentValue(row)]
    return absent[0]
  }
}

function createEncodedReader<T extends TableName>(
  table: T,
  by: string,
  data: Data,
  { encode }: Codec,
): (row: Row<T>) => unknown {
  const form = forms[table]
  return (row) =>
    Reflect.get(Object(encode({ ...Object(form.present(row, data)), ...pick(row, form.extras) }, row)), by)
}

const toMonth = (instant: unknown): string | null =>
  typeof instant === 'string' && instant !== '' ? instant.slice(0, 7) : null

const toKey = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value

function toItem(value: unknown): Omit<CountItem, 'count'> {
  if (typeof value === 'object' && value !== null && 'id' in value) {
    const label = 'label' in value ? value.label : Reflect.get(value, 'name')
    return { value: Number(value.id), label: String(label) }
  }
  if (typeof value === 'number' || typeof value === 'boolean') return { value, label: String(value) }
  return typeof value === 'string' && value !== '' ? { value, label: value } : { value: null, label: 'none' }
}

function compare(a: CountItem['value'], b: CountItem['value']): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

function limit(items: readonly CountItem[]): CountItem[] {
  if (items.length <= MAX_ITEMS) return [...items]
  const rest = items.slice(MAX_ITEMS - 1)
  const count = rest.reduce((sum, item) => sum + item.count, 0)
  return [...items.slice(0, MAX_ITEMS - 1), { value: null, label: 'others', count, valueCount: rest.length }]
}
