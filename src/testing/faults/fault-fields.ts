// Generated from the schemas by `npm run tables`.

import type { OperationId } from '../../service/index.ts'
import type { ProfileName } from './profiles.ts'

/** A fault to inject. */
export interface FaultFields {
  /** The operation to act on. Default: all. @example 'listCustomers' */
  readonly operationId?: OperationId | undefined
  /** The method to act on; GET includes HEAD. Default: all. @example 'POST' */
  readonly method?: string | undefined
  /** The path to act on, with or without `/v1`; `{name}` matches any value. Default: all. @example '/organizations/{organizationId}/customers/1' */
  readonly path?: string | undefined
  /** The status to respond with. @example 503 */
  readonly status?: number | undefined
  /** The body of the response: JSON, or a string to send as it is. Default: a problem document, or `{}` below status 400. @example { error: 'busy' } */
  readonly body?: unknown
  /** Headers of the response; without an effect, they are added to the response of the service. Default: none. @example { 'x-request-id': 'r-1' } */
  readonly headers?: Readonly<Record<string, string | number>> | undefined
  /** The `Retry-After` header, in seconds. Default: none. @example 30 */
  readonly retryAfterSeconds?: number | undefined
  /** How many milliseconds of real time to wait before responding; a range is drawn from the seed. Default: 0. @example { min: 500, max: 2_000 } */
  readonly delayMs?:
    | number
    | {
        /** The shortest delay, in milliseconds. @example 500 */
        readonly min: number
        /** The longest delay, in milliseconds. @example 2_000 */
        readonly max: number
      }
    | undefined
  /**
   * How to break the response: `empty` closes the connection without a response, `hang` never responds, `truncate` closes it halfway through the body, `malformed` sends invalid JSON.
   * @example 'truncate'
   */
  readonly malfunction?: 'empty' | 'hang' | 'truncate' | 'malformed' | undefined
  /** Resets the connection in place of a response. Default: false. @example true */
  readonly reset?: boolean | undefined
  /** Holds the request until a test releases it; with `stored`, after the service has handled it. Default: false. @example true */
  readonly gate?: boolean | undefined
  /** The actions on successive requests, each a status, a malfunction, or `pass` to let the request through. @example [503, 503, 'pass'] */
  readonly sequence?:
    | readonly (number | 'pass' | 'reset' | 'empty' | 'hang' | 'truncate' | 'malformed')[]
    | undefined
  /** Starts the sequence again after its last step. Default: false. @example true */
  readonly repeat?: boolean | undefined
  /**
   * Responds with 429 once a window has had its number of requests. A window starts with its first request, and ends when the session clock has advanced by its length, or that much real time has passed.
   * @example { requests: 10, windowSeconds: 60 }
   */
  readonly rateLimit?:
    | {
        /** The number of requests that a window allows. @example 10 */
        readonly requests: number
        /** The length of a window, in seconds. @example 60 */
        readonly windowSeconds: number
      }
    | undefined
  /** Lets the service handle the request first, so that a POST is stored and only its response is lost. Default: false. @example true */
  readonly stored?: boolean | undefined
  /** How likely the fault is to act on a request, drawn from the seed. Default: 1. @example 0.2 */
  readonly probability?: number | undefined
  /** A named combination of effects. @example 'flaky' */
  readonly profile?: ProfileName | undefined
  /** The maximum number of requests that the fault acts on. Default: no limit. @example 2 */
  readonly times?: number | undefined
  /** The number of matching requests that the fault lets through first. Default: 0. @example 3 */
  readonly after?: number | undefined
}
