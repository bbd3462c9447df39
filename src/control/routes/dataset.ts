import { Hono } from 'hono'
import * as z from 'zod'

import { integerParameter, textParameter } from '../../contract/fields.ts'
import { listDifferences } from '../../contract/settings.ts'
import { lazyStrictObject } from '../../core/lazy-schema.ts'
import { controlBody } from '../../http/read-body.ts'
import { validate } from '../../http/validate.ts'
import { Credentials, listCredentials } from '../../sessions/credentials.ts'
import { DatasetOptions } from '../../sessions/dataset-options.ts'
import { Health, readHealth, StateDocument, summarize, Summary } from '../../sessions/summary.ts'
import { findRecords, FoundRecord } from '../../testing/records/find-records.ts'
import { type ControlEnv, documentRoute, envelope, requireSession, sendJson } from '../route.ts'

const FindQuery = lazyStrictObject(() => ({
  q: textParameter.describe('An id, or a part of a name in any case'),
  limit: integerParameter(z.int().min(1).max(50).default(20)).describe('The most records to list'),
}))

const stateBody = { ...controlBody, remedy: 'Start a server from a larger state with --state FILE.' }
const fixtureBody = { ...controlBody, remedy: 'Start a server from a larger fixture with --fixture FILE.' }

export const healthRoutes = (operationId: string) =>
  new Hono<ControlEnv>().get(
    '/',
    documentRoute(operationId, 'Report the health and the options of the dataset', Health),
    async (c) => c.json(await readHealth(c.env.sandbox.dataset, c.var.session)),
  )

export const datasetRoutes = new Hono<ControlEnv>()
  .route('/health', healthRoutes('getHealth'))
  .get(
    '/credentials',
    documentRoute('listCredentials', 'List the members and their tokens', Credentials),
    (c) => c.json(listCredentials(c.env.sandbox.dataset, c.var.session)),
  )
  .get(
    '/find',
    documentRoute(
      'findRecords',
      'Find records by their id, then by a part of their name',
      envelope(FoundRecord),
    ),
    validate('query', FindQuery),
    async (c) => {
      const { q, limit } = c.req.valid('query')
      return c.json(await findRecords(c.var.session.data, q, limit))
    },
  )
  .get('/state', documentRoute('saveState', 'Save the session as one document', StateDocument), async (c) => {
    c.header('content-disposition', 'attachment; filename="state.json"')
    return sendJson(c, await c.env.sandbox.saveState(c.var.session))
  })
  .put(
    '/state',
    documentRoute('restoreState', 'Restore a saved session; in the default one, with its dataset', Summary),
    validate('json', z.looseObject({}), stateBody),
    async (c) => {
      await c.env.sandbox.restoreState(requireSession(c), c.req.valid('json'))
      return c.json(summarize(c.env.sandbox.dataset, c.var.session))
    },
  )
  .post(
    '/reset',
    documentRoute('reset', "Drop the session's changes, clock, faults, scenarios and journal", Summary),
    validate('json', z.strictObject({})),
    async (c) => {
      await c.env.sandbox.reset(c.var.session)
      return c.json(summarize(c.env.sandbox.dataset, c.var.session))
    },
  )
  .post(
    '/reseed',
    documentRoute('reseed', 'Generate a new dataset and drop every session', Health),
    validate('json', DatasetOptions, fixtureBody),
    async (c) => {
      await c.env.sandbox.reseed(c.req.valid('json'))
      return c.json(await readHealth(c.env.sandbox.dataset, c.var.session))
    },
  )

export const Overview = Summary.extend({
  session: z.string().describe('The id of the session; `default` for the default session'),
  name: z.string().optional().describe('The name of the session'),
  revision: z.int().describe('Grows with each change to the session'),
  movedMs: z.int().describe('How far the clock was moved, in milliseconds; 0 if it was not'),
  changes: z.int().describe('How many records the session has changed'),
  faults: z.int().describe('How many faults still act'),
  scenarios: z.int().describe('How many scenarios are active'),
  requests: z.int().describe('How many requests the journal holds'),
  assumptions: z
    .record(z.string(), z.unknown())
    .describe('The assumptions that the session overrides, with the values of the server'),
})
export type Overview = z.infer<typeof Overview>

export const overviewRoutes = new Hono<ControlEnv>().get(
  '/',
  documentRoute('getOverview', 'Show what differs in the session from the start', Overview),
  async (c) => {
    const { sandbox } = c.env
    const { session } = c.var
    const { id, name, clock, faults, scenarios, requests, settings } = session
    const { settings: start } = sandbox.contract
    const overview: Overview = {
      ...summarize(sandbox.dataset, session),
      session: id ?? 'default',
      ...(name !== undefined && { name }),
      revision: session.revision,
      movedMs: clock.measureMove(),
      changes: (await (await sandbox.recordWriter(session)).changes()).length,
      faults: faults.list().filter(({ left }) => left !== 0).length,
      scenarios: scenarios.list().length,
      requests: requests.entries().length,
      assumptions: Object.fromEntries(listDifferences(settings, start).map((one) => [one, start[one]])),
    }
    return c.json(overview)
  },
)
