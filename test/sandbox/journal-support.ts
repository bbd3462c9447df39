import { defaultSettings } from '../../src/contract/settings.ts'
import { ResponseBody } from '../../src/core/response.ts'
import { matchRoute } from '../../src/service/match-route.ts'
import type { Row } from '../../src/store/tables.ts'
import { Journal, type JournalLimits } from '../../src/testing/journal/journal.ts'
import type { RecordedRequest, Interruption } from '../../src/testing/journal/recorded-request.ts'

/** A request and its response; the default is a 200 for Mara. */
export interface Exchange {
  readonly method?: string
  readonly status?: number | Interruption
  readonly headers?: Readonly<Record<string, string>>
  readonly sent?: unknown
  readonly body?: string
}

const mara = { id: 1, firstName: 'Mara', lastName: 'Voss', organizationId: 'harbor' } as Row<'members'>

/** Opens a journal whose clock stands still. */
export function openJournal(limits?: JournalLimits) {
  const moment = { at: '2026-01-15T12:00:00.000Z', revision: 0 }
  const journal = new Journal({ id: 'test', moment, settings: defaultSettings }, limits)
  const open = (path: string, { method = 'GET', headers }: Exchange = {}): RecordedRequest => {
    const sent = Object.entries({ authorization: 'Bearer sbx_harbor_1', ...headers }).flat()
    const url = `http://127.0.0.1:4500${path}`
    const endpoint = matchRoute(method, path.split('?')[0] ?? '')?.endpoint
    return journal.open({ method, url, headers: sent }, endpoint)
  }
  const complete = (entry: RecordedRequest, exchange: Exchange = {}): RecordedRequest => {
    const { status = 200, sent, body = '{}' } = exchange
    journal.complete(entry, {
      caller: mara,
      status,
      response: { headers: { 'content-type': 'application/json' }, page: undefined },
      requestBody: sent === undefined ? undefined : new TextEncoder().encode(JSON.stringify(sent)),
      responseBody: ResponseBody.of(body),
    })
    return entry
  }
  /** Records a request and its response. */
  const request = (path: string, exchange: Exchange = {}) => complete(open(path, exchange), exchange)
  return { journal, open, complete, request }
}
