import { type Context, Hono } from 'hono'
import * as z from 'zod'

import { invalidRequest, SandboxError } from '../../contract/errors.ts'
import { integerParameter } from '../../contract/fields.ts'
import type { Data } from '../../store/session-data.ts'
import { answer, controlHeaders, parsedBody } from '../exchange.ts'
import type { Waits } from '../faults/connection.ts'
import { validator } from '../validator.ts'
import { FilterParameters, found } from './filter.ts'
import { harOf } from './har.ts'
import type { Journal } from './journal.ts'
import { eventStream } from './stream.ts'
import { judged, ruleKeys, VerifyRule } from './verify.ts'
import { examined, summaryOf, viewOf } from './view.ts'

/** What the routes need of the pipeline. */
export interface JournalEnvironment {
  Variables: {
    session: { readonly requests: Journal; readonly data: Data }
  }
}

/**
 * The requests that a session has answered: listed, live, as HAR, verified.
 * @param waits what ends with the sandbox, and with it whoever reads live
 */
export function journalRoutes(waits: Waits): Hono<JournalEnvironment> {
  const app = new Hono<JournalEnvironment>()
  app.get('/_sandbox/requests', validator('query', FilterParameters), (context) => {
    const journal = journalOf(context)
    const { bodies, ...filter } = context.req.valid('query')
    const { entries, totalCount } = found(journal, filter)
    const show = bodies === 'true' ? viewOf : summaryOf
    return answer({ items: entries.map((entry) => show(entry, journal.session)), totalCount })
  })
  app.delete('/_sandbox/requests', (context) => {
    journalOf(context).clear()
    return new Response(null, { status: 204, headers: controlHeaders })
  })
  app.get('/_sandbox/requests/stream', (context) => streamed(context, waits))
  app.get('/_sandbox/requests.har', validator('query', FilterParameters), (context) => {
    const { bodies: _, ...filter } = context.req.valid('query')
    return answer(harOf(found(journalOf(context), filter).entries), {
      'content-disposition': 'attachment; filename="requests.har"',
    })
  })
  app.get('/_sandbox/requests/warnings', (context) => {
    const items = journalOf(context).warnings()
    return answer({ items, totalCount: items.length })
  })
  app.post('/_sandbox/requests/verify', async (context) => {
    const rule = await parsedBody(context, VerifyRule, ruleKeys)
    return answer(judged(journalOf(context), rule))
  })
  app.get('/_sandbox/requests/:id', validator('param', Id), (context) => {
    const journal = journalOf(context)
    const entry = journal.get(context.req.valid('param').id)
    if (!entry) throw new SandboxError('not_found', 'The journal has no request with this id, or no more.')
    return answer(examined(entry, journal.session, context.get('session').data))
  })
  return app
}

const Id = z.object({ id: integerParameter(z.int('must be a whole number in decimal digits')) })

const journalOf = (context: Context<JournalEnvironment>): Journal => context.get('session').requests

function streamed(context: Context<JournalEnvironment>, waits: Waits): Response {
  const lastEventId = context.req.header('last-event-id')
  if (lastEventId !== undefined && !/^\d{1,15}$/.test(lastEventId)) {
    const message = 'must be the id of an event, in decimal digits'
    throw invalidRequest([{ in: 'header', name: 'Last-Event-ID', message }])
  }
  const after = lastEventId === undefined ? undefined : Number(lastEventId)
  const headers = { 'content-type': 'text/event-stream', ...controlHeaders }
  // Nobody would ever read, and so end, the stream.
  if (context.req.method === 'HEAD') return new Response(null, { headers })
  const over = new AbortController()
  const { signal } = context.req.raw
  const end = (): void => {
    signal.removeEventListener('abort', end)
    over.abort()
  }
  signal.addEventListener('abort', end)
  waits.wait(Infinity, over.signal).then(end, end)
  if (signal.aborted) end()
  const stream = eventStream(journalOf(context), { after, signal: over.signal, ended: end })
  return new Response(stream, { headers })
}
