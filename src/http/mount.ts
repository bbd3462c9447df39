import { zValidator } from '@hono/zod-validator'
import type { Context, Handler, Hono, MiddlewareHandler } from 'hono'
import * as z from 'zod'

import { invalidRequest, SandboxError } from '../contract/errors.ts'
import { bodyErrors, fieldErrors } from '../contract/issues.ts'
import { pathSchema } from '../contract/operation.ts'
import { querySchema, unknownNames } from '../contract/query.ts'
import { unknownParametersText } from '../control/journal/warnings.ts'
import type { Endpoint } from '../resources/endpoint.ts'
import type { KnownAnswers } from './answers.ts'
import { sameOrganization } from './authenticate.ts'
import { jsonBody, limitedBody } from './body.ts'
import type { Environment } from './environment.ts'
import { routePath } from './match.ts'
import { createAnswer, responseOf, withHeaders } from './respond.ts'
import type { Serialiser } from './serialise.ts'
import { written } from './written.ts'

/** What is kept from one request for the next. */
export interface Kept {
  readonly serialise: Serialiser
  readonly answers: KnownAnswers
}

/** Mounts an endpoint: 403, then path, query, record, body, then the handler. Source: assumption A-04. */
export function mount(app: Hono<Environment>, endpoint: Endpoint, kept: Kept): void {
  const steps: MiddlewareHandler<Environment>[] = [
    sameOrganization,
    zValidator('param', pathSchema(endpoint.path), refuse('path'), atOnce),
    zValidator('query', querySchema(endpoint.query), refuse('query'), atOnce),
    findRecord(endpoint),
  ]
  if (endpoint.body)
    steps.push(limitedBody, jsonBody, zValidator('json', endpoint.body, refuseBody(endpoint.body), atOnce))
  app.on(endpoint.method, [routePath(endpoint.path)], ...steps, answerer(endpoint, kept))
}

/** No check waits for anything, and not to wait for it is quicker. */
const atOnce = {
  validationFunction: (schema: z.ZodType, value: unknown) => schema.safeParse(value),
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
  return (context, next) => {
    const found = find?.({
      path: validated(context, 'param'),
      caller: context.get('caller'),
      data: context.get('data'),
    })
    if (find && !found) throw new SandboxError('not_found', 'The record that the path names does not exist.')
    context.set('record', found)
    return next()
  }
}

function answerer(endpoint: Endpoint, { serialise, answers }: Kept): Handler<Environment> {
  const { resource } = endpoint
  const unknownAmong = unknownNames(endpoint.query)
  const known = Object.keys(endpoint.query.parameters)
  return async (context) => {
    const { session, data, entry, caller, record } = context.var
    const query = validated(context, 'query')
    let at: string | undefined
    const result = await endpoint.handle({
      path: validated(context, 'param'),
      query,
      body: endpoint.body && validated(context, 'json'),
      record,
      caller,
      data,
      now: () => (at ??= session.clock.now()),
    })
    const unknown = unknownAmong(Object.keys(context.req.queries()))
    if (unknown.length > 0) entry.warn('unknown_parameter', unknownParametersText(unknown, known))
    const { body, page } = written(endpoint, result, query, (rows) => serialise(resource, rows, data))
    const { origin, target } = entry.address
    const shown = page && { ...page, list: listOf(target) }
    const answer = createAnswer(body, 'application/json', { page: shown })
    const { head } = context.env
    if (head && unknown.length === 0) {
      answers.keep(session.data.dataset, head, () => {
        const reads = [...data.tables, resource.table, ...resource.embeds]
        return { answer, endpoint, caller, reads, at, origin, target }
      })
    }
    return responseOf(entry.warnings.length === 0 ? answer : withHeaders(answer, entry.warningHeaders))
  }
}

const PAGING = /(?<=[?&])(?:offset|limit)=\d*&?/g

/** The target of a list without what chooses a page of it. */
function listOf(target: string): string {
  return target.replace(PAGING, '').replace(/[?&]$/, '')
}

/** What a validator before this step has let through; its type is the endpoint's, which the loop over all of them cannot see. */
function validated(context: Context<Environment>, target: 'param' | 'query' | 'json'): unknown {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return context.req.valid(target as never)
}
