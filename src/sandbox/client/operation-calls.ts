import type * as z from 'zod'

import type { PathParameters } from '../../contract/paths.ts'
import type { Readable } from '../../core/input.ts'
import type { operations, OperationId } from '../../service/index.ts'

/** The options of a single call. */
export interface CallOptions {
  /** Aborts the request. Default: none. @example AbortSignal.timeout(5_000) */
  readonly signal?: AbortSignal
  /** More headers; the client sets Authorization itself. Default: none. @example { prefer: 'code=503' } */
  readonly headers?: Readonly<Record<string, string>>
}

/** A page of a list. */
export interface Page<Item> {
  /** The records of the page. Order: by id, or newest first. */
  items: Item[]
  /** The number of matches before pagination. */
  totalCount: number
}

// `src/node/schemas/document-types.ts` writes the fields of these interfaces, with comments, into the declarations of the package.

type Operations = typeof operations

type Body<Id extends OperationId> = Operations[Id]['body'] extends z.ZodType<infer B> | undefined ? B : never

type Query<Shape> = { [Name in keyof Shape]?: z.output<Shape[Name]> | undefined }

export type OperationInput<Id extends OperationId> = Readable<
  PathParameters<Operations[Id]['path']> &
    Query<Operations[Id]['query']['shape']> &
    (Body<Id> extends undefined ? unknown : { readonly body: Body<Id> })
>

type Inputs = { readonly [Id in OperationId]: OperationInput<Id> }

/** The parameters of each operation, by its id. */
export interface OperationInputs extends Inputs {}

/** The result that a call of an operation resolves to. */
export type OperationResult<Id extends OperationId> = Results<
  z.output<Operations[Id]['shape']>
>[Operations[Id]['returns']]

interface Results<Item> {
  readonly one: Item
  readonly list: Item[]
  readonly page: Page<Item>
}

export type OperationCall<Input, Result> = keyof Input extends never
  ? (input?: Readonly<Record<string, never>>, options?: CallOptions) => Promise<Result>
  : (input: Input, options?: CallOptions) => Promise<Result>

export type OperationIterator<Input, Item> = (input: Input, options?: CallOptions) => AsyncIterable<Item>

type Calls = { readonly [Id in OperationId]: OperationCall<OperationInputs[Id], OperationResult<Id>> }

/** A function for every operation, by its id. */
export interface OperationCalls extends Calls {}

type Paginated = { [Id in OperationId]: Operations[Id]['returns'] extends 'page' ? Id : never }[OperationId]

type Iterators = {
  readonly [Id in Paginated]: OperationIterator<OperationInputs[Id], OperationResult<Id>['items'][number]>
}

/** A function for every paginated list, which iterates over its records. */
export interface OperationIterators extends Iterators {}
