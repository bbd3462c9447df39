import { Hono } from 'hono'

import { countVisible, Visibility } from '../../explain/visibility.ts'
import { Credentials } from '../../sessions/credentials.ts'
import { DatasetOptions } from '../../store/dataset-options.ts'
import { describe } from '../describe.ts'
import { type ControlEnv, Health, Summary } from '../host.ts'
import { validate } from '../validate.ts'

/** The health of the sandbox, which two paths show. */
export const healthRoutes = (operationId: string) =>
  new Hono<ControlEnv>().get(
    '/',
    describe(operationId, 'Show what the data is made from', Health),
    async (c) => c.json(await c.var.host.health(c.var.session)),
  )

/** The dataset: health, credentials, visibility, reset and reseed. */
export const datasetRoutes = new Hono<ControlEnv>()
  .route('/health', healthRoutes('getHealth'))
  .get('/credentials', describe('listCredentials', 'List the members and their tokens', Credentials), (c) =>
    c.json(c.var.host.credentials(c.var.session)),
  )
  .get(
    '/visibility',
    describe('getVisibility', 'Count the customers and signals that each member sees', Visibility),
    (c) => c.json(countVisible(c.var.host.credentials(c.var.session), c.var.session)),
  )
  .post(
    '/reset',
    describe('reset', "Drop the session's changes, clock, faults and journal", Summary),
    async (c) => {
      await c.var.host.reset(c.var.session)
      return c.json(c.var.host.summary(c.var.session))
    },
  )
  .post(
    '/reseed',
    describe('reseed', 'Make a new dataset and drop every session', Health),
    validate('json', DatasetOptions),
    async (c) => {
      await c.var.host.reseed(c.req.valid('json'))
      return c.json(await c.var.host.health(c.var.session))
    },
  )
