import { Hono } from 'hono'

import { createTexts } from '../../seed/texts.ts'
import { Waits } from '../../src/control/faults/connection.ts'
import type { Breakage, Entry } from '../../src/control/journal/entry.ts'
import { Journal, type JournalLimits } from '../../src/control/journal/journal.ts'
import { journalRoutes, type JournalEnvironment } from '../../src/control/journal/routes.ts'
import { AnswerBody } from '../../src/http/answer-body.ts'
import { endpointAt } from '../../src/http/match.ts'
import { problemResponse } from '../../src/http/problem.ts'
import { type PageShown, whole } from '../../src/http/respond.ts'
import { createDataset } from '../../src/store/dataset.ts'
import { SessionData } from '../../src/store/session-data.ts'
import { forEachTable, type Row, type Rows } from '../../src/store/tables.ts'

/** A request as a test tells of it; what is left out is a 200 for Mara. */
export interface Told {
  readonly method?: string
  readonly status?: number | Breakage
  /** Whose request it is; null for nobody's. */
  readonly caller?: { readonly id: number; readonly firstName: string; readonly lastName: string } | null
  readonly headers?: Readonly<Record<string, string>>
  readonly sent?: unknown
  readonly answer?: string
  readonly answerHeaders?: Readonly<Record<string, string>>
}

const mara = { id: 1, firstName: 'Mara', lastName: 'Voss' }
export const theo = { id: 2, firstName: 'Theo', lastName: 'Lind' }

/** A page of a list, with as many records as there are in all. */
export const page = (totalCount: number): string => `{"items":[],"totalCount":${totalCount}}`

/** The page that an answer shows, as the service would say. */
function shownBy({ address }: Entry, answer: string): PageShown | undefined {
  const total = /"totalCount":(\d+)\}$/.exec(answer)?.[1]
  if (total === undefined) return undefined
  const url = new URL(address.target, 'http://sandbox')
  const [offset, limit] = [
    Number(url.searchParams.get('offset') ?? 0),
    Number(url.searchParams.get('limit') ?? 100),
  ]
  for (const name of ['offset', 'limit']) url.searchParams.delete(name)
  return { list: url.href, offset, limit, total: Number(total) }
}

/** A journal whose session does nothing by itself: time stands, data stays. */
export function openJournal(limits?: JournalLimits) {
  const clock = { time: '2026-01-15T12:00:00.000Z', now: () => clock.time, state: {} }
  const data = { bytes: 0 }
  const journal = new Journal({ id: 'test', clock, data }, limits)
  const opened = (path: string, { method = 'GET', headers, caller = mara }: Told = {}): Entry => {
    const authorization = caller ? `Bearer sbx_harbor_${caller.id}` : 'Bearer sbx_invalid'
    const given = new Headers({ authorization, ...headers })
    const url = `http://127.0.0.1:4500${path}`
    const endpoint = endpointAt(method, path.split('?')[0] ?? '')
    return journal.open({ method, url, headers: given, credential: authorization }, endpoint)
  }
  const answered = (entry: Entry, told: Told = {}): Entry => {
    const { status = 200, caller = mara, sent, answer = '{}', answerHeaders } = told
    journal.complete(entry, {
      caller: caller ? ({ ...caller, organizationId: 'harbor' } as Row<'members'>) : undefined,
      status,
      answer: {
        headers: { 'content-type': 'application/json', ...answerHeaders },
        page: shownBy(entry, answer),
      },
      requestBody: sent === undefined ? undefined : new TextEncoder().encode(JSON.stringify(sent)),
      responseBody: AnswerBody.of(answer),
    })
    return entry
  }
  return {
    journal,
    opened,
    answered,
    /** Enters a request and its answer. */
    request: (path: string, told: Told = {}): Entry => answered(opened(path, told), told),
    /** Moves the session's clock. */
    moveClock: (now: string) => Object.assign(clock, { time: now, state: {} }),
    /** Writes something. */
    write: () => Object.assign(data, { bytes: data.bytes + 1 }),
  }
}

/** A tenant in which nobody is, and nothing. */
const nothing = createDataset(
  { seed: 42, size: 3, fixture: 'none', now: '2026-01-15T12:00:00.000Z', clock: 'frozen' },
  { organizations: [], rows: forEachTable<Rows>(() => []) },
  createTexts(42),
)

/** The control plane's routes of a journal alone. */
export function controlOf(journal: Journal) {
  const data = new SessionData(() => nothing)
  const app = new Hono<JournalEnvironment>()
  app.onError((error) => whole(problemResponse(error)))
  app.use(async (context, next) => {
    context.set('session', { requests: journal, data })
    await next()
  })
  app.route('/', journalRoutes(new Waits()))
  return {
    send: async (path: string, init?: RequestInit): Promise<Response> =>
      app.request(`http://127.0.0.1:4500/_sandbox/requests${path}`, init),
  }
}

/** An answer's JSON. */
export async function jsonOf<T>(response: Response): Promise<T> {
  return JSON.parse(await response.text())
}
