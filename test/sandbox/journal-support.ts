import { defaultSettings } from '../../src/contract/settings.ts'
import { type PageShown, ResponseBody } from '../../src/core/response.ts'
import { matchRoute } from '../../src/service/match-route.ts'
import type { Row } from '../../src/store/tables.ts'
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
  const journal = new Journal({ id: 'test', clock, settings: defaultSettings }, limits)
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

/** Reads the JSON of a response. */
export async function readJson<T>(response: Response): Promise<T> {
  return JSON.parse(await response.text())
}
