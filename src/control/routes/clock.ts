import { type Context, Hono } from 'hono'
import * as z from 'zod'

import { utcDateTime } from '../../contract/fields.ts'
import { ChangedRecords, ChangesQuery, Events, EventsQuery } from '../../records/timeline-types.ts'
import { Advanced, SessionTime } from '../../sessions/clock.ts'
import { Tick } from '../../sessions/tick.ts'
import { describe } from '../describe.ts'
import type { ControlEnv } from '../host.ts'
import { requireSession } from '../middleware.ts'
import { validate } from '../validate.ts'

/** The time of a session, and how its clock moves with requests if it does. */
const Clock = SessionTime.extend({ tick: Tick.optional() })

/** Routes of the session's clock. */
export const clockRoutes = new Hono<ControlEnv>()
  .get('/', describe('getClock', 'Read the time', Clock), (c) => {
    const { clock, tick } = c.var.session
    return c.json({ now: clock.now(), ...(tick && { tick }) })
  })
  .put(
    '/',
    describe('setClock', 'Set the clock', SessionTime),
    validate('json', z.strictObject({ now: utcDateTime })),
    async (c) => {
      const { clock } = requireSession(c)
      await moveClock(c, () => clock.set(c.req.valid('json').now))
      return c.json({ now: clock.now() })
    },
  )
  .post(
    '/advance',
    describe('advanceClock', 'Advance the clock, and count what changes', Advanced),
    validate('json', z.strictObject({ by: z.string() })),
    async (c) => {
      const session = requireSession(c)
      const { changed, first } = await moveClock(c, () => session.advance(c.req.valid('json').by))
      const now = session.clock.now()
      return c.json(session.future === 'living' ? { now, changed, first } : { now })
    },
  )
  .get(
    '/changes',
    describe('listTimeChanges', 'List the records that differ between two instants', ChangedRecords),
    validate('query', ChangesQuery),
    async (c) => c.json((await getTimeline(c)).changes(c.req.valid('query'))),
  )
  .get(
    '/events',
    describe('listEvents', 'Count the records that change on each day', Events),
    validate('query', EventsQuery),
    async (c) => c.json((await getTimeline(c)).events(c.req.valid('query'))),
  )
  .post(
    '/tick',
    describe('tickClock', 'Move the clock after each request', Clock),
    validate('json', Tick),
    (c) => {
      const session = requireSession(c)
      session.tick = c.req.valid('json')
      return c.json({ now: session.clock.now(), tick: session.tick })
    },
  )
  .delete('/tick', describe('stopTick', 'Stop to move the clock with requests', SessionTime), (c) => {
    c.var.session.tick = undefined
    return c.json({ now: c.var.session.clock.now() })
  })
  .delete('/', describe('resetClock', 'Reset the clock', SessionTime), async (c) => {
    const { clock } = c.var.session
    await moveClock(c, () => clock.restore(undefined))
    return c.json({ now: clock.now() })
  })

const getTimeline = (c: Context<ControlEnv>) => c.var.host.timeline(c.var.session)

/** Moves the clock of a request's session, and stores it. Errors: as for writes; the clock is then where it was. */
async function moveClock<R>(c: Context<ControlEnv>, move: () => R): Promise<R> {
  const { host, session } = c.var
  const before = session.clock.state
  const result = move()
  try {
    await host.keepClock(session)
    return result
  } catch (error) {
    session.clock.restore(before)
    throw error
  }
}
