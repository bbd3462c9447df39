import type { MiddlewareHandler } from 'hono'

import { readContent } from '../../core/response.ts'
import type { Session } from '../../sessions/session.ts'
import type { Moment } from '../../store/history.ts'
import type { Env } from '../env.ts'
import type { Plugin } from '../plugin.ts'
import { findMember } from './authenticate.ts'

/** Opens an entry in the session's journal, completes it with the response, and moves a clock that ticks with requests. */
export const useJournal: MiddlewareHandler<Env> = async (c, next) => {
  const { requests, time } = c.get('session')
  const endpoint = c.get('endpoint')
  const { method, raw, url } = c.req
  const headers = c.env.rawHeaders ?? [...raw.headers].flat()
  const credential = c.req.header('authorization')
  const entry = requests.open({ method, url, headers, credential }, endpoint)
  entry.arrived = readMoment(c.get('session'))
  c.set('entry', entry)
  if (c.env.log) c.env.log.entry = entry
  try {
    await next()
  } finally {
    // A request that was refused has seen no data.
    entry.moment ??= readMoment(c.get('session'))
    const response = c.finalized ? readContent(c.res) : undefined
    requests.complete(entry, {
      // A fault may respond before the service reads the token.
      caller: c.get('caller') ?? findMember(credential, c.get('data')),
      status: response?.status ?? 'aborted',
      // Without the body, which the journal may evict earlier.
      response: response && { headers: response.headers, page: response.page },
      requestBody: c.get('requestBody'),
      responseBody: method === 'HEAD' ? undefined : response?.body,
    })
    if (time.tickRule) await time.tickAfter(endpoint?.id)
  }
}

const moments = new WeakMap<Session, Moment>()

export function readMoment(session: Session): Moment {
  const at = session.clock.now()
  const { revision } = session.data
  const last = moments.get(session)
  if (last?.at === at && last.revision === revision) return last
  const moment = { at, revision }
  moments.set(session, moment)
  return moment
}

/** Notes the moment whose data a request that was let in is going to read, and tells the plugins. */
export const noteMoment =
  (plugins: readonly Plugin[]): MiddlewareHandler<Env> =>
  (c, next) => {
    const session = c.get('session')
    c.get('entry').moment = readMoment(session)
    for (const { onAdmitted } of plugins) onAdmitted?.(session, c.get('data'), c.get('caller'))
    return next()
  }
