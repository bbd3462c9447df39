import * as z from 'zod'

import type { Codec } from '../../contract/codecs.ts'
import { invalidField, type SandboxError } from '../../core/errors.ts'
import { didYouMean } from '../../core/nearest.ts'
import { mapInSlices } from '../../core/slices.ts'
import type { Data } from '../../store/session-data.ts'
import { type Row, type TableName, tables } from '../../store/tables.ts'
import { pick } from './forms/form.ts'
import { forms } from './forms/forms.ts'
import type { CountItem, Counts, RecordCounts } from './types.ts'

const MAX_ITEMS = 1_000

export function countTables(records: readonly { readonly table: TableName }[]): RecordCounts {
  const counts: Partial<Record<TableName, number>> = {}
  for (const { table } of records) counts[table] = (counts[table] ?? 0) + 1
  return counts
}

export async function countRecords<T extends TableName>(
  table: T,
  requested: string | undefined,
  rows: readonly Row<T>[],
  data: Data,
  codec: Codec,
): Promise<Counts> {
  const { by, isDateTime } = findField(table, requested, codec)
  const readValue = createReader(table, by, data)
  const counted = new Map<CountItem['value'], CountItem>()
  await mapInSlices(rows, (row) => {
    const stored = readValue(row)
    const shown: unknown = isDateTime
      ? (typeof stored === 'string' ? stored : '').slice(0, 7)
      : Reflect.get(Object(codec.encode({ id: row.id, [by]: stored }, row)), by)
    const elements: readonly unknown[] = Array.isArray(shown) ? (shown.length > 0 ? shown : [null]) : [shown]
    for (const [value, item] of new Map(elements.map(toItem).map((one) => [one.value, one]))) {
      counted.set(value, { ...item, count: (counted.get(value)?.count ?? 0) + 1 })
    }
  })
  const items = [...counted.values()]
  const sorted = items.toSorted((x, y) => (isDateTime ? 0 : y.count - x.count) || compare(x.value, y.value))
  return { by, items: sorted.slice(0, MAX_ITEMS), totalCount: items.length, recordCount: rows.length }
}

function findField(table: TableName, by: string | undefined, { schema }: Codec) {
  const rows: Readonly<Record<string, z.ZodType>> = tables[table].row.shape
  const fields = schema instanceof z.ZodObject ? schema.shape : {}
  const shown: Readonly<Record<string, unknown>> = { ...fields, ...pick(rows, forms[table].extras) }
  const possible = Object.keys(shown).filter((name) => isCountable(shown[name]))
  if (by === undefined) throw byError(`is required. Known are ${possible.join(', ')}.`)
  if (!possible.includes(by))
    throw byError(`${by} is not a field of ${table} that can be counted. ${didYouMean(by, possible)}`)
  const value = unwrap(rows[by])
  return { by, isDateTime: value instanceof z.ZodType && value.meta()?.format === 'date-time' }
}

const byError = (message: string): SandboxError => invalidField('by', message, 'query')

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodLazy)
    return unwrap(schema.unwrap())
  // The first option is the value, the second an absent value.
  return schema instanceof z.ZodUnion ? unwrap(schema.options[0]) : schema
}

function isCountable(schema: unknown): boolean {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray) {
    const element = unwrap(inner.element)
    return !(element instanceof z.ZodArray) && isCountable(element)
  }
  if (inner instanceof z.ZodObject) return 'id' in inner.shape && 'name' in inner.shape
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

function toItem(value: unknown): Omit<CountItem, 'count'> {
  if (typeof value === 'object' && value !== null && 'id' in value) {
    return { value: Number(value.id), label: String(Reflect.get(value, 'name')) }
  }
  if (typeof value === 'number' || typeof value === 'boolean') return { value, label: String(value) }
  return typeof value === 'string' && value !== '' ? { value, label: value } : { value: null, label: 'none' }
}

function compare(a: CountItem['value'], b: CountItem['value']): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}
