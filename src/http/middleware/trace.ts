import type { MiddlewareHandler } from 'hono'

import type { Moment } from '../../journal/entry.ts'
import type { Session } from '../../sessions/session.ts'
import { TracingData } from '../../store/tracing-data.ts'
import type { Env } from '../env.ts'

/** Returns the state of a session that a request sees now. */
export const readMoment = ({ clock, data }: Session): Moment => ({
  at: clock.now(),
  revision: data.revision,
})

/** Notes which state of the session a request sees, and traces what an explained request reads. */
export function traceReads(): MiddlewareHandler<Env> {
  return (c, next) => {
    const entry = c.get('entry')
    entry.seen = readMoment(c.get('session'))
    const { trace } = c.env
    if (trace) {
      trace.data = new TracingData(c.get('data'))
      trace.scenarios = entry.scenarios
      c.set('data', trace.data)
      c.set('isViewed', true)
    }
    return next()
  }
}
