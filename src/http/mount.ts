import type { Context, Handler, Hono } from 'hono'
import { matchedRoutes } from 'hono/route'

import { toSortable } from '../contract/instants.ts'
import { splitAtCommas, findUnknownNames } from '../contract/query.ts'
import { SandboxError } from '../core/errors.ts'
import { createResponse, type ResponseParts, withHeaders } from '../core/response.ts'
import { readInSlices } from '../core/slices.ts'
import type { Call, Endpoint } from '../service/endpoint.ts'
import { toRoutePath } from '../service/match-route.ts'
import type { Row, TableName } from '../store/tables.ts'
import { commaText, futureCursorText, unknownParametersText } from '../testing/journal/warnings.ts'
import type { Env, RouteStep, Validated } from './env.ts'
import { requireCaller } from './middleware/authenticate.ts'
import { cacheResponse } from './middleware/cache.ts'
import { readMoment } from './middleware/journal.ts'
import { send } from './response.ts'
import { renderResult, type Result } from './serialise.ts'

type RouteContext = Context<Env, string, Validated>

const endpointsByHandler = new WeakMap<Handler, Endpoint>()

/** Mounts an endpoint as a route: organization, path, query, record, body, handler. Source: assumption A-04. */
export function mount(app: Hono<Env>, endpoint: Endpoint): void {
  const handler = endpoint.body ? create(endpoint) : respond(endpoint)
  endpointsByHandler.set(handler, endpoint)
  const address = [validatePart(endpoint, 'param'), validatePart(endpoint, 'query')]
  const body = [requireRecord(endpoint), validatePart(endpoint, 'json')]
  const steps = [checkOrganization, ...address, ...(endpoint.body ? body : [])]
  app.on(endpoint.method, [toRoutePath(endpoint)], ...steps, handler)
}

export function findMatchedEndpoint(c: Context<Env>): Endpoint | undefined {
  const route = matchedRoutes(c).findLast(({ handler }) => endpointsByHandler.has(handler))
  return route && endpointsByHandler.get(route.handler)
}

const checkOrganization: RouteStep = (c, next) => {
  requireOwnOrganization(c)
  return next()
}

/** Rejects an organization that is not the caller's, or does not exist. Source: Authentication; assumption A-07. */
function requireOwnOrganization(c: Context<Env>): void {
  const requested = c.req.param('organizationId')
  const { organizationId } = c.get('caller')
  if (requested === undefined || requested === organizationId) return
  const { otherOrganization } = c.get('state').contract.settings
  const detail = `The path's organization is not the caller's, which is ${organizationId}.`
  throw new SandboxError(otherOrganization === 404 ? 'not_found' : 'forbidden', detail)
}

const validatePart =
  (endpoint: Endpoint, part: keyof Validated['out']): RouteStep =>
  (c, next) =>
    c.get('state').validator(endpoint, part)(c, next)

/** Looks up the record before the body is read; the handler of a request without a body does so itself. */
function requireRecord(endpoint: Endpoint): RouteStep {
  return async (c, next) => {
    await readData(c, () => findRecord(c, endpoint))
    await next()
  }
}

function findRecord(c: RouteContext, { find }: Endpoint): Row<TableName> | undefined {
  if (!find) return undefined
  const { settings } = c.get('state').contract
  const record = find({ path: c.req.valid('param'), caller: c.get('caller'), data: c.get('data'), settings })
  if (record) return record
  throw new SandboxError('not_found', 'The record that the path names does not exist.')
}

/** Creates the argument of an endpoint's handler. The record is looked up again, because reading the body takes time. */
function createCall(c: RouteContext, endpoint: Endpoint): Call {
  const { contract } = c.get('state')
  return {
    path: c.req.valid('param'),
    query: c.req.valid('query'),
    body: endpoint.body && c.req.valid('json'),
    record: findRecord(c, endpoint),
    caller: c.get('caller'),
    data: c.get('data'),
    now: () => {
      const time = c.get('timeRead') ?? c.get('session').clock.now()
      c.set('timeRead', time)
      return time
    },
    settings: contract.settings,
  }
}

/** Reads what may have to be generated first. While others run, the caller may leave and the data may change. */
const readData = <R>(c: RouteContext, read: () => R): R | Promise<R> =>
  readInSlices(read, () => {
    c.get('session').throwIfDropped()
    requireCaller(c)
    c.get('entry').seen = readMoment(c.get('session'))
  })

function respond(endpoint: Endpoint): Handler<Env, string, Validated> {
  return (c) => {
    const answer = ({ call, parts, commas }: ReturnType<typeof readResponse>): Response => {
      const isUnknown = warnOfUnknownParameters(c, endpoint)
      if (commas) c.get('entry').warn('comma_in_value', commaText(commas))
      const isFuture = warnOfFutureCursor(c, call)
      if (!isUnknown && !commas && !isFuture) cacheResponse(c, parts, endpoint)
      return send(c, withHeaders(parts, c.get('entry').warningHeaders))
    }
    const reading = readData(c, () => readResponse(c, endpoint))
    return reading instanceof Promise ? reading.then(answer) : answer(reading)
  }
}

function readResponse(c: RouteContext, endpoint: Endpoint) {
  const call = createCall(c, endpoint)
  const result = readResult(endpoint, call)
  const commas = findMisreadCommas(endpoint, call, result)
  return { call, commas, parts: renderParts(c, endpoint, call.query, result) }
}

function readResult(endpoint: Endpoint, call: Call): Result {
  const handled = endpoint.handle(call)
  if ('make' in handled) throw new TypeError(`${endpoint.id} has no body, so it cannot create a record.`)
  return handled
}

function create(endpoint: Endpoint): Handler<Env, string, Validated> {
  return async (c) => {
    // Responds by the query alone: the record may be gone by the time that the new one is durable.
    const query = c.req.valid('query')
    const row = await c.get('data').create(endpoint.resource.table, () => {
      // Anything may have changed while the body was awaited.
      c.get('session').throwIfDropped()
      requireCaller(c)
      requireOwnOrganization(c)
      const handled = endpoint.handle(createCall(c, endpoint))
      if ('make' in handled) return { ...handled, request: c.get('entry').id }
      throw new TypeError(`${endpoint.id} has a body, so it must create a record.`)
    })
    warnOfUnknownParameters(c, endpoint)
    const parts = renderParts(c, endpoint, query, row)
    return send(c, withHeaders(parts, c.get('entry').warningHeaders))
  }
}

function renderParts(c: Context<Env>, endpoint: Endpoint, query: unknown, result: Result): ResponseParts {
  const { contract, serialise } = c.get('state')
  const operation = contract.bind(endpoint)
  const data = c.get('data')
  const { body, page } = renderResult(operation, result, query, (rows) => serialise(operation, rows, data))
  const shown = page && { ...page, list: withoutPage(c.get('entry').target) }
  return createResponse(body, 'application/json', { status: operation.status, page: shown })
}

/** Warns of parameters that the endpoint does not have. Returns true if there are any. Source: assumption A-15. */
function warnOfUnknownParameters(c: Context<Env>, endpoint: Endpoint): boolean {
  if (!c.req.url.includes('?')) return false
  const { query } = c.get('state').contract.bind(endpoint)
  const unknown = findUnknownNames(query, Object.keys(c.req.queries()))
  if (unknown.length === 0) return false
  c.get('entry').warn('unknown_parameter', unknownParametersText(unknown, Object.keys(query.parameters)))
  return true
}

/** Warns of a cursor after the session's time, which silently matches nothing. Returns true if there is one. */
function warnOfFutureCursor(c: Context<Env>, { query }: Pick<Call, 'query'>): boolean {
  const { updatedSince }: { readonly updatedSince?: unknown } = Object(query)
  if (typeof updatedSince !== 'string') return false
  const now = c.get('session').clock.now()
  if (toSortable(updatedSince) <= toSortable(now)) return false
  c.get('entry').warn('future_cursor', futureCursorText(updatedSince, now))
  return true
}

/** Finds values with commas that match nothing, although their parts would. Shape: the parts by parameter. */
function findMisreadCommas(endpoint: Endpoint, call: Call, result: Result) {
  const split = 'page' in result && result.total === 0 ? splitAtCommas(call.query) : undefined
  const parts = split && readResult(endpoint, { ...call, query: split.query })
  return parts && 'page' in parts && parts.total > 0 ? split?.lists : undefined
}

const PAGING = /(?<=[?&])(?:offset|limit)=\d*&?/g

const withoutPage = (target: string): string => target.replace(PAGING, '').replace(/[?&]$/, '')
