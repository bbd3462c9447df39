import { type Context, Hono, type MiddlewareHandler } from 'hono'

import { invalidRequest, SandboxError } from '../../contract/errors.ts'
import { idParameter, pagination, textParameter } from '../../contract/fields.ts'
import { fieldErrors } from '../../contract/issues.ts'
import { didYouMean } from '../../contract/nearest.ts'
import { query, type QueryContract, querySchema, unknownNames } from '../../contract/query.ts'
import type { Environment } from '../../http/environment.ts'
import { type TableName, tableNames } from '../../store/tables.ts'
import { answer, changedSession, jsonOf } from '../exchange.ts'
import type { Session } from '../sessions/session.ts'
import type { Arranger, Batch } from './data.ts'
import { isObject } from './merge-patch.ts'

const ROOT = '/_sandbox/data'
const RECORDS = `${ROOT}/:collection`
const RECORD = `${RECORDS}/:id`

const nothing = query({})
const inOrganization = query({ organizationId: textParameter.optional() })
const counted = query({ by: textParameter.optional(), organizationId: textParameter.optional() })
const paged = query({ ...pagination, organizationId: textParameter.optional() })

/**
 * Records, to arrange: listed, counted, read, created, replaced, changed, deleted, and put back to what they were.
 * Errors: 404 for an unknown collection or record, 400 that names the parameter or field, 409, 415.
 */
export function dataRoutes(arrangerOf: (session: Session) => Promise<Arranger>): Hono<Environment> {
  const app = new Hono<Environment>()
  const arranger = (context: Context<Environment>): Promise<Arranger> => arrangerOf(context.get('session'))

  app.get(ROOT, async (context) => {
    const arranged = await arranger(context)
    const { organizationId } = queryOf(context, inOrganization)
    const items = tableNames.map((name) => {
      const { totalCount } = arranged.list(name, { limit: 0, organizationId })
      return { name, totalCount }
    })
    return answer({ items, totalCount: items.length })
  })
  app.post(ROOT, json('POST'), async (context) => {
    const { organizationId } = queryOf(context, inOrganization)
    return answer(await (await arranger(context)).createAll(batchOf(await bodyOf(context)), organizationId))
  })
  app.all(ROOT, methodNotAllowed('GET, HEAD, POST'))

  app.get(`${ROOT}/changes`, async (context) => {
    queryOf(context, nothing)
    const items = (await arranger(context)).changes()
    return answer({ items, totalCount: items.length })
  })
  app.delete(`${ROOT}/changes`, async (context) => {
    queryOf(context, nothing)
    return answer({ undone: await (await arranger(context)).undoAll() })
  })
  app.all(`${ROOT}/changes`, methodNotAllowed('GET, HEAD, DELETE'))
  app.delete(`${ROOT}/changes/:collection/:id`, async (context) => {
    const [name, id] = recordOf(context)
    queryOf(context, nothing)
    return answer({ undone: await (await arranger(context)).undo(name, id) })
  })
  app.all(`${ROOT}/changes/:collection/:id`, methodNotAllowed('DELETE'))

  app.get(RECORDS, async (context) => {
    const name = collectionOf(context)
    return answer((await arranger(context)).list(name, queryOf(context, paged)))
  })
  app.post(RECORDS, json('POST'), async (context) => {
    const name = collectionOf(context)
    const { organizationId } = queryOf(context, inOrganization)
    const body = await bodyOf(context)
    const arranged = await arranger(context)
    if (Array.isArray(body)) return answer(await arranged.create(name, body, organizationId))
    const [created] = await arranged.create(name, [body], organizationId).catch(rethrowForOne)
    return answer(created)
  })
  app.all(RECORDS, methodNotAllowed('GET, HEAD, POST'))

  app.get(`${RECORDS}/counts`, async (context) => {
    const name = collectionOf(context)
    const { by, organizationId } = queryOf(context, counted)
    return answer((await arranger(context)).counts(name, by, organizationId))
  })
  app.all(`${RECORDS}/counts`, methodNotAllowed('GET, HEAD'))

  app.get(RECORD, async (context) => {
    const [name, id] = recordOf(context)
    queryOf(context, nothing)
    return answer((await arranger(context)).get(name, id))
  })
  app.put(RECORD, json('PUT'), async (context) => {
    const [name, id] = recordOf(context)
    const { organizationId } = queryOf(context, inOrganization)
    return answer(await (await arranger(context)).put(name, id, await bodyOf(context), organizationId))
  })
  app.patch(RECORD, json('PATCH'), async (context) => {
    const [name, id] = recordOf(context)
    queryOf(context, nothing)
    return answer(await (await arranger(context)).patch(name, id, await bodyOf(context)))
  })
  app.delete(RECORD, async (context) => {
    const [name, id] = recordOf(context)
    queryOf(context, nothing)
    return answer({ deleted: await (await arranger(context)).delete(name, id) })
  })
  app.all(RECORD, methodNotAllowed('GET, HEAD, PUT, PATCH, DELETE'))
  return app
}

const isCollection = (name: string): name is TableName => tableNames.some((known) => known === name)

function collectionOf(context: Context): TableName {
  const name = context.req.param('collection') ?? ''
  if (isCollection(name)) return name
  throw new SandboxError('not_found', `There is no collection ${name}. ${didYouMean(name, tableNames)}`)
}

function recordOf(context: Context): [name: TableName, id: number] {
  const name = collectionOf(context)
  const parsed = idParameter.safeParse(context.req.param('id'))
  if (parsed.success) return [name, parsed.data]
  const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ['id'] }))
  throw invalidRequest(fieldErrors('path', issues))
}

interface DataQuery {
  readonly by?: string
  readonly offset?: number
  readonly limit?: number
  readonly organizationId?: string
}

/** The query. Errors: 400 that names the parameter, an unknown one with the nearest known one. */
function queryOf(context: Context, contract: QueryContract): DataQuery {
  const given = context.req.queries()
  const known = Object.keys(contract.parameters)
  const unknown = unknownNames(contract)(Object.keys(given))
  if (unknown.length > 0) {
    const hint = (name: string) => (known.length > 0 ? didYouMean(name, known) : 'None is.')
    throw invalidRequest(
      unknown.map((name) => ({ in: 'query', name, message: `is not known here. ${hint(name)}` })),
    )
  }
  const parsed = querySchema(contract).safeParse(given)
  if (!parsed.success) throw invalidRequest(fieldErrors('query', parsed.error.issues))
  return parsed.data
}

/** The body of a call that changes its session. Errors: 400, 413; 404 if the session was dropped meanwhile. */
async function bodyOf(context: Context<Environment>): Promise<unknown> {
  const body = await jsonOf(context)
  changedSession(context)
  return body
}

/** A body of records by collection. Errors: 400 that names the collection. */
function batchOf(body: unknown): Batch {
  if (!isObject(body)) throw invalidRequest([{ in: 'body', name: '', message: 'must be an object' }])
  const errors = Object.entries(body).flatMap(([name, records]) => {
    if (!isCollection(name))
      return [{ in: 'body' as const, name, message: `is not known. ${didYouMean(name, tableNames)}` }]
    return Array.isArray(records) ? [] : [{ in: 'body' as const, name, message: 'must be an array' }]
  })
  if (errors.length > 0) throw invalidRequest(errors)
  return body
}

/** Names the fields of the only record as they are in a body that is no list. Errors: the given one, or its like. */
function rethrowForOne(error: unknown): never {
  if (!(error instanceof SandboxError && error.code === 'invalid_request' && error.errors)) throw error
  throw invalidRequest(error.errors.map((field) => ({ ...field, name: field.name.replace(/^\[0\]\.?/, '') })))
}

/** What programs send where nobody has chosen a type. */
const unchosen = ['', 'text/plain', 'application/x-www-form-urlencoded']

/** Refuses a body of another type than JSON. Errors: 415. */
function json(method: 'POST' | 'PUT' | 'PATCH'): MiddlewareHandler {
  const types = ['application/json', ...(method === 'PATCH' ? ['application/merge-patch+json'] : [])]
  return async (context, next) => {
    const [type = ''] = (context.req.header('content-type') ?? '').toLowerCase().split(';')
    if (![...types, ...unchosen].includes(type.trim())) {
      throw new SandboxError(
        'unsupported_media_type',
        `The Content-Type is ${type}. Send ${types.join(' or ')}.`,
      )
    }
    await next()
  }
}

function methodNotAllowed(allow: string): MiddlewareHandler {
  return (context) => {
    const { method } = context.req
    const detail = `${method === 'HEAD' ? 'GET' : method} is not allowed here; allowed: ${allow}.`
    throw new SandboxError('method_not_allowed', detail, { headers: { allow } })
  }
}
