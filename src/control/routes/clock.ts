import { Hono } from 'hono'
import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { validate } from '../../http/validate.ts'
import { Advanced, SessionTime } from '../../sessions/clock.ts'
import { Tick } from '../../sessions/time.ts'
import { type ControlEnv, documentRoute, requireSession } from '../route.ts'

const Clock = SessionTime.extend({ tick: Tick.optional() })

export const clockRoutes = new Hono<ControlEnv>()
  .get('/', documentRoute('getClock', 'Read the time', Clock), (c) => {
    const { clock, tickRule: tick } = c.var.session.time
    return c.json({ now: clock.now(), ...(tick && { tick }) })
  })
  .put(
    '/',
    documentRoute('setClock', 'Set the clock', SessionTime),
    validate('json', z.strictObject({ now: utcDateTime })),
    async (c) => {
      const { time } = requireSession(c)
      const { now } = c.req.valid('json')
      await time.move(() => now)
      return c.json({ now: time.clock.now() })
    },
  )
  .post(
    '/advance',
    documentRoute('advanceClock', 'Advance the clock, and count what changes', Advanced),
    validate('json', z.strictObject({ by: z.string() })),
    async (c) => {
      const { time } = requireSession(c)
      const { changed, first } = await time.move(() => time.clock.after(c.req.valid('json').by))
      const now = time.clock.now()
      return c.json(time.future === 'living' ? { now, changed, first } : { now })
    },
  )
  .post(
    '/tick',
    documentRoute('tickClock', 'Move the clock after each request', Clock),
    validate('json', Tick),
    (c) => {
      const { time } = requireSession(c)
      const tick = c.req.valid('json')
      time.tick(tick)
      return c.json({ now: time.clock.now(), tick })
    },
  )
  .delete('/tick', documentRoute('stopTick', 'Stop moving the clock with requests', SessionTime), (c) => {
    c.var.session.time.tick(undefined)
    return c.json({ now: c.var.session.clock.now() })
  })
  .delete('/', documentRoute('resetClock', 'Reset the clock', SessionTime), async (c) => {
    const { time } = requireSession(c)
    await time.move(() => undefined)
    return c.json({ now: time.clock.now() })
  })
