// Generated from the schemas by `npm run tables`.

import type { OperationId } from '../resources/index.ts'

/** The properties that a request must have to match; an absent one matches anything. */
export interface RequestFields {
  /**
   * The id of an operation. Default: any operation.
   * @example 'listCustomers'
   */
  readonly operationId?: OperationId | undefined
  /**
   * The method of the request. Default: any method.
   * @example 'POST'
   */
  readonly method?: string | undefined
  /**
   * A path of the service, with or without `/v1`, as a template or literal. Default: any path.
   * @example '/members/me'
   */
  readonly path?: string | undefined
  /**
   * The id of a member; `none` for requests without a valid token. Default: anybody.
   * @example 1
   */
  readonly caller?: number | 'none' | undefined
  /**
   * A status, a class like `4xx`, or the way in which the response was interrupted. Default: any status.
   * @example '5xx'
   */
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
  /**
   * Query parameters that the request must have: a value, a list of values that must all occur, or null for an absent parameter. Default: any query.
   * @example { scope: 'mine', status: null }
   */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | null>>
    | undefined
  /**
   * A part of the JSON body: objects may have other members, but lists must match completely. Default: any body.
   * @example { categoryId: 1 }
   */
  readonly body?: unknown
}

/** The expected requests: the number of matches, by default at least one; or an order. */
export interface RuleFields extends RequestFields {
  /**
   * Exactly this number of requests match. Default: at least one.
   * @example 1
   */
  readonly count?: number | undefined
  /**
   * At least this number of requests match. Default: 1.
   * @example 2
   */
  readonly atLeast?: number | undefined
  /**
   * At most this number of requests match. Default: no limit.
   * @example 3
   */
  readonly atMost?: number | undefined
  /**
   * No request matches. Default: false.
   * @example true
   */
  readonly never?: true | undefined
  /**
   * Requests that arrived one after another, possibly with others between. Default: any order.
   * @example [{ operationId: 'listCustomers' }, { method: 'POST' }]
   */
  readonly inOrder?: readonly RequestFields[] | undefined
}

/** A filter for the requests of a journal. */
export interface FilterFields extends RequestFields {
  /**
   * Only requests with a larger id. Default: from the first request on.
   * @example 12
   */
  readonly since?: number | undefined
  /**
   * The number of matching requests to skip. Default: 0.
   * @example 100
   */
  readonly offset?: number | undefined
  /**
   * The maximum number of requests, up to 1,000. Default: 1000.
   * @example 10
   */
  readonly limit?: number | undefined
}
