import * as z from 'zod'

import type { AssumptionId } from '../contract/assumptions.ts'
import type { Settings } from '../contract/choices.ts'
import type { PathParameters } from '../contract/paths.ts'
import { SandboxError } from '../core/errors.ts'
import type { Clauses, Selection } from '../store/selection.ts'
import type { Data } from '../store/session-data.ts'
import type { Change, Row, TableName } from '../store/tables.ts'

export interface Resource<T extends TableName = TableName, S extends z.ZodType = z.ZodType> {
  readonly table: T
  readonly shape: S
  /** Other tables that the shape depends on: a change there changes the response. */
  readonly embeds: readonly TableName[]
  /** Presents a row by the fields of the shape, in its order. */
  present(this: void, row: Row<T>, data: Data): z.output<S>
}

/** The fields of a shape that a row does not have as they are, and any others. */
type Derived<R, S> = Partial<S> &
  Pick<S, { [K in keyof S]: K extends keyof R ? (R[K] extends S[K] ? never : K) : K }[keyof S]>

/** The function that derives them, which a shape that shows rows as they are does not need. */
type Derive<R, S> =
  {} extends Derived<R, S>
    ? { readonly derive?: undefined }
    : { readonly derive: (row: R, data: Data) => Derived<R, S> }

/** Declares how rows are presented: their own fields, and those that `derive` returns. */
export function resource<T extends TableName, S extends z.ZodType<object>>(
  definition: Pick<Resource<T, S>, 'table' | 'shape'> &
    Partial<Pick<Resource, 'embeds'>> &
    Derive<Row<T>, z.output<S>>,
): Resource<T, S> {
  const { table, shape, embeds = [], derive } = definition
  if (!(shape instanceof z.ZodObject)) throw new TypeError(`The shape of ${table} has no fields.`)
  let fields: readonly string[] | undefined
  const present = (row: Row<T>, data: Data): z.output<S> => {
    fields ??= Object.keys(shape.shape)
    const stored: Readonly<Record<string, unknown>> = row
    const record: Record<string, unknown> = {}
    for (const field of fields) record[field] = stored[field]
    Object.assign(record, derive?.(row, data))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape's own fields of a record that fits it
    return record as z.output<S>
  }
  return { table, shape, embeds, present }
}

type AnyRow = Row<TableName>

export interface Call<Path = unknown, Query = unknown, Body = unknown, Record = AnyRow | undefined> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  /** The record that the path names. */
  readonly record: Record
  readonly caller: Row<'members'>
  readonly data: Data
  readonly now: () => string
  readonly settings: Settings
}

export type Address<Path> = Pick<Call<Path>, 'path' | 'caller' | 'data' | 'settings'>

/** The record that a request creates, which gets an id, and what else changes with it. */
interface Creation<T extends TableName> {
  readonly row: { readonly [N in T]: Omit<Row<N>, 'id'> }[T]
  readonly further?: readonly Change[]
}

/** The form of a response: a record; all records as an array or in an envelope; a page of them in an envelope or as an array. */
export type ReturnKind = 'one' | 'list' | 'envelope' | 'page' | 'slice'

/** An operation, whose functions take what its route has parsed by its own path, query and body. */
export interface Endpoint {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly query: z.ZodObject
  readonly body: z.ZodType | undefined
  readonly returns: ReturnKind
  readonly shape: z.ZodType
  readonly assumes: AssumptionId | undefined
  readonly resource: Resource
  find?(address: Address<unknown>): AnyRow | undefined
  /** Returns the conditions that the records of a list meet. */
  readonly where?: ((call: Call) => Clauses<TableName>) | undefined
  /** Returns the record to create. */
  create?(this: void, call: Call): Creation<TableName>
}

/** An operation whose types say what it takes and returns. */
export interface Typed<
  P extends string,
  Q extends z.ZodRawShape,
  B,
  S extends z.ZodType,
  K extends ReturnKind,
> extends Omit<Endpoint, 'id' | 'tag' | 'path' | 'query' | 'body' | 'shape' | 'returns'> {
  readonly path: P
  readonly query: z.ZodObject<Q>
  readonly body: z.ZodType<B> | undefined
  readonly shape: S
  readonly returns: K
}

/** An operation in the types of its own path, query, body and record. */
interface Definition<
  P extends string,
  Q extends z.ZodRawShape,
  B,
  T extends TableName,
  F extends AnyRow,
  S extends z.ZodType,
  K extends ReturnKind,
> {
  readonly path: P
  readonly summary: string
  readonly query?: z.ZodObject<Q>
  readonly body?: z.ZodType<B>
  /** Default: one record. */
  readonly returns?: K
  readonly resource: Resource<T, S>
  readonly assumes?: AssumptionId
  find?(address: Address<PathParameters<P>>): F | undefined
  where?(this: void, call: Call<PathParameters<P>, z.output<z.ZodObject<Q>>, B, F>): Clauses<T>
  create?(this: void, call: Call<PathParameters<P>, z.output<z.ZodObject<Q>>, B, F>): Creation<T>
}

/** Defines an operation: `find` for a record that the path names, `where` for a list, `create` for a POST. */
export function endpoint<
  P extends string,
  T extends TableName,
  Q extends z.ZodRawShape = {},
  B = undefined,
  F extends AnyRow = AnyRow,
  S extends z.ZodType = z.ZodType,
  K extends 'one' | 'list' | 'page' = 'one',
>(definition: Definition<P, Q, B, T, F, S, K>): Typed<P, Q, B, S, K> {
  const { query = z.object({}), body, returns = 'one', assumes } = definition
  const method = definition.create ? 'POST' : 'GET'
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the clauses are those of the resource's own table
  const where = definition.where as Endpoint['where']
  const { shape } = definition.resource
  const complete = { ...definition, method, query, body, returns, shape, assumes, where }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types are those of the definition, or of its defaults
  return complete as unknown as Typed<P, Q, B, S, K>
}

/** All records of a list that match, or one record. */
export type Result = AnyRow | Selection<AnyRow>

/** Reads all records of a list that match, before pagination, or the record that the path names. */
export function readRecords({ id, where, resource: { table } }: Endpoint, call: Call): Result {
  if (where) return call.data.select(table, where(call))
  if (call.record) return call.record
  throw new TypeError(`${id} neither lists records nor finds one.`)
}

/** Finds a record of the caller's organization. Source: assumption A-08. */
export function findOwn<T extends TableName>(
  table: T,
  id: number,
  { caller, data }: Pick<Address<unknown>, 'caller' | 'data'>,
): Row<T> | undefined {
  const row = data.get(table, id)
  return row?.organizationId === caller.organizationId ? row : undefined
}

/**
 * Creates the function that finds the record which a parameter of the path names, like `findOwn`.
 * Errors: 403 for a record of another organization, depending on settings.
 */
export const inPath =
  <T extends TableName, N extends string>(table: T, parameter: N) =>
  ({ path, caller, data, settings }: Address<{ readonly [K in N]: number }>): Row<T> | undefined => {
    const row = data.get(table, path[parameter])
    if (row?.organizationId === caller.organizationId) return row
    if (!row || settings.foreignRecord === 404) return undefined
    throw new SandboxError('forbidden', 'The record in the path belongs to another organization.')
  }
