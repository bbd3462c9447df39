import * as z from 'zod'

import { SandboxError } from '../core/errors.ts'
import { validationErrors } from '../core/issues.ts'
import { decodePiece, type JsonText } from '../core/json-steps.ts'
import { estimateLength, findLoneSurrogate, notWellFormed } from '../core/json.ts'
import type { Steps } from '../core/slices.ts'
import { actionLogs, automations, triggerLogs } from './tables/automations.ts'
import { briefContents, briefs } from './tables/briefs.ts'
import { customers } from './tables/customers.ts'
import type { Contradiction, IndexBy, Key, TableDefinition } from './tables/define.ts'
import { customFields, memberRoles, productMetrics, products } from './tables/definitions.ts'
import { meetings } from './tables/meetings.ts'
import { members, type OrganizationRow } from './tables/members.ts'
import { noteCategories, notes } from './tables/notes.ts'
import { signals } from './tables/signals.ts'

export const tables = {
  members,
  customers,
  signals,
  meetings,
  notes,
  automations,
  triggerLogs,
  actionLogs,
  briefs,
  briefContents,
  products,
  productMetrics,
  customFields,
  memberRoles,
  noteCategories,
}

export type TableName = keyof typeof tables

export const tableNames = Object.keys(tables).filter((name): name is TableName => name in tables)

export const nameRecord = (table: TableName, id: number): string => `${tables[table].noun} ${id}`

export type Row<T extends TableName> = z.infer<(typeof tables)[T]['row']>

export type Rows = { readonly [T in TableName]: readonly Row<T>[] }

/** Rows of a table that are generated when they are read; each is the same object whenever it is read. */
export interface LazyRows<T extends TableName> {
  /** Generates all rows, or those of a customer. Order: the table's. */
  generate(customerId?: number): Steps<readonly Row<T>[]>
  find(id: number): Steps<Row<T> | undefined>
  /** Lists the highest ids, which show the id of a new record. Order: ascending. */
  listLastIds(): readonly number[]
}

export type TableRows<T extends TableName> = readonly Row<T>[] | (() => readonly Row<T>[]) | LazyRows<T>

export interface DatasetContent {
  readonly generatedBy?: string | undefined
  readonly organizations: readonly OrganizationRow[]
  readonly rows: { readonly [T in TableName]: TableRows<T> }
  /** The lists of rows as `dataset.json` has them, if they need not be formatted. */
  readonly formatted?: Readonly<Record<TableName, JsonText>> | undefined
}

type Formatted = NonNullable<DatasetContent['formatted']>

type ReadRows = { readonly [T in TableName]: () => readonly Row<T>[] }

/** Reads the rows of formatted lists, each parsed when it is first read, since most programs never read all tables. */
export const readFormatted = (formatted: Formatted): ReadRows =>
  forEachTable<ReadRows>((name) => {
    let rows: readonly Row<typeof name>[] | undefined
    return () => (rows ??= JSON.parse(decodePiece(formatted[name].text)))
  })

export interface RecordPlace {
  readonly table: TableName
  readonly id: number
  readonly customerId?: number | undefined
}

/** A record after a write: null if it is gone, without a row if it is as in the dataset again. */
export type Change = {
  [T in TableName]: { readonly table: T; readonly id: number; readonly row?: Row<T> | null | undefined }
}[TableName]

export const toChange = (table: TableName, id: number, row: object | null | undefined): Change =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a change is a table, an id and that table's row
  ({ table, id, row }) as Change

type PlainField<R> = { [F in keyof R]-?: R[F] extends Key | null | undefined ? F : never }[keyof R]

type IndexNames = {
  [T in TableName]: (PlainField<Row<T>> | keyof NonNullable<(typeof tables)[T]['indexes']>) & string
}

/** A plain field of a table's rows, or a key that is derived from them. */
export type IndexName<T extends TableName> = IndexNames[T]

export function getKeys<T extends TableName>(table: T, index: IndexName<T>, row: Row<T>): readonly Key[] {
  const indexes: Readonly<Record<string, unknown>> | undefined = tables[table].indexes
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's own definition; TypeScript cannot follow the name through the union of all tables
  const derive = indexes?.[index] as IndexBy<Row<T>> | undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an index without a function is a plain field
  const keys = derive ? derive(row) : (row[index as keyof Row<T>] as Key | null | undefined)
  if (keys === null || keys === undefined) return []
  return typeof keys === 'object' ? keys : [keys]
}

interface Sortable {
  readonly id: number
  readonly createdDate?: string
}

/** Creates a function that compares rows of a table. Order: as in lists. */
export function comparison(table: TableName): (a: Sortable, b: Sortable) => number {
  if (!tables[table].isNewestFirst) return (a, b) => a.id - b.id
  return (a, b) => {
    const [left, right] = [a.createdDate ?? '', b.createdDate ?? '']
    if (left === right) return b.id - a.id
    return left < right ? 1 : -1
  }
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the type of each entry, which no argument can
export function forEachTable<M extends Readonly<Record<TableName, unknown>>>(
  make: (table: TableName) => unknown,
): M {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each name, made for that name
  return Object.fromEntries(tableNames.map((name) => [name, make(name)])) as M
}

/** Finds fields of a row that contradict each other. @param given the fields to name, rather than others */
export function findContradictions<T extends TableName>(
  table: T,
  row: Row<T>,
  given: Partial<Row<T>> = row,
): readonly Contradiction[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's own definition, as in getKeys
  const definition = tables[table] as unknown as TableDefinition<(typeof tables)[T]['row'], never>
  const found: Contradiction[] = []
  for (const fields of definition.dates ?? []) {
    let before = { path: '', date: '' }
    for (const path of fields) {
      if (row[path] === null) continue
      const date = String(row[path])
      if (before.date > date && given[path] === undefined)
        found.push({ path: before.path, message: `must not be after ${path}, which is ${date}` })
      else if (before.date > date)
        found.push({ path, message: `must not be before ${before.path}, which is ${before.date}` })
      before = { path, date }
    }
  }
  return [...found, ...(definition.findContradictions?.(row) ?? [])]
}

/** The longest record as JSON. Units: characters. */
export const MAX_LENGTH = 1_048_576

export const tooLong: string = `must not be longer than ${MAX_LENGTH} characters as JSON`

/** Refuses a record that is so long that reading it would make others wait, or that UTF-8 cannot encode. */
export const storable = <S extends z.ZodType>(record: S): S =>
  record.superRefine((value, context) => {
    if (estimateLength(value) > MAX_LENGTH) context.addIssue({ code: 'custom', message: tooLong })
    const path = findLoneSurrogate(value)
    if (path) context.addIssue({ code: 'custom', path, message: notWellFormed })
  })

/** Made when they are first used: a start makes 45 of 626 schemas less. */
export const rowSchemas = forEachTable<{ readonly [T in TableName]: z.ZodType<Row<T>> }>((name) =>
  z.lazy(() =>
    storable(tables[name].row).superRefine((row, context) => {
      for (const { path, message } of findContradictions(name, row))
        context.addIssue({ code: 'custom', path: [path], message })
    }),
  ),
)

/** The sizes of rows that were checked ahead. Rows never change. To keep one costs 1 µs, which a note would pay for nothing. */
const prepared = new WeakMap<object, number>()

/** Checks and measures a row ahead, so that the commit of many is short. Errors: internal_error. */
export function prepareRow(change: Change): void {
  const size = checkRows([change])
  if (change.row) prepared.set(change.row, size)
}

/** Estimates the size of a changed row. Units: bytes. */
export function estimateSize(row: object | null | undefined): number {
  return row ? (prepared.get(row) ?? estimateLength(row)) : row === null ? 4 : 0
}

/** Returns the size of rows that are going to be stored. Units: bytes. Errors: internal_error for one that a defect has made. */
export function checkRows(changes: readonly Change[]): number {
  let size = 0
  for (const { table, id, row } of changes) {
    size += estimateSize(row)
    if (!row || prepared.has(row)) continue
    const { error } = rowSchemas[table].safeParse(row)
    if (!error && row.id === id) continue
    const idMisfit = { name: 'id', message: `must be ${id}, the id of the change (got ${row.id})` }
    const [{ name, message } = idMisfit] = error
      ? validationErrors('body', rowSchemas[table], error.issues)
      : []
    throw new SandboxError('internal_error', `Cannot store ${nameRecord(table, id)}: ${name} ${message}.`)
  }
  return size
}
