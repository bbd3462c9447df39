import { type Context, Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod'

import { idParameter, integerParameter, pagination, recordId } from '../../contract/fields.ts'
import { invalidField, invalidRequest, SandboxError } from '../../core/errors.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { unsupported } from '../../http/read-body.ts'
import { validate } from '../../http/validate.ts'
import { tableNames } from '../../store/tables.ts'
import { readTable } from '../../testing/records/find-records.ts'
import type { RecordWriter } from '../../testing/records/record-writer.ts'
import {
  ArrangeOptions,
  Batch,
  ChangesQuery,
  CountOptions,
  Counts,
  ListedChange,
  ListOptions,
  RecordCounts,
  TotalOptions,
} from '../../testing/records/types.ts'
import { readChangesPage } from '../../testing/records/written-changes.ts'
import { type ControlEnv, documentRoute, envelope, requireSession, toEnvelope, sendJson } from '../route.ts'

const collectionName = z.string().meta({ enum: tableNames }).transform(readTable)

const CollectionPath = lazyObject(() => ({ collection: collectionName }))
export const RecordPath = lazyObject(() => ({ collection: collectionName, id: idParameter }))

const ListQuery = ListOptions.extend({
  ...pagination,
  customerId: integerParameter(ListOptions.shape.customerId),
})

const Item = z.looseObject({ id: recordId }).meta({ id: 'Record' })
const RecordInput = z.unknown().meta({ type: 'object' })

export const dataRoutes = new Hono<ControlEnv>()
  .get(
    '/',
    documentRoute(
      'listCollections',
      'List the collections and count their records',
      envelope(z.object({ name: z.enum(tableNames), totalCount: z.int() })),
    ),
    validate('query', TotalOptions),
    async (c) => {
      const { organizationId } = c.req.valid('query')
      const writer = await getRecordWriter(c)
      // All rows together cost less than collection by collection.
      await c.var.session.data.dataset.complete()
      const collections = tableNames.map(async (name) => {
        const { totalCount } = await writer.list(name, { limit: 0, organizationId })
        return { name, totalCount }
      })
      return c.json(toEnvelope(await Promise.all(collections)))
    },
  )
  .post(
    '/',
    documentRoute(
      'createRecordsOfCollections',
      'Create records of several collections, all or none',
      z.partialRecord(z.enum(tableNames), z.array(Item)),
    ),
    validate('query', ArrangeOptions),
    acceptType('application/json'),
    validate('json', Batch),
    async (c) => {
      const { organizationId } = c.req.valid('query')
      return sendJson(c, await (await getRecordWriter(c)).createAll(c.req.valid('json'), { organizationId }))
    },
  )
  .get(
    '/changes',
    documentRoute('listChanges', 'List the records that the session has changed', envelope(ListedChange)),
    validate('query', ChangesQuery),
    async (c) => {
      const query = c.req.valid('query')
      const { latest, since, by, kind, offset, limit } = query
      if (latest !== undefined && c.req.query('limit') !== undefined)
        throw invalidField('limit', 'cannot be combined with latest', 'query')
      if (latest !== undefined || since !== undefined || by !== undefined)
        return sendJson(c, await readChangesPage(c.var.session, query))
      const all = await (await getRecordWriter(c)).changes()
      const matching = all.filter((one) => kind === undefined || one.kind === kind)
      return sendJson(c, { items: matching.slice(offset, offset + limit), totalCount: matching.length })
    },
  )
  .delete(
    '/changes',
    documentRoute('undoChanges', 'Undo every change', z.object({ undone: RecordCounts })),
    async (c) => c.json({ undone: await (await getRecordWriter(c)).undoAll() }),
  )
  .delete(
    '/changes/:collection/:id',
    documentRoute('undoChange', 'Undo the change of a record', z.object({ undone: RecordCounts })),
    validate('param', RecordPath),
    async (c) => {
      const { collection, id } = c.req.valid('param')
      return c.json({ undone: await (await getRecordWriter(c)).undo(collection, id) })
    },
  )
  .get(
    '/:collection',
    documentRoute('listRecords', 'List the records of a collection', envelope(Item)),
    validate('param', CollectionPath),
    validate('query', ListQuery),
    async (c) => {
      const { collection } = c.req.valid('param')
      return sendJson(c, await (await getRecordWriter(c)).list(collection, c.req.valid('query')))
    },
  )
  .post(
    '/:collection',
    documentRoute(
      'createRecords',
      'Create a record, or all records of a list',
      z.union([Item, z.array(Item)]),
    ),
    validate('param', CollectionPath),
    validate('query', ArrangeOptions),
    acceptType('application/json'),
    validate('json', z.union([RecordInput, z.array(RecordInput)])),
    async (c) => {
      const { collection } = c.req.valid('param')
      const { organizationId } = c.req.valid('query')
      const body = c.req.valid('json')
      const recordWriter = await getRecordWriter(c)
      if (Array.isArray(body))
        return sendJson(c, await recordWriter.create(collection, body, { organizationId }))
      const creating = recordWriter.create(collection, [body], { organizationId })
      const [created = {}] = await creating.catch(rethrowForOne)
      return c.json(created)
    },
  )
  .get(
    '/:collection/counts',
    documentRoute('countRecords', 'Count the records of a collection by the values of a field', Counts),
    validate('param', CollectionPath),
    validate('query', CountOptions),
    async (c) => {
      const { by, organizationId } = c.req.valid('query')
      const { collection } = c.req.valid('param')
      return c.json(await (await getRecordWriter(c)).counts(collection, by, { organizationId }))
    },
  )
  .get(
    '/:collection/:id',
    documentRoute('getRecord', 'Read a record', Item),
    validate('param', RecordPath),
    async (c) => {
      const { collection, id } = c.req.valid('param')
      return c.json(await (await getRecordWriter(c)).get(collection, id))
    },
  )
  .put(
    '/:collection/:id',
    documentRoute('putRecord', 'Create or replace a record', Item),
    validate('param', RecordPath),
    validate('query', ArrangeOptions),
    acceptType('application/json'),
    validate('json', RecordInput),
    async (c) => {
      const { collection, id } = c.req.valid('param')
      const { organizationId } = c.req.valid('query')
      const recordWriter = await getRecordWriter(c)
      return c.json(await recordWriter.put(collection, c.req.valid('json'), { organizationId }, id))
    },
  )
  .patch(
    '/:collection/:id',
    documentRoute('patchRecord', 'Change a record by a JSON merge patch', Item),
    validate('param', RecordPath),
    acceptType('application/json', 'application/merge-patch+json'),
    validate('json', RecordInput),
    async (c) => {
      const { collection, id } = c.req.valid('param')
      return c.json(await (await getRecordWriter(c)).patch(collection, id, c.req.valid('json')))
    },
  )
  .delete(
    '/:collection/:id',
    documentRoute('deleteRecord', 'Delete a record and its parts', z.object({ deleted: RecordCounts })),
    validate('param', RecordPath),
    async (c) => {
      const { collection, id } = c.req.valid('param')
      return c.json({ deleted: await (await getRecordWriter(c)).delete(collection, id) })
    },
  )

const getRecordWriter = (c: Context<ControlEnv>): Promise<RecordWriter> =>
  c.env.sandbox.recordWriter(requireSession(c))

function rethrowForOne(error: unknown): never {
  if (!(error instanceof SandboxError && error.code === 'invalid_request' && error.errors)) throw error
  throw invalidRequest(error.errors.map((field) => ({ ...field, name: field.name.replace(/^\[0\]\.?/, '') })))
}

const defaultTypes = ['', 'text/plain', 'application/x-www-form-urlencoded']

function acceptType(...types: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';')
    if (![...types, ...defaultTypes].includes(type.trim())) {
      throw new SandboxError(
        'unsupported_media_type',
        `${unsupported('Type', type)} Send ${types.join(' or ')}.`,
      )
    }
    await next()
  }
}
