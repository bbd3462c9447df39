import { Hono } from 'hono'
import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { validate } from '../../http/validate.ts'
import { Advanced, SessionTime, Tick } from '../../sessions/clock.ts'
import { type ControlEnv, documentRoute, requireSession } from '../route.ts'

const Clock = SessionTime.extend({ tick: Tick.optional() })

export const clockRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('getClock', 'Read the time', Clock), (c) => {
    const { clock } = c.var.session
    const { tickRule: tick } = clock
    return c.json({ now: clock.now(), ...(tick && { tick }) })
  })
  .put(
    '/',
    documentRoute('setClock', 'Set the clock', SessionTime),
    validate('json', z.strictObject({ now: utcDateTime })),
    async (c) => {
      const { clock } = requireSession(c)
      const { now } = c.req.valid('json')
      await clock.move(() => now)
      return c.json({ now: clock.now() })
    },
  )
  .post(
    '/advance',
    documentRoute('advanceClock', 'Advance the clock, and count what changes', Advanced),
    validate('json', z.strictObject({ by: z.string() })),
    async (c) => {
      const { clock } = requireSession(c)
      const { changed, first } = await clock.move(() => clock.after(c.req.valid('json').by))
      const now = clock.now()
      return c.json(clock.future === 'living' ? { now, changed, first } : { now })
    },
  )
  .post(
    '/tick',
    documentRoute('tickClock', 'Move the clock after each request', Clock),
    validate('json', Tick),
    (c) => {
      const { clock } = requireSession(c)
      const tick = c.req.valid('json')
      clock.tick(tick)
      return c.json({ now: clock.now(), tick })
    },
  )
  .delete('/tick', documentRoute('stopTick', 'Stop moving the clock with requests', SessionTime), (c) => {
    c.var.session.clock.tick(undefined)
    return c.json({ now: c.var.session.clock.now() })
  })
  .delete('/', documentRoute('resetClock', 'Reset the clock', SessionTime), async (c) => {
    const { clock } = requireSession(c)
    await clock.move(() => undefined)
    return c.json({ now: clock.now() })
  })
