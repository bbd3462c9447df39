import { Hono } from 'hono'
import * as z from 'zod'

import { validate } from '../../http/validate.ts'
import { Credentials } from '../../sessions/credentials.ts'
import { Health, StateDocument, Summary } from '../../sessions/summary.ts'
import { DatasetOptions } from '../../store/dataset-options.ts'
import { type ControlEnv, documentRoute, requireSession } from '../route.ts'

export const healthRoutes = (operationId: string) =>
  new Hono<ControlEnv>().get(
    '/',
    documentRoute(operationId, 'Report the health and the options of the dataset', Health),
    async (c) => c.json(await c.var.sandbox.health(c.var.session)),
  )

export const datasetRoutes = new Hono<ControlEnv>()
  .route('/health', healthRoutes('getHealth'))
  .get(
    '/credentials',
    documentRoute('listCredentials', 'List the members and their tokens', Credentials),
    (c) => c.json(c.var.sandbox.credentials(c.var.session)),
  )
  .get('/state', documentRoute('saveState', 'Save the session as one document', StateDocument), async (c) => {
    c.header('content-disposition', 'attachment; filename="state.json"')
    return c.json(await c.var.sandbox.saveState(c.var.session))
  })
  .put(
    '/state',
    documentRoute('restoreState', 'Restore a saved session; in the default one, with its dataset', Summary),
    validate('json', z.looseObject({})),
    async (c) => {
      await c.var.sandbox.restoreState(requireSession(c), c.req.valid('json'))
      return c.json(c.var.sandbox.summary(c.var.session))
    },
  )
  .post(
    '/reset',
    documentRoute('reset', "Drop the session's changes, clock, faults, scenarios and journal", Summary),
    async (c) => {
      await c.var.sandbox.reset(c.var.session)
      return c.json(c.var.sandbox.summary(c.var.session))
    },
  )
  .post(
    '/reseed',
    documentRoute('reseed', 'Generate a new dataset and drop every session', Health),
    validate('json', DatasetOptions),
    async (c) => {
      await c.var.sandbox.reseed(c.req.valid('json'))
      return c.json(await c.var.sandbox.health(c.var.session))
    },
  )
