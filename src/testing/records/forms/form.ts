import * as z from 'zod'

import type { Settings } from '../../../contract/choices.ts'
import { instant, recordId, utcDateTime } from '../../../contract/fields.ts'
import type { Endpoint } from '../../../service/endpoint.ts'
import { type OperationId, operations } from '../../../service/index.ts'
import { listReferences, type TableReference } from '../../../store/references.ts'
import type { Data } from '../../../store/session-data.ts'
import { type Row, type TableName, tables } from '../../../store/tables.ts'
import { type Contradiction, lookupValue } from '../../../store/tables/define.ts'

export type Fields<T extends TableName> = Partial<Row<T>>

export type GivenFields<T extends TableName> = { readonly [K in keyof Row<T>]?: Row<T>[K] | undefined }

export interface DraftContext<T extends TableName> {
  readonly data: Data
  readonly id: number
  readonly organizationId: string
  readonly before: Row<T> | undefined
  readonly isPatch: boolean
  readonly now: string
  readonly settings: Settings
  readonly reject: (path: string, message: string) => undefined
}

interface FormRules<T extends TableName, I extends z.ZodType> {
  /** By default, the fields of the table's row. */
  readonly input?: I
  findOwner?(input: GivenFields<T>, data: Data): number | undefined
  canOwn?(owner: Row<TableName>): boolean
  /** Fields that a replaced record keeps besides its owner and key, because other records refer to it by them. */
  readonly identity?: readonly (keyof Row<T>)[]
  toFields?(input: z.output<I>, context: DraftContext<T>): GivenFields<T>
  defaults?(input: Fields<T>, now: string): Fields<T>
  regenerate?(before: Row<T>, patch: Fields<T>): readonly (keyof Row<T>)[]
  adjust?(row: Row<T>, input: Fields<T>, context: DraftContext<T>): Row<T>
  findLateDates?(row: Row<T>, input: Fields<T>, context: DraftContext<T>): readonly Contradiction[]
}

export interface RecordForm<
  T extends TableName = TableName,
  I extends z.ZodType = z.ZodType,
  R extends object = object,
> extends Omit<FormRules<T, I>, 'input' | 'toFields'> {
  readonly input: I
  readonly table: T
  readonly shape: z.ZodType
  readonly extras: readonly (keyof Row<T> & string)[]
  /** The record that it is a part of, with the field that has its id. */
  readonly owner:
    | (Pick<TableReference, 'table' | 'isOptional'> & { readonly field: keyof Row<T> & string })
    | undefined
  readonly identity: readonly (keyof Row<T>)[]
  toFields(input: z.output<I>, context: DraftContext<T>): Fields<T>
  present(row: Row<T>, data: Data): unknown
  /** Converts a row to the record that GET returns. A PUT of the unchanged record gives the same row. */
  toRecord(row: Row<T>, data: Data): R
}

/**
 * @param definition.operation the operation that shows such a record
 * @param definition.extras fields that it does not show, but the record has, besides the organization
 */
export function recordForm<
  T extends TableName,
  O extends OperationId,
  K extends keyof Row<T> & string = never,
  I extends z.ZodType = z.ZodObject<InputFields<T>>,
>(
  table: T,
  { operation, ...definition }: FormRules<T, I> & { readonly operation: O; readonly extras?: readonly K[] },
): RecordForm<T, I, z.output<(typeof operations)[O]['shape']> & Pick<Row<T>, K | 'organizationId'>> {
  const { identity = [] } = definition
  const extras = ['organizationId' as const, ...(definition.extras ?? [])]
  const { resource, shape }: Endpoint = operations[operation]
  const parts = listReferences(table).filter(({ isPart }) => isPart)
  const [link] = parts
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- paths and unique fields are fields of this table's row
  const toField = (name: string | undefined) => name as keyof Row<T> & string
  const owner = link && { field: toField(link.path[0]), table: link.table, isOptional: link.isOptional }
  const references = [...parts.flatMap(({ path }) => path), ...(tables[table].unique ?? [])]
  const present = (row: Row<T>, data: Data): unknown => resource.present(row, data)
  return {
    ...definition,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the default of its type
    input: definition.input ?? (z.strictObject(inputFields(table)) as unknown as I),
    table,
    shape,
    extras,
    owner,
    identity: [...references.map(toField), ...identity],
    present,
    toFields: (input, context) => removeAbsent(table, definition.toFields?.(input, context) ?? input),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of that operation
    toRecord: (row, data) => ({ ...Object(shape.parse(present(row, data))), ...pick(row, extras) }) as never,
  }
}

export function pick<R extends object, K extends keyof R>(row: R, fields: readonly K[]): Pick<R, K> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly these fields
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<R, K>
}

/** Lists the fields that a row lacks if they are null in the input. */
export function listRemoved(table: TableName, input: unknown): string[] {
  const { shape }: z.ZodObject = tables[table].row
  return Object.entries(Object(input)).flatMap(([name, value]) => {
    const field: z.ZodType | undefined = shape[name]
    return value === null && field?.isOptional() && !field.isNullable() ? name : []
  })
}

function removeAbsent<T extends TableName>(table: T, input: unknown): Fields<T> {
  const removed = listRemoved(table, input)
  const entries = Object.entries(Object(input)).filter(
    ([name, value]) => value !== undefined && !removed.includes(name),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a form's `toFields`, or its input, has only fields of the row
  return Object.fromEntries(entries) as Fields<T>
}

export const notLater = (path: string, now: string): Contradiction => ({
  path,
  message: `must not be after the session's time, which is ${now}`,
})

const instantInput = utcDateTime
  .refine((text) => !/\.\d{4}/.test(text), 'must not be finer than a millisecond')
  .transform((text) => new Date(text).toISOString())

export const optionalText = z
  .string()
  .nullable()
  .transform((text) => (text === '' ? null : text))

export const optionalInstant = optionalText.pipe(instantInput.nullable())

type RowShape<T extends TableName> = (typeof tables)[T]['row']['shape']

type InputFields<T extends TableName> = {
  [K in keyof RowShape<T>]: z.ZodOptional<Extract<RowShape<T>[K], z.ZodType>>
}

/** Derives the input fields from a table's row: all optional, dates in any form that the document allows. */
export function inputFields<T extends TableName>(table: T): InputFields<T> {
  const fields = Object.entries<z.ZodType>(tables[table].row.shape).map(([name, field]) => {
    const isNullable = field instanceof z.ZodNullable && field.unwrap() === instant
    const input = field === instant ? instantInput : isNullable ? optionalInstant : field
    return [name, (name === 'organizationId' ? z.string() : input).optional()]
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field converts what it accepts to the row's type
  return Object.fromEntries(fields) as InputFields<T>
}

export function convertInput<Input, S extends z.ZodType>(
  schema: S,
  convert: (input: unknown) => unknown,
): z.ZodType<z.output<S>, Input> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- zod does not know the input type of a preprocessing function
  return z.preprocess(convert, schema) as z.ZodType<z.output<S>, Input>
}

/** A value of a catalogue; null, "" or its "none" entry if absent. Source: assumption A-09. */
export function optionalLookup(none: z.infer<typeof lookupValue>) {
  const isNone = (value: unknown): boolean => {
    if (value === '') return true
    const lookup = lookupValue.safeParse(value)
    return lookup.success && lookup.data.id === none.id && lookup.data.name === none.name
  }
  return convertInput<z.input<typeof lookupValue> | '' | null, z.ZodNullable<typeof lookupValue>>(
    lookupValue.nullable(),
    (input) => (isNone(input) ? null : input),
  )
}

/** Another record, by id or embedded; further fields of an embedded record are ignored. */
export function recordInput<S extends z.ZodObject>(
  embedded: S,
): z.ZodType<number, number | (Partial<z.input<S>> & { readonly id: number })> {
  const schema: z.ZodObject = z.strictObject({ ...embedded.partial().shape, id: recordId })
  const id = schema.transform((record) => recordId.parse(record['id']))
  return convertInput(id, (input) => (typeof input === 'number' ? { id: input } : input))
}
