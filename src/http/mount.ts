import type { Handler, Hono, MiddlewareHandler } from 'hono'

import { SandboxError } from '../core/errors.ts'
import { getOrCreate } from '../core/maps.ts'
import { readInSlices } from '../core/slices.ts'
import type { Contract } from '../service/contract.ts'
import { type Call, type Endpoint, readRecords } from '../service/endpoint.ts'
import { toRoutePath } from '../service/match-route.ts'
import type { Env, RouteContext, RouteStep, Validated } from './env.ts'
import { requireCaller } from './middleware/authenticate.ts'
import { serviceBody } from './read-body.ts'
import { respond } from './respond.ts'
import { places, validate } from './validate.ts'

/**
 * Mounts an endpoint as a route: the steps of every request, then organization, path, query, record, body, handler.
 * Source: assumption A-04.
 */
export function mount(app: Hono<Env>, endpoint: Endpoint, pipeline: readonly MiddlewareHandler<Env>[]): void {
  /** Looks up the record before the body is read; the handler of a request without a body does so itself. */
  const requireRecord: RouteStep = (c, next) => {
    createCall(c, endpoint)
    return next()
  }
  const address = [checkOrganization, validatePart(endpoint, 'param'), validatePart(endpoint, 'query')]
  const body = endpoint.body ? [requireRecord, validatePart(endpoint, 'json')] : []
  const handler = endpoint.create ? createRow(endpoint, endpoint.create) : readRows(endpoint)
  app.on(endpoint.method, [toRoutePath(endpoint)], ...pipeline, ...address, ...body, handler)
}

/** Rejects an organization that is not the caller's, or does not exist. Source: Authentication; assumption A-07. */
const checkOrganization: RouteStep = (c, next) => {
  const requested = c.req.param('organizationId')
  const { organizationId } = c.get('caller')
  if (requested === undefined || requested === organizationId) return next()
  const { otherOrganization } = c.get('contract').settings
  const detail = `The path's organization is not the caller's, which is ${organizationId}.`
  throw new SandboxError(otherOrganization === 404 ? 'not_found' : 'forbidden', detail)
}

/** Validates a part of the request by the contract of its session. Errors: 400, 413, 415. */
function validatePart(endpoint: Endpoint, part: keyof Validated['out']): RouteStep {
  const validators = new WeakMap<Contract, MiddlewareHandler>()
  return (c, next) => {
    const contract = c.get('contract')
    const create = () => validate(part, contract.bind(endpoint).schemas[places[part]], serviceBody)
    return getOrCreate(validators, contract, create)(c, next)
  }
}

/** Creates the argument of an endpoint's handler. Errors: 404 if the record that the path names does not exist. */
function createCall(c: RouteContext, endpoint: Endpoint): Call {
  const { settings } = c.get('contract')
  const [path, query, caller, data] = [
    c.req.valid('param'),
    c.req.valid('query'),
    c.get('caller'),
    c.get('data'),
  ]
  const record = endpoint.find?.({ path, caller, data, settings })
  if (endpoint.find && !record) {
    throw new SandboxError('not_found', 'The record that the path names does not exist.')
  }
  const now = (): string => {
    const time = c.get('handlerTime') ?? c.get('session').clock.now()
    c.set('handlerTime', time)
    return time
  }
  return { path, query, body: endpoint.body && c.req.valid('json'), record, caller, data, now, settings }
}

function readRows(endpoint: Endpoint): Handler<Env, string, Validated> {
  return (c) => {
    const read = (): Response => {
      const call = createCall(c, endpoint)
      return respond(c, endpoint, readRecords(endpoint, call), call)
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

function createRow(
  endpoint: Endpoint,
  create: NonNullable<Endpoint['create']>,
): Handler<Env, string, Validated> {
  return async (c) => {
    const session = c.get('session')
    const row = await session.data.create(endpoint.resource.table, () => {
      // Anything may have changed while the body was awaited, so all of it is checked and looked up again.
      session.throwIfDropped()
      requireCaller(c)
      return { ...create(createCall(c, endpoint)), request: c.get('entry').id }
    })
    return respond(c, endpoint, row)
  }
}
