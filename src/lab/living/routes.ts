import { Hono } from 'hono'

import { type ControlEnv, documentRoute } from '../../control/route.ts'
import { RecordPath } from '../../control/routes/data.ts'
import { validate } from '../../http/validate.ts'
import { EventsQuery, RecordHistory } from '../../testing/records/types.ts'
import { countEvents, Events, readHistory } from './timeline.ts'

export const livingRoutes = new Hono<ControlEnv>()
  .get(
    '/clock/events',
    documentRoute('listEvents', 'Count the records that change on each day', Events),
    validate('query', EventsQuery),
    async (c) => c.json(await countEvents(c.var.session, c.req.valid('query'))),
  )
  .get(
    '/data/history/:collection/:id',
    documentRoute('getHistory', 'List the changes of a record since the dataset', RecordHistory),
    validate('param', RecordPath),
    async (c) => {
      const { collection, id } = c.req.valid('param')
      return c.json(await readHistory(c.var.session, collection, id))
    },
  )
