import type * as z from 'zod'

import { operations } from '../../resources/index.ts'
import { listReferences } from '../../store/references.ts'
import type { Data } from '../../store/session-data.ts'
import { type Row, type TableName, tables } from '../../store/tables.ts'

export type Fields<T extends TableName> = Partial<Row<T>>

/** Some fields of a row; undefined ones are not given. */
export type GivenFields<T extends TableName> = { readonly [K in keyof Row<T>]?: Row<T>[K] | undefined }

export interface DraftContext<T extends TableName> {
  readonly data: Data
  readonly id: number
  readonly organizationId: string
  /** The record that is replaced or patched; undefined for a new one. */
  readonly before: Row<T> | undefined
  readonly isPatch: boolean
  readonly now: string
  readonly reject: (path: string, message: string) => void
}

export interface Owner<T extends TableName> {
  readonly field: keyof Row<T> & string
  readonly table: TableName
  readonly isOptional: boolean
}

export interface Contradiction {
  readonly path: string
  readonly message: string
}

interface FormRules<T extends TableName, I extends z.ZodType> {
  readonly input: I
  findOwner?(input: GivenFields<T>, data: Data): number | undefined
  canOwn?(owner: Row<TableName>): boolean
  /** Fields that a replaced record keeps besides its owner and key, because other records refer to it by them. */
  readonly identity?: readonly (keyof Row<T>)[]
  /** Converts the given record to fields of the row. Default: the fields as they are. */
  toFields?(input: z.output<I>, context: DraftContext<T>): GivenFields<T>
  defaults?(input: Fields<T>, now: string): Fields<T>
  /** Returns the fields to generate again, because a patch makes them obsolete. */
  regenerate?(before: Row<T>, patch: Fields<T>): readonly (keyof Row<T>)[]
  adjust?(row: Row<T>, input: Fields<T>, context: DraftContext<T>): Row<T>
  findContradictions?(row: Row<T>, input: Fields<T>, context: DraftContext<T>): readonly Contradiction[]
}

interface Definition<
  T extends TableName,
  S extends z.ZodType<object>,
  K extends keyof Row<T>,
  I extends z.ZodType,
> extends FormRules<T, I> {
  readonly operation: keyof typeof operations
  readonly shape: S
  readonly extras: readonly K[]
}

export interface RecordForm<
  T extends TableName = TableName,
  I extends z.ZodType = z.ZodType,
  R extends object = object,
> extends Omit<FormRules<T, I>, 'toFields'> {
  readonly table: T
  readonly shape: z.ZodType
  readonly extras: readonly (keyof Row<T> & string)[]
  readonly owner: Owner<T> | undefined
  readonly identity: readonly (keyof Row<T>)[]
  toFields(input: z.output<I>, context: DraftContext<T>): Fields<T>
  present(row: Row<T>, data: Data): unknown
  /** Converts a row to the record that GET returns. A PUT of the unchanged record gives the same row. */
  toRecord(row: Row<T>, data: Data): R
}

export function recordForm<
  T extends TableName,
  S extends z.ZodType<object>,
  K extends keyof Row<T> & string,
  I extends z.ZodType,
>(
  table: T,
  { operation, ...definition }: Definition<T, S, K, I>,
): RecordForm<T, I, z.output<S> & Pick<Row<T>, K>> {
  const { shape, extras, identity = [] } = definition
  const { resource } = operations[operation]
  const owner = findOwnerField(table)
  const present = (row: Row<T>, data: Data): unknown => resource.present(row, data)
  return {
    ...definition,
    table,
    owner,
    identity: [...listIdentityFields(table), ...identity],
    present,
    toFields: (input, context) => removeAbsent(table, definition.toFields?.(input, context) ?? input),
    toRecord: (row, data) => ({
      ...shape.parse(present(row, data)),
      ...pick(row, extras),
    }),
  }
}

function findOwnerField<T extends TableName>(table: T): Owner<T> | undefined {
  const owner = listReferences(table).find(({ isPart }) => isPart)
  if (!owner) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the path leads to a field of this table's row
  const field = owner.path[0] as keyof Row<T> & string
  return { field, table: owner.table, isOptional: owner.isOptional }
}

function listIdentityFields<T extends TableName>(table: T): readonly (keyof Row<T>)[] {
  const owners = listReferences(table).flatMap(({ isPart, path }) => (isPart ? path : []))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- paths and unique fields are fields of this table's row
  return [...owners, ...(tables[table].unique ?? [])] as (keyof Row<T>)[]
}

export function pick<R extends object, K extends keyof R>(row: R, fields: readonly K[]): Pick<R, K> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly these fields
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<R, K>
}

/** Removes undefined fields, and a long text that is null, which is generated when it is read. */
function removeAbsent<T extends TableName>(table: T, input: unknown): Fields<T> {
  const { longText } = tables[table]
  const entries = Object.entries(Object(input)).filter(
    ([name, value]) => value !== undefined && !(value === null && name === longText),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a form's `toFields`, or its input, has only fields of the row
  return Object.fromEntries(entries) as Fields<T>
}
