// Generated from the schemas by `npm run tables`.

import type { OperationId } from '../resources/index.ts'
import type { ProfileName } from './profiles.ts'

/** A fault to inject. */
export interface FaultFields {
  /**
   * The id of an operation. Default: any operation.
   * @example 'listCustomers'
   */
  readonly operationId?: OperationId | undefined
  /**
   * GET includes HEAD. Default: any method.
   * @example 'GET'
   */
  readonly method?: string | undefined
  /**
   * A path of the service, with or without `/v1`; `{name}` matches any value. Default: any path.
   * @example '/organizations/{organizationId}/customers'
   */
  readonly path?: string | undefined
  /**
   * The status to respond with. Default: the service's own.
   * @example 503
   */
  readonly status?: number | undefined
  /**
   * JSON, or a string to send as it is; the default is a problem document, or `{}` below status 400.
   * @example { message: 'Try again later' }
   */
  readonly body?: unknown
  /**
   * Headers of the response; without an effect, they are added to the response of the service. Default: none.
   * @example { 'x-request-id': 'abc' }
   */
  readonly headers?: Readonly<Record<string, string | number>> | undefined
  /**
   * The Retry-After header. Default: no such header.
   * @example 30
   */
  readonly retryAfterSeconds?: number | undefined
  /**
   * How long to wait first, in real time; a range is drawn from the seed. Default: 0.
   * @example { min: 500, max: 2_000 }
   */
  readonly delayMs?:
    | number
    | {
        /**
         * The shortest delay, in milliseconds.
         * @example 500
         */
        readonly min: number
        /**
         * The longest delay, in milliseconds.
         * @example 2_000
         */
        readonly max: number
      }
    | undefined
  /**
   * How to break the response. Default: none.
   * @example 'truncate'
   */
  readonly malfunction?: 'reset' | 'empty' | 'hang' | 'truncate' | 'malformed' | undefined
  /**
   * The same as `malfunction: "reset"`. Default: false.
   * @example true
   */
  readonly reset?: boolean | undefined
  /**
   * The actions on successive requests; `pass` lets a request through. Default: none.
   * @example [503, 503, 'pass']
   */
  readonly sequence?:
    | readonly (number | 'pass' | 'reset' | 'empty' | 'hang' | 'truncate' | 'malformed')[]
    | undefined
  /**
   * Starts the sequence again after its last step. Default: false.
   * @example true
   */
  readonly repeat?: boolean | undefined
  /**
   * Responds with 429 once a window has had its number of requests. A window starts with its first request, and ends when the session clock has advanced by its length, or that much real time has passed. Default: none.
   * @example { requests: 10, windowSeconds: 60 }
   */
  readonly rateLimit?:
    | {
        /**
         * The number of requests that a window allows.
         * @example 10
         */
        readonly requests: number
        /**
         * The length of a window, in seconds.
         * @example 60
         */
        readonly windowSeconds: number
      }
    | undefined
  /**
   * Lets the service handle the request first, so that a POST is stored and only its response is lost. Default: false.
   * @example true
   */
  readonly stored?: boolean | undefined
  /**
   * How likely the fault is to act on a request, drawn from the seed. Default: 1.
   * @example 0.2
   */
  readonly probability?: number | undefined
  /**
   * A named combination of effects. Default: none.
   * @example 'flaky'
   */
  readonly profile?: ProfileName | undefined
  /**
   * The maximum number of requests that the fault acts on. Default: no limit.
   * @example 2
   */
  readonly times?: number | undefined
  /**
   * The number of matching requests that the fault lets through first. Default: 0.
   * @example 1
   */
  readonly after?: number | undefined
}
