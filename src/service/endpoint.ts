import * as z from 'zod'

import type { AssumptionId, unpaginatedLists } from '../contract/assumptions.ts'
import type { Settings } from '../contract/choices.ts'
import type { Operation, PathParameters, ReturnKind } from '../contract/operation.ts'
import { type Parameters, query, type QueryContract } from '../contract/query.ts'
import { SandboxError } from '../core/errors.ts'
import type { Creation } from '../store/change.ts'
import type { Clauses } from '../store/clauses.ts'
import type { Selection } from '../store/selection.ts'
import type { Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'

export interface Resource<T extends TableName = TableName, S extends z.ZodType = z.ZodType> {
  readonly table: T
  readonly shape: S
  /** Other tables that the shape depends on: a change there changes the response. */
  readonly embeds: readonly TableName[]
  present(row: Row<T>, data: Data): z.input<S>
}

/** Declares how rows are shown: by the fields of the shape, in its order. `present` may return more than these. */
export function resource<T extends TableName, S extends z.ZodType<object>>(
  definition: Omit<Resource<T, S>, 'embeds'> & Partial<Pick<Resource, 'embeds'>>,
): Resource<T, S> {
  const { shape } = definition
  let fields: readonly string[] | undefined
  const present = (row: Row<T>, data: Data): z.input<S> => {
    fields ??= shape instanceof z.ZodObject ? Object.keys(shape.shape) : []
    const record: Readonly<Record<string, unknown>> = Object(definition.present(row, data))
    const shown: Record<string, unknown> = {}
    for (const field of fields) shown[field] = record[field]
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape's own fields of a record that fits it
    return shown as z.input<S>
  }
  return { embeds: [], ...definition, present }
}

export interface Call<Path = unknown, Query = unknown, Body = unknown, Record = unknown> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  readonly record: Record
  readonly caller: Row<'members'>
  readonly data: Data
  readonly now: () => string
  readonly settings: Settings
}

export type Address<Path> = Pick<Call<Path>, 'path' | 'caller' | 'data' | 'settings'>

type Handled<T extends TableName> = Row<T> | Creation<T> | Selection<Row<T>>

/** Its functions take what the route of the endpoint has parsed by the endpoint's own path, query and body. */
export interface Endpoint extends Operation {
  readonly resource: Resource
  find?(address: Address<unknown>): Row<TableName> | undefined
  /** Returns the conditions that the records of a list meet; undefined for an operation on one record. */
  readonly where?: ((call: Call) => Clauses<TableName>) | undefined
  /** Returns a row, all rows that match before pagination, or, for an endpoint with a body, the row to create. */
  handle(call: Call): Handled<TableName>
}

/** An operation in the types of its own path, query, body and record. */
interface Definition<
  P extends string,
  Q extends Parameters,
  B,
  K extends ReturnKind,
  T extends TableName,
  S extends z.ZodType,
  F extends Row<TableName>,
  C = Call<PathParameters<P>, z.output<z.ZodObject<Q>>, B, F>,
> {
  readonly id: K extends 'list' ? (typeof unpaginatedLists)[number] : string
  readonly method?: 'POST'
  readonly path: P
  readonly summary: string
  readonly tag: string
  readonly query?: QueryContract<Q>
  readonly body?: z.ZodType<B>
  readonly returns: K
  readonly resource: Resource<T, S>
  readonly assumes?: AssumptionId
  find?(address: Address<PathParameters<P>>): F | undefined
  readonly where?: (call: C) => Clauses<T>
  handle?(call: C): Row<T> | Creation<T>
}

/** Defines an operation, by `where` if it lists records, by `handle` if it responds with one. */
export function endpoint<
  P extends string,
  K extends ReturnKind,
  T extends TableName,
  S extends z.ZodType,
  Q extends Parameters = {},
  B = undefined,
  F extends Row<TableName> = Row<TableName>,
>(definition: Definition<P, Q, B, K, T, S, F>): Endpoint {
  const { resource: shown, method = 'GET', query: parameters = query(() => ({})), body, assumes } = definition
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the clauses are those of the resource's own table
  const where = definition.where as Endpoint['where']
  const list = (call: Call): Handled<TableName> => call.data.select(shown.table, where?.(call) ?? [])
  const shape = { shape: shown.shape, status: 200 } as const
  return { handle: list, ...definition, ...shape, method, query: parameters, body, assumes, where }
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

/** Finds the record that a path names, like `findOwn`. Errors: 403 for a record of another organization, depending on settings. */
export function findInPath<T extends TableName>(
  table: T,
  id: number,
  { caller, data, settings }: Address<unknown>,
): Row<T> | undefined {
  const row = data.get(table, id)
  if (row?.organizationId === caller.organizationId) return row
  if (!row || settings.foreignRecord === 404) return undefined
  throw new SandboxError('forbidden', 'The record in the path belongs to another organization.')
}
