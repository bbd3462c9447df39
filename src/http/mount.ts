import { zValidator } from '@hono/zod-validator'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import * as z from 'zod'

import { invalidRequest, SandboxError } from '../contract/errors.ts'
import { bodyErrors, fieldErrors } from '../contract/issues.ts'
import { pathSchema } from '../contract/operation.ts'
import { querySchema, unknownParameters } from '../contract/query.ts'
import { unknownParametersText } from '../control/journal/warnings.ts'
import type { Call, Endpoint } from '../resources/endpoint.ts'
import type { Selection } from '../store/session-data.ts'
import type { Row, TableName } from '../store/tables.ts'
import { sameOrganization } from './authenticate.ts'
import { jsonBody, limitedBody } from './body.ts'
import type { Environment } from './environment.ts'
import { routePath } from './match.ts'
import { respond } from './respond.ts'
import type { Serialiser } from './serialise.ts'

/** Mounts an endpoint: 403, then path, query, record, body, then the handler. Source: assumption A-04. */
export function mount(app: Hono<Environment>, endpoint: Endpoint, serialise: Serialiser): void {
  const steps: MiddlewareHandler<Environment>[] = [
    sameOrganization,
    zValidator('param', pathSchema(endpoint.path), refuse('path')),
    zValidator('query', querySchema(endpoint.query), refuse('query')),
    findRecord(endpoint),
  ]
  if (endpoint.body)
    steps.push(limitedBody, jsonBody, zValidator('json', endpoint.body, refuseBody(endpoint.body)))
  app.on(endpoint.method, [routePath(endpoint.path)], ...steps, (context) =>
    answer(context, endpoint, serialise),
  )
}

interface Validation {
  readonly success: boolean
  readonly error?: { readonly issues: readonly z.core.$ZodIssue[] }
}

function refuse(place: 'path' | 'query') {
  return ({ success, error }: Validation) => {
    if (!success) throw invalidRequest(fieldErrors(place, error?.issues ?? []))
  }
}

function refuseBody(body: z.ZodType) {
  const known = body instanceof z.ZodObject ? Object.keys(body.shape) : []
  return ({ success, error }: Validation) => {
    if (!success) throw invalidRequest(bodyErrors(error?.issues ?? [], known))
  }
}

function findRecord({ find }: Endpoint): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const found = find?.({
      path: validated(context, 'param'),
      caller: context.get('caller'),
      data: context.get('session').data,
    })
    if (find && !found) throw new SandboxError('not_found', 'The record that the path names does not exist.')
    context.set('record', found)
    await next()
  }
}

async function answer(
  context: Context<Environment>,
  endpoint: Endpoint,
  serialise: Serialiser,
): Promise<Response> {
  const session = context.get('session')
  const entry = context.get('entry')
  const query = validated(context, 'query')
  const call: Call = {
    path: validated(context, 'param'),
    query,
    body: endpoint.body && validated(context, 'json'),
    record: context.get('record'),
    caller: context.get('caller'),
    data: session.data,
    now: session.clock.now(),
  }
  const json = (row: Row<TableName>) => serialise(endpoint.resource, row, session.data)
  const body = wire(endpoint, await endpoint.handle(call), query, json)
  const unknown = unknownParameters(endpoint.query, Object.keys(context.req.queries()))
  if (unknown.length > 0) {
    entry.warn('unknown_parameter', unknownParametersText(unknown, Object.keys(endpoint.query.parameters)))
  }
  return respond(body, 'application/json', 200, entry.warningHeaders)
}

function wire(
  endpoint: Endpoint,
  result: Row<TableName> | Selection<Row<TableName>>,
  query: unknown,
  json: (row: Row<TableName>) => string,
): string {
  if (!isSelection(result)) return json(result)
  if (endpoint.returns !== 'page') return `[${result.page(0, result.total).map(json).join(',')}]`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an operation with pages has these parameters
  const { offset, limit } = query as { offset: number; limit: number }
  return `{"items":[${result.page(offset, limit).map(json).join(',')}],"totalCount":${result.total}}`
}

const isSelection = (
  result: Row<TableName> | Selection<Row<TableName>>,
): result is Selection<Row<TableName>> => 'page' in result

/** What a validator before this step has let through; its type is the endpoint's, which the loop over all of them cannot see. */
function validated(context: Context<Environment>, target: 'param' | 'query' | 'json'): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return context.req.valid(target as never)
}
