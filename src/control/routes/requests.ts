import { type Context, Hono } from 'hono'
import * as z from 'zod'

import { integerParameter } from '../../contract/fields.ts'
import { lazyObject } from '../../core/lazy-schema.ts'
import { mapInSlices, runInSlices } from '../../core/slices.ts'
import { validate } from '../../http/validate.ts'
import { findEntries } from '../../testing/journal/compare.ts'
import { Coverage } from '../../testing/journal/coverage.ts'
import { type Har, toHar, toHarEntry } from '../../testing/journal/har.ts'
import { FilterParameters } from '../../testing/journal/pattern.ts'
import { createEventStream } from '../../testing/journal/stream.ts'
import { Verification, VerifyRule } from '../../testing/journal/verify.ts'
import { JournalEntry, RequestSummary, toSummary, toJournalEntry } from '../../testing/journal/view.ts'
import { Warning } from '../../testing/journal/warnings.ts'
import { type ControlEnv, documentRoute, envelope, toEnvelope, sendJson } from '../route.ts'

const Id = lazyObject(() => ({ id: integerParameter(z.int('must be a whole number')) }))

const LastEvent = lazyObject(() => ({
  'Last-Event-ID': z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an event, a whole number')
    .optional(),
}))

const Har = lazyObject(() => ({
  log: z.looseObject({ version: z.literal('1.2'), entries: z.array(z.looseObject({})) }),
}))

export const requestRoutes = new Hono<ControlEnv>()
  .get(
    '/',
    documentRoute(
      'listRequests',
      'List the requests to the service',
      envelope(z.union([JournalEntry, RequestSummary])),
    ),
    validate('query', FilterParameters),
    async (c) => {
      const { requests } = c.var.session
      const { bodies, ...filter } = c.req.valid('query')
      const review = await requests.reviewInSlices()
      const { entries, totalCount } = await runInSlices(findEntries(requests.entries(), filter))
      const show = bodies === 'true' ? toJournalEntry : toSummary
      const items = await mapInSlices(entries, (one) => show(one, requests.session, review.of(one)))
      return sendJson(c, { items, totalCount })
    },
  )
  .delete('/', documentRoute('clearRequests', 'Clear the journal'), (c) => {
    c.var.session.requests.clear()
    return c.body(null, 204)
  })
  .get(
    '/stream',
    documentRoute(
      'streamRequests',
      'Follow the journal as server-sent events',
      z.string(),
      [200],
      'text/event-stream',
    ),
    validate('header', LastEvent),
    (c) => {
      const lastEvent = c.req.valid('header')['Last-Event-ID']
      c.header('content-type', 'text/event-stream')
      // Nobody would read the stream of a HEAD request, so it would never end.
      if (c.req.method === 'HEAD') return c.body(null)
      return c.body(openStream(c, lastEvent === undefined ? undefined : Number(lastEvent)))
    },
  )
  .get(
    '/warnings',
    documentRoute('listWarnings', "List the warnings about the client's requests", envelope(Warning)),
    async (c) => c.json(toEnvelope((await c.var.session.requests.reviewInSlices()).warnings)),
  )
  .get(
    '/coverage',
    documentRoute('getCoverage', 'Count the requests by operation and status', Coverage),
    (c) => c.json(c.var.session.requests.coverage()),
  )
  .post(
    '/verify',
    documentRoute('verifyRequests', 'Verify the number of matching requests, or their order', Verification),
    validate('json', VerifyRule),
    (c) => c.json(c.var.session.requests.judge(c.req.valid('json'))),
  )
  .get(
    '/:id',
    documentRoute('getRequest', 'Read a request', JournalEntry),
    validate('param', Id),
    async (c) => {
      const { requests } = c.var.session
      const review = await requests.reviewInSlices()
      const entry = requests.find(c.req.valid('param').id)
      return c.json(toJournalEntry(entry, requests.session, review.of(entry)))
    },
  )

export const harRoutes = new Hono<ControlEnv>().get(
  '/',
  documentRoute('exportRequests', 'Export the journal as HAR 1.2', Har),
  validate('query', FilterParameters),
  async (c) => {
    const { requests } = c.var.session
    const { bodies: _, ...filter } = c.req.valid('query')
    const review = await requests.reviewInSlices()
    const matching = await runInSlices(findEntries(requests.entries(), filter))
    const finished = matching.entries.filter(({ status }) => status !== 'pending')
    const entries = await mapInSlices(finished, (entry) => toHarEntry(entry, review.of(entry)))
    c.header('content-disposition', 'attachment; filename="requests.har"')
    return sendJson(c, toHar(entries))
  },
)

function openStream(c: Context<ControlEnv>, after: number | undefined): ReadableStream<Uint8Array> {
  const { signal } = c.req.raw
  const over = new AbortController()
  const end = (): void => over.abort()
  signal.addEventListener('abort', end, { signal: over.signal })
  c.env.sandbox.waits.begin(Infinity, over.signal).over.then(end, end)
  if (signal.aborted) end()
  return createEventStream(c.var.session.requests, over, after)
}
