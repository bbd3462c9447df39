import type { Handler, Hono, MiddlewareHandler } from 'hono'

import { SandboxError } from '../core/errors.ts'
import { getOrCreate } from '../core/maps.ts'
import { createResponse, ResponseBody } from '../core/response.ts'
import { readInSlices } from '../core/slices.ts'
import type { Contract, Operation } from '../service/contract.ts'
import { type Call, type Endpoint, readRecords, type Result } from '../service/endpoint.ts'
import { toRoutePath } from '../service/match-route.ts'
import { type Row, type TableName, toChange } from '../store/tables.ts'
import { type Env, findData, type RouteContext, type RouteStep, type Validated } from './env.ts'
import { requireCaller } from './middleware/authenticate.ts'
import { findCaches } from './middleware/cache.ts'
import { serviceBody } from './read-body.ts'
import { validate } from './validate.ts'
import { findWarnings, renderWarningHeader } from './warn.ts'

/**
 * Mounts an endpoint as a route: the steps of every request, then organization, path, query, record, body, handler.
 * Source: assumption A-04.
 */
export function mount(app: Hono<Env>, endpoint: Endpoint, pipeline: readonly Handler<Env>[]): void {
  const bind = createBinder(endpoint)
  const validatePath: RouteStep = (c, next) => {
    rejectOtherOrganization(c)
    return bind(c).param(c, next)
  }
  // A single record has no parameters: to validate that none were sent takes 5 % of a response that is not cached.
  const validateQuery: RouteStep = (c, next) =>
    endpoint.returns !== 'one' || c.req.url.includes('?') ? bind(c).query(c, next) : next()
  /** Looks up the record before the body is read; the handler of a request without a body does so itself. */
  const validateBody: RouteStep = (c, next) => {
    createCall(c, endpoint)
    return bind(c).json(c, next)
  }
  const steps = [validatePath, validateQuery, ...(endpoint.body ? [validateBody] : [])]
  const handler = endpoint.create ? createRow(bind, endpoint.create) : readRows(bind)
  app.on(endpoint.method, [toRoutePath(endpoint)], ...pipeline, ...steps, handler)
}

/** An operation, with the validators of the parts of its requests. Errors: 400, 413, 415. */
interface Bound extends Readonly<Record<keyof Validated['out'], MiddlewareHandler>> {
  readonly operation: Operation
}

type Bind = (c: RouteContext) => Bound

/** Creates the function that finds the operation of an endpoint under the settings of a request. */
function createBinder(endpoint: Endpoint): Bind {
  const bound = new WeakMap<Contract, Bound>()
  const bind = (contract: Contract): Bound => {
    const operation = contract.bind(endpoint)
    const { path, query, body } = operation.schemas
    return {
      operation,
      param: validate('param', path),
      query: validate('query', query),
      json: validate('json', body, serviceBody),
    }
  }
  return (c) => getOrCreate(bound, c.get('contract'), bind)
}

/** Rejects an organization that is not the caller's, or does not exist. Source: Authentication; assumption A-07. */
function rejectOtherOrganization(c: RouteContext): void {
  const requested = c.req.param('organizationId')
  const { organizationId } = c.get('caller')
  if (requested === undefined || requested === organizationId) return
  const { otherOrganization } = c.get('contract').settings
  const detail = `The path's organization is not the caller's, which is ${organizationId}.`
  throw new SandboxError(otherOrganization === 404 ? 'not_found' : 'forbidden', detail)
}

/** Creates the argument of an endpoint's handler. Errors: 404 if the record that the path names does not exist. */
function createCall(c: RouteContext, endpoint: Endpoint): Call {
  const { settings } = c.get('contract')
  const [path, query] = [c.req.valid('param'), c.req.valid('query')]
  const [caller, data] = [c.get('caller'), findData(c)]
  const record = endpoint.find?.({ path, caller, data, settings })
  if (endpoint.find && !record) {
    throw new SandboxError('not_found', 'The record that the path names does not exist.')
  }
  const now = (): string => {
    const time = c.get('handlerTime') ?? c.get('session').clock.now()
    c.set('handlerTime', time)
    return time
  }
  const body = endpoint.body && c.req.valid('json')
  // Named one by one: spreading an object whose parts have ever new forms takes 10 µs.
  return { path, query, body, record, caller, data, now, settings }
}

function readRows(bind: Bind): Handler<Env, string, Validated> {
  return (c) => {
    const { operation } = bind(c)
    const read = (): Response => {
      const call = createCall(c, operation)
      return respond(c, operation, readRecords(operation, call), call)
    }
    // Checks again what others may have changed while rows were generated.
    const recheck = (): void => {
      c.get('session').throwIfDropped()
      requireCaller(c)
      c.get('entry').moment = c.get('session').moment
    }
    return readInSlices(read, recheck)
  }
}

function createRow(bind: Bind, create: NonNullable<Endpoint['create']>): Handler<Env, string, Validated> {
  return async (c) => {
    const { operation } = bind(c)
    const { table } = operation.resource
    const session = c.get('session')
    const decide = () => {
      // Anything may have changed while the body was awaited, so all of it is checked and looked up again.
      session.throwIfDropped()
      requireCaller(c)
      const { row, further = [] } = create(createCall(c, operation))
      const result = { id: session.data.nextId(table), ...row }
      const changes = [toChange(table, result.id, result), ...further]
      return { changes, origin: { by: 'service', request: c.get('entry').id }, result } as const
    }
    return respond(c, operation, await session.data.change(decide, true))
  }
}

type JsonBytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

const arrayEnds = [encoder.encode('['), encoder.encode(']')] as const
const pageStart = encoder.encode('{"items":[')

/**
 * Responds with what an operation has found: one record, a list, or the page of a list that the query names; at the session's
 * time, and with warnings, which the journal keeps as well.
 * Errors: internal_error if a record does not match its shape.
 */
function respond(c: RouteContext, operation: Operation, result: Result, call?: Call): Response {
  const { returns, status } = operation
  const warnings = c.req.url.includes('?') ? findWarnings(c, operation, result, call) : []
  if (warnings.length > 0) c.get('entry').warnings = warnings
  const headers = {
    'content-type': 'application/json',
    date: c.get('session').clock.httpDate,
    ...(warnings.length > 0 && { 'sandbox-warning': renderWarningHeader(warnings) }),
  }
  if (!('page' in result)) {
    // A new record is rendered again once it is read: to keep its bytes would take a note 2 % more.
    const body = call
      ? renderRecords(c, operation, [result])
      : JSON.stringify(operation.present(result, findData(c)))
    return createResponse(body, { status, headers })
  }
  const { total } = result
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages has these parameters
  const { offset, limit } = c.req.valid('query') as { offset: number; limit: number }
  const isPart = returns === 'page' || returns === 'slice'
  const isArray = returns === 'list' || returns === 'slice'
  const rows = isPart ? result.page(offset, limit) : result.page()
  const ends = isArray ? arrayEnds : ([pageStart, encoder.encode(`],"totalCount":${total}}`)] as const)
  const page = returns === 'page' ? { offset, limit, total } : undefined
  return createResponse(renderRecords(c, operation, rows, ends), { status, headers, page })
}

/** The overhead of a part with a buffer of its own. Units: bytes, estimated. */
const OWN_PART = 300

/** The memory of a row, for each byte of its record. Units: bytes, estimated. */
const ROW = 2

/** Renders a record, or those of a list between its ends. Each is rendered once, as long as what it shows does not change. */
function renderRecords(
  c: RouteContext,
  { present, resource }: Operation,
  rows: readonly Row<TableName>[],
  ends?: readonly [JsonBytes, JsonBytes],
): ResponseBody {
  const [data, records, { data: sessionData }] = [findData(c), findCaches(c)?.records, c.get('session')]
  const isShared = records !== undefined && !sessionData.hasChanged(resource.embeds)
  const cache = isShared ? getOrCreate(records, resource, () => new WeakMap()) : undefined
  const mayBeOwn = sessionData.hasChanged([resource.table])
  const parts: JsonBytes[] = []
  // The bytes that only the session holds, not the dataset.
  let unshared = 0
  for (const row of rows) {
    let json = cache?.get(row)
    if (!json) {
      json = encoder.encode(`${JSON.stringify(present(row, data))},`)
      cache?.set(row, json)
    }
    parts.push(json)
    if (!cache) unshared += OWN_PART + json.length
    else if (mayBeOwn && sessionData.getChange(resource.table, row.id))
      unshared += OWN_PART + (1 + ROW) * json.length
  }
  const last = parts.pop()
  if (last) parts.push(last.subarray(0, -1))
  if (!ends) return new ResponseBody(parts, unshared)
  return new ResponseBody([ends[0], ...parts, ends[1]], unshared, cache && rows)
}
