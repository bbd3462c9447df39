import type * as z from 'zod'

import type { Data } from '../../store/session-data.ts'
import type { Row, TableName } from '../../store/tables.ts'
import { endpoints } from '../index.ts'

/** Some fields of a row. */
export type Fields<T extends TableName> = Partial<Row<T>>

/** What a given record stands among. */
export interface Among<T extends TableName> {
  readonly data: Data
  readonly id: number
  readonly organizationId: string
  /** The record that is replaced or changed; undefined for a new one. */
  readonly before: Row<T> | undefined
  /** Whether it keeps what is not given. */
  readonly isChanged: boolean
  /** The session's time. */
  readonly now: string
  /** Says that something given cannot be, and where. */
  readonly refuse: (path: string, message: string) => void
}

/** The record that another one belongs to, and that decides its organization. */
export interface Owner<T extends TableName> {
  readonly field: keyof Row<T> & string
  readonly table: TableName
  /** Whether a record may have none, as an automation at the top, and then stays in its organization. */
  readonly isOptional?: boolean
  /** The owner that something else tells. */
  readonly implied?: (given: Fields<T>, data: Data) => number | undefined
  /** Says that a record can be an owner. */
  readonly suits?: (owner: Row<TableName>) => boolean
}

/** What two fields of a row cannot be together. */
export interface Contradiction {
  readonly path: string
  readonly message: string
}

/** How a record is arranged: what GET shows of it, what may be given, and what follows from what. */
export interface FormRules<T extends TableName, I extends z.ZodType> {
  readonly table: T
  readonly row: z.ZodType<Row<T>>
  /** What may be given: the same form, every field optional, and the row's own spelling. */
  readonly input: I
  /** Absent where the record belongs to its organization alone. */
  readonly owner?: Owner<T>
  /** Fields that a replaced record keeps where they are not given; whatever refers to it refers to them. */
  readonly identity?: readonly (keyof Row<T>)[]
  /** The fields of the row that were given. */
  fields(given: z.output<I>, among: Among<T>): Fields<T>
  /** What a record has that is made now, where it is not given. */
  stamps?(given: Fields<T>, now: string): Fields<T>
  /** The fields to draw anew where a change leaves them without sense. */
  unsettled?(before: Row<T>, changed: Fields<T>): readonly (keyof Row<T>)[]
  /** The row with what was not given made to agree with what was. */
  settle?(row: Row<T>, given: Fields<T>, among: Among<T>): Row<T>
  /** What of the row contradicts the contract. */
  contradictions?(row: Row<T>, given: Fields<T>, among: Among<T>): readonly Contradiction[]
  /** The text that is drawn on reading where the row has none. */
  readonly drawn?: { readonly field: keyof Row<T>; readonly draw: (row: Row<T>, data: Data) => unknown }
}

interface Definition<
  T extends TableName,
  S extends z.ZodType<object>,
  E extends object,
  I extends z.ZodType,
> extends FormRules<T, I> {
  /** The operation that shows the record by itself. */
  readonly operation: string
  readonly shape: S
  /** What the row has beyond the shape. */
  readonly extras: (row: Row<T>) => E
}

/** How the records of a table are arranged. */
export interface RecordForm<
  T extends TableName = TableName,
  I extends z.ZodType = z.ZodType,
  R extends object = object,
> extends FormRules<T, I> {
  readonly shape: z.ZodType
  /** What GET shows of a row beyond the shape; its names are the same for every row. */
  extras(row: Row<T>): object
  /** Row to the service's shape, unchecked. */
  present(row: Row<T>, data: Data): unknown
  /** Row to what GET shows; PUT back unchanged, it gives the same row. */
  record(row: Row<T>, data: Data): R
}

/** Declares how the records of a table are arranged. */
export function recordForm<
  T extends TableName,
  S extends z.ZodType<object>,
  E extends object,
  I extends z.ZodType,
>(definition: Definition<T, S, E, I>): RecordForm<T, I, z.output<S> & E> {
  const { operation, shape, extras } = definition
  const endpoint = endpoints.find(({ id }) => id === operation)
  if (!endpoint) throw new TypeError(`Cannot show ${definition.table}: there is no operation ${operation}.`)
  const present = (row: Row<T>, data: Data): unknown => endpoint.resource.present(row, data)
  return {
    ...definition,
    present,
    record: (row, data) => ({ ...shape.parse(present(row, data)), ...extras(row) }),
  }
}

type Known<G extends object> = { [K in keyof G]?: Exclude<G[K], undefined> }

/** The entries of an object that have a value. */
export function known<G extends object>(given: G): Known<G> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only entries without a value are left out
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Known<G>
}
