import type { MiddlewareHandler } from 'hono'

import type { Moment } from '../../journal/entry.ts'
import type { Session } from '../../sessions/session.ts'
import { TracingData } from '../../store/tracing-data.ts'
import type { Env } from '../env.ts'

/** The latest moment of each session, which the entries of its journal share. */
const moments = new WeakMap<Session, Moment>()

/** Returns the state of a session that a request sees now. */
export function readMoment(session: Session): Moment {
  const at = session.clock.now()
  const { revision } = session.data
  const last = moments.get(session)
  if (last?.at === at && last.revision === revision) return last
  const moment = { at, revision }
  moments.set(session, moment)
  return moment
}

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
