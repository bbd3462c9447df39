import type { Context, MiddlewareHandler } from 'hono'

import type { Contract } from '../service/contract.ts'
import type { SandboxState } from '../sessions/sandbox-state.ts'
import type { Session } from '../sessions/session.ts'
import type { Data } from '../store/session-data.ts'
import type { Row } from '../store/tables.ts'
import type { Connection } from '../testing/faults/connection.ts'
import type { RecordedRequest } from '../testing/journal/recorded-request.ts'

export interface Bindings {
  /** The session that an in-process caller chose; other requests name theirs. */
  readonly session?: Session | undefined
  readonly connection?: Connection | undefined
  /** The headers as Node's server received them: names and values in turn. */
  readonly rawHeaders?: readonly string[] | undefined
  /** The headers by their names in lower case, as Node's server has parsed them. */
  readonly headers?: Readonly<Record<string, unknown>> | undefined
  readonly isLocal?: boolean | undefined
  readonly log?: RequestLog | undefined
  /**
   * Called with the data that the request is going to see, once it has passed token and scenarios: the session's, or those
   * that a scenario shows instead. The service knows no other way to be watched.
   */
  readonly onAdmitted?: ((data: Data) => void) | undefined
}

/** The sandbox that a request is for. One app serves all of a process: the routes took nine tenths of opening a sandbox. */
export interface Served {
  sandbox: SandboxState
  control: RequestHandler
}

export type RequestHandler = (
  request: Request,
  bindings: Bindings & Partial<Served>,
) => Response | Promise<Response>

/** The findings about a request that is logged; undefined for those of steps that it did not reach. */
export interface RequestLog {
  session?: string
  entry?: RecordedRequest
}

/** The validated parts of a request to the service; only the endpoint's own handler knows their types. */
export interface Validated {
  readonly out: { readonly param: unknown; readonly query: unknown; readonly json: unknown }
}

export type RouteContext = Context<Env, string, Validated>

export type RouteStep = MiddlewareHandler<Env, string, Validated>

/** Hono's variables, in the order in which the middleware sets them. */
export interface Variables {
  session: Session
  contract: Contract
  entry: RecordedRequest
  caller: Row<'members'>
  /** The data that a scenario shows instead of the session's. */
  shown: Data | undefined
  handlerTime: string | undefined
  /** The body, once somebody has begun to read it. */
  received: Promise<Uint8Array> | undefined
  /** The part of it that was read, for the journal. */
  requestBody: Uint8Array | undefined
}

/** Finds the data that a request sees. Few see others than the session's; a fifth variable for all takes 1 % of a cached response. */
export const findData = (c: Context<Env>): Data => c.get('shown') ?? c.get('session').data

/** Reads a header that few requests have: `c.req.header` takes 5 % of a cached response to find that four are missing. */
export const readRareHeader = ({ env, req }: Context<Env>, name: string): string | undefined =>
  env.headers && !(name in env.headers) ? undefined : req.header(name)

/** Replaces the response of a request as a whole: Hono would keep headers of the earlier one, its length included. */
export function replaceResponse(c: Context, response: Response): void {
  c.res = undefined
  c.res = response
}

export interface Env {
  Bindings: Bindings & Served
  Variables: Variables
}
