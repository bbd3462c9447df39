// Generated from the schemas by `npm run tables`.

import type { OperationId } from '../../service/index.ts'

/** The properties that a request must have to match; an absent one matches anything. */
export interface RequestFields {
  /** The operation. Default: any. @example 'createCustomerNote' */
  readonly operationId?: OperationId | undefined
  /** The method. Default: any. @example 'POST' */
  readonly method?: string | undefined
  /** The path, with or without `/v1`, as a template or literal. Default: any. @example '/organizations/harbor/customers/1' */
  readonly path?: string | undefined
  /** The id of the member who sent the request; `none` for requests without a valid token. Default: any. @example 1 */
  readonly caller?: number | 'none' | undefined
  /** A status, a class like `4xx`, or the way in which the response was interrupted. Default: any. @example 200 */
  readonly status?:
    | number
    | '1xx'
    | '2xx'
    | '3xx'
    | '4xx'
    | '5xx'
    | 'reset'
    | 'empty'
    | 'hang'
    | 'truncate'
    | 'aborted'
    | 'pending'
    | undefined
  /** Query parameters that the request must have: a value, a list of values that must all occur, or null for an absent parameter. Default: any. @example { scope: 'mine' } */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | null>>
    | undefined
  /** A part of the JSON body: objects may have other members, but lists must match completely. Default: any. @example { categoryId: 1 } */
  readonly body?: unknown
}

/** The expected requests: the number of matches, by default at least one; or an order. */
export interface RuleFields extends RequestFields {
  /** The exact number of matching requests. @example 1 */
  readonly count?: number | undefined
  /** The minimum number of matching requests. Default: 1, if no other count is given. @example 1 */
  readonly atLeast?: number | undefined
  /** The maximum number of matching requests. Default: no limit. @example 3 */
  readonly atMost?: number | undefined
  /** Requires that no request matches. @example true */
  readonly never?: true | undefined
  /** Requests that must arrive one after another, possibly with others between; each has the fields above except counts. @example [{ method: 'GET' }, { method: 'POST' }] */
  readonly inOrder?: readonly RequestFields[] | undefined
}

/** A filter for the requests of a journal. */
export interface FilterFields extends RequestFields {
  /** Only requests with a larger id. Default: from the first request on. @example 12 */
  readonly since?: number | undefined
  /** The number of matching requests to skip. Default: 0. @example 100 */
  readonly offset?: number | undefined
  /** The maximum number of requests, up to 1,000. Default: 1000. @example 10 */
  readonly limit?: number | undefined
}
