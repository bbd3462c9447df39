import type * as z from 'zod'

import type { AssumptionId } from '../contract/assumptions.ts'
import type { Settings } from '../contract/choices.ts'
import { SandboxError } from '../contract/errors.ts'
import type { Operation, PathParameters, ReturnKind } from '../contract/operation.ts'
import { query, type QueryContract } from '../contract/query.ts'
import type { Selection } from '../store/selection.ts'
import type { Creation, Data } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'
import type { Resource } from './resource.ts'

/** What a request is about: everything a handler sees. */
export interface Call<Path = unknown, Query = unknown, Body = unknown, Record = unknown> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
  /** The record that the path names. */
  readonly record: Record
  readonly caller: Row<'members'>
  readonly data: Data
  /** The session's time. */
  readonly now: () => string
  readonly settings: Settings
}

/** What is known before the record that the path names is found. */
export type Address<Path> = Pick<Call<Path>, 'path' | 'caller' | 'data' | 'settings'>

type Handled<K extends ReturnKind, T extends TableName> = K extends 'one'
  ? Row<T> | Creation<T>
  : Selection<Row<T>>

/** One operation of the document as a value: contract and behaviour. */
export interface Endpoint extends Operation {
  readonly resource: Resource
  /** The record that the path names; undefined answers 404. Absent where the path names none. */
  readonly find: ((address: Address<unknown>) => Row<TableName> | undefined) | undefined
  /** A row, all rows that match before pagination, or the row to create: an endpoint with a body creates one. */
  readonly handle: (call: Call) => Handled<ReturnKind, TableName>
}

/** What a typed caller passes in, and gets. No value: it exists for the compiler only. */
declare const types: unique symbol

/** An endpoint that remembers what a client passes in and gets. */
export interface TypedEndpoint<In, Out> extends Endpoint {
  readonly [types]?: { readonly input: In; readonly output: Out }
}

/** What a client passes to an endpoint. */
export type InputOf<E> = E extends TypedEndpoint<infer In, unknown> ? In : never

/** What a client gets from an endpoint. */
export type OutputOf<E> = E extends TypedEndpoint<unknown, infer Out> ? Out : never

/** What a client passes in: the path's parameters, any of the query's, and the body where there is one. */
type Input<P extends string, Q extends z.ZodRawShape, B> = PathParameters<P> & {
  readonly [K in keyof Q]?: z.output<Q[K]> | undefined
} & (B extends undefined ? unknown : { readonly body: B })

/** What a client gets. */
type Output<K extends ReturnKind, S extends z.ZodType> = K extends 'one'
  ? z.output<S>
  : K extends 'list'
    ? z.output<S>[]
    : { items: z.output<S>[]; totalCount: number }

interface Definition<
  P extends string,
  Q extends z.ZodRawShape,
  B,
  K extends ReturnKind,
  T extends TableName,
  S extends z.ZodType,
  F,
> {
  readonly id: string
  readonly method?: 'POST'
  readonly path: P
  readonly summary: string
  readonly tag: string
  readonly query?: QueryContract<Q>
  readonly body?: z.ZodType<B>
  readonly returns: K
  readonly resource: Resource<T, S>
  readonly assumes?: AssumptionId
  readonly find?: (address: Address<PathParameters<P>>) => F | undefined
  readonly handle: (call: Call<PathParameters<P>, z.output<z.ZodObject<Q>>, B, F>) => Handled<K, T>
}

/** Declares an endpoint; the types of path, query, body and record reach its handler. */
export function endpoint<
  P extends string,
  K extends ReturnKind,
  T extends TableName,
  S extends z.ZodType,
  Q extends z.ZodRawShape = {},
  B = undefined,
  F = undefined,
>(definition: Definition<P, Q, B, K, T, S, F>): TypedEndpoint<Input<P, Q, B>, Output<K, S>> {
  const { method = 'GET', query: parameters = query({}), body, assumes, find, resource } = definition
  const { shape } = resource
  const value = { ...definition, method, query: parameters, body, assumes, find, shape, status: 200 }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mounted route parses path, query and body by these very schemas before it calls the handler
  return value as unknown as TypedEndpoint<Input<P, Q, B>, Output<K, S>>
}

/** The row where it belongs to the caller's organization. Source: assumption A-08. */
export function owned<R extends { readonly organizationId: string }>(
  row: R | undefined,
  { caller }: Pick<Address<unknown>, 'caller'>,
): R | undefined {
  return row?.organizationId === caller.organizationId ? row : undefined
}

/** The row that a path names, as `owned`. Errors: 403 for another organization's, where that is assumed. */
export function named<R extends { readonly organizationId: string }>(
  row: R | undefined,
  address: Pick<Address<unknown>, 'caller' | 'settings'>,
): R | undefined {
  const found = owned(row, address)
  if (found || !row || address.settings.foreignRecord === 404) return found
  throw new SandboxError('forbidden', 'The record that the path names is of another organization.')
}
