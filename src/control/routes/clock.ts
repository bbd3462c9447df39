import { Hono } from 'hono'
import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { SessionTime } from '../../sessions/clock.ts'
import { describe } from '../describe.ts'
import type { ControlEnv } from '../host.ts'
import { requireSession } from '../middleware.ts'
import { validate } from '../validate.ts'

/** Routes of the session's clock. */
export const clockRoutes = new Hono<ControlEnv>()
  .get('/', describe('getClock', 'Read the time', SessionTime), (c) =>
    c.json({ now: c.var.session.clock.now() }),
  )
  .put(
    '/',
    describe('setClock', 'Set the clock', SessionTime),
    validate('json', z.strictObject({ now: utcDateTime })),
    (c) => {
      const { clock } = requireSession(c)
      clock.set(c.req.valid('json').now)
      return c.json({ now: clock.now() })
    },
  )
  .post(
    '/advance',
    describe('advanceClock', 'Advance the clock', SessionTime),
    validate('json', z.strictObject({ by: z.string() })),
    (c) => {
      const { clock } = requireSession(c)
      clock.advance(c.req.valid('json').by)
      return c.json({ now: clock.now() })
    },
  )
  .delete('/', describe('resetClock', 'Reset the clock', SessionTime), (c) => {
    const { clock } = c.var.session
    clock.restore(undefined)
    return c.json({ now: clock.now() })
  })
