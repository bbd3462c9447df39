import type { MiddlewareHandler } from 'hono'

import { allowOrigin, type Content, readContent } from '../../core/response.ts'
import type { Endpoint } from '../../service/endpoint.ts'
import { type Env, findData, readRareHeader, replaceResponse } from '../env.ts'
import { receiveUnread } from '../read-body.ts'
import { findMember } from './authenticate.ts'

/**
 * Opens an entry in the session's journal, completes it with the response, which pages of every origin may read, and moves a
 * clock that ticks with requests. Source: assumption A-17.
 * @param endpoint the one of the route; undefined for an unknown path
 */
export const useJournal =
  (endpoint?: Endpoint): MiddlewareHandler<Env> =>
  async (c, next) => {
    const session = c.get('session')
    const { requests, clock } = session
    const { method, raw, url } = c.req
    const headers = c.env.rawHeaders ?? [...raw.headers].flat()
    const origin = readRareHeader(c, 'origin')
    const entry = requests.open({ method, url, headers }, endpoint)
    c.set('entry', entry)
    if (c.env.log) c.env.log.entry = entry
    let response: Content | undefined
    try {
      await next()
      if (origin !== undefined) replaceResponse(c, allowOrigin(c.res, origin))
      // A request may be refused before its body is read.
      if (endpoint?.method !== 'GET' && !c.get('requestBody')) await receiveUnread(c)
      response = readContent(c.res)
    } finally {
      // A request that was refused has seen no data.
      entry.moment ??= session.moment
      requests.complete(entry, {
        // A fault may respond before the service reads the token.
        caller: c.get('caller') ?? findMember(entry.credential, findData(c)),
        status: response?.head.status ?? 'aborted',
        // Without the body, which the journal may evict earlier.
        response: response?.head,
        requestBody: c.get('requestBody'),
        responseBody: method === 'HEAD' ? undefined : response?.body,
      })
      if (clock.tickRule) await clock.tickAfter(endpoint?.id)
    }
  }
