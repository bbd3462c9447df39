import { Hono } from 'hono'

import { createTexts } from '../../seed/dataset/long-texts.ts'
import { addHeaders, type ControlEnv } from '../../src/control/route.ts'
import { harRoutes, requestRoutes } from '../../src/control/routes/requests.ts'
import { type PageShown, ResponseBody } from '../../src/core/response.ts'
import { problemResponse } from '../../src/http/problem.ts'
import { matchRoute } from '../../src/service/match-route.ts'
import { createDataset } from '../../src/store/dataset.ts'
import { SessionData } from '../../src/store/session-data.ts'
import { forEachTable, type Row, type Rows } from '../../src/store/tables.ts'
import { Waits } from '../../src/testing/faults/connection.ts'
import { Journal, type JournalLimits } from '../../src/testing/journal/journal.ts'
import type { RecordedRequest, Interruption } from '../../src/testing/journal/recorded-request.ts'

/** A request and its response; the default is a 200 for Mara. */
export interface Exchange {
  readonly method?: string
  readonly status?: number | Interruption
  /** Null for an invalid token. */
  readonly caller?: { readonly id: number; readonly firstName: string; readonly lastName: string } | null
  readonly headers?: Readonly<Record<string, string>>
  readonly sent?: unknown
  readonly body?: string
  readonly responseHeaders?: Readonly<Record<string, string>>
}

const mara = { id: 1, firstName: 'Mara', lastName: 'Voss' }
export const theo = { id: 2, firstName: 'Theo', lastName: 'Lind' }

/** Renders a page of a list with a total count. */
export const page = (totalCount: number): string => `{"items":[],"totalCount":${totalCount}}`

/** Reads the page from a response, as the service would report it. */
function readPage({ target }: RecordedRequest, body: string): PageShown | undefined {
  const total = /"totalCount":(\d+)\}$/.exec(body)?.[1]
  if (total === undefined) return undefined
  const url = new URL(target, 'http://sandbox')
  const [offset, limit] = [
    Number(url.searchParams.get('offset') ?? 0),
    Number(url.searchParams.get('limit') ?? 100),
  ]
  return { offset, limit, total: Number(total) }
}

/** Opens a journal whose clock changes only when the test says so. */
export function openJournal(limits?: JournalLimits) {
  const clock = { time: '2026-01-15T12:00:00.000Z', now: () => clock.time, state: {} }
  const journal = new Journal({ id: 'test', clock }, limits)
  const open = (path: string, { method = 'GET', headers, caller = mara }: Exchange = {}): RecordedRequest => {
    const authorization = caller ? `Bearer sbx_harbor_${caller.id}` : 'Bearer sbx_invalid'
    const sent = Object.entries({ authorization, ...headers }).flat()
    const url = `http://127.0.0.1:4500${path}`
    const endpoint = matchRoute(method, path.split('?')[0] ?? '')?.endpoint
    return journal.open({ method, url, headers: sent, credential: authorization }, endpoint)
  }
  const complete = (entry: RecordedRequest, exchange: Exchange = {}): RecordedRequest => {
    const { status = 200, caller = mara, sent, body = '{}', responseHeaders } = exchange
    journal.complete(entry, {
      caller: caller ? ({ ...caller, organizationId: 'harbor' } as Row<'members'>) : undefined,
      status,
      response: {
        headers: { 'content-type': 'application/json', ...responseHeaders },
        page: readPage(entry, body),
      },
      requestBody: sent === undefined ? undefined : new TextEncoder().encode(JSON.stringify(sent)),
      responseBody: ResponseBody.of(body),
    })
    return entry
  }
  return {
    journal,
    open,
    complete,
    /** Records a request and its response. */
    request: (path: string, exchange: Exchange = {}): RecordedRequest =>
      complete(open(path, exchange), exchange),
    /** Moves the session's clock. */
    moveClock: (now: string) => Object.assign(clock, { time: now, state: {} }),
  }
}

/** A dataset without records. */
const emptyDataset = createDataset(
  { seed: 42, size: 3, fixture: 'none', now: '2026-01-15T12:00:00.000Z', clock: 'frozen' },
  { organizations: [], rows: forEachTable<Rows>(() => []) },
  createTexts(42),
)

/** The control plane's routes of a journal alone. */
export function mountControl(journal: Journal) {
  const data = new SessionData(() => emptyDataset)
  const app = new Hono<ControlEnv>()
  app.onError((error) => problemResponse(error))
  app.use(async (context, next) => {
    context.set('session', { requests: journal, data } as never)
    context.set('sandbox', { waits: new Waits() } as never)
    await next()
  })
  app.use(addHeaders)
  app.route('/_sandbox/requests', requestRoutes).route('/_sandbox/requests.har', harRoutes)
  return {
    send: async (path: string, init?: RequestInit): Promise<Response> =>
      app.request(`http://127.0.0.1:4500/_sandbox/requests${path}`, init),
  }
}

/** Reads the JSON of a response. */
export async function readJson<T>(response: Response): Promise<T> {
  return JSON.parse(await response.text())
}
