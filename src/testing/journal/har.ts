import { toSystemTime } from '../../core/system-clock.ts'
import { version } from '../../core/version.ts'
import { reasonPhrases } from '../faults/inject.ts'
import type { RecordedRequest, Outcome } from './recorded-request.ts'
import {
  countBytes,
  maskRequestHeaders,
  maskResponseHeaders,
  maskUrl,
  parseQuery,
  readRequestBody,
  readResponseBody,
  roundMs,
  toCaller,
} from './view.ts'
import type { Warning } from './warnings.ts'

/** An HTTP archive. Source: HAR 1.2 of the W3C Web Performance Group. */
export type Har = ReturnType<typeof toHar>

/**
 * Creates an HTTP archive. Network panels load it. Playwright's `routeFromHAR` replays it, so bodies
 * are not cut. Order: as the requests arrived.
 */
export function toHar(entries: readonly ReturnType<typeof toHarEntry>[]) {
  const creator = { name: 'workspace-sandbox', version }
  return { log: { version: '1.2', creator, pages: empty, entries } } as const
}

const empty: readonly [] = []

/** Converts a request and its response. Fields that start with `_` are extensions, as in Chromium. */
export function toHarEntry(entry: RecordedRequest, warnings: readonly Warning[]) {
  const wait = roundMs(entry.durationMs ?? 0)
  const caller = toCaller(entry)
  return {
    startedDateTime: toSystemTime(entry.startedMs),
    /** Units: milliseconds. */
    time: wait,
    request: toHarRequest(entry),
    response: toHarResponse(entry),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive: 0 },
    _sessionTime: entry.time,
    ...(!entry.hasBodies && { comment: 'The bodies were evicted to make room for newer requests.' }),
    ...(entry.endpoint && { _operationId: entry.endpoint.id }),
    ...(caller && { _caller: `${caller.name} (${caller.id})` }),
    ...(entry.faultId !== undefined && { _fault: entry.faultId }),
    ...(entry.scenarios.length > 0 && {
      _scenarios: entry.scenarios.map(({ name, did }) => `${name}: ${did}`),
    }),
    ...(warnings.length > 0 && { _warnings: warnings.map(({ message }) => message) }),
  }
}

function toHarRequest(entry: RecordedRequest) {
  const text = readRequestBody(entry)
  const headers = maskRequestHeaders(entry)
  return {
    method: entry.method,
    url: maskUrl(entry.url),
    httpVersion: 'HTTP/1.1',
    cookies: empty,
    headers: toNameValues(headers),
    queryString: parseQuery(entry),
    ...(text !== undefined && { postData: { mimeType: headers['content-type'] ?? '', text } }),
    headersSize: -1,
    bodySize: text === undefined ? 0 : countBytes(text),
  }
}

function toHarResponse(entry: RecordedRequest) {
  const { status } = entry
  const headers = maskResponseHeaders(entry)
  const text = readResponseBody(entry)
  const size = text === undefined ? 0 : countBytes(text)
  const mimeType = headers['content-type'] ?? 'x-unknown'
  return {
    status: typeof status === 'number' ? status : 0,
    statusText: typeof status === 'number' ? (reasonPhrases[status] ?? '') : '',
    httpVersion: 'HTTP/1.1',
    cookies: empty,
    headers: toNameValues(headers),
    content: { size, mimeType, ...(text !== undefined && { text }) },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
    ...(typeof status !== 'number' && { _error: chromiumErrors[status] }),
  }
}

const toNameValues = (headers: Readonly<Record<string, string>>): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

const chromiumErrors: Readonly<Record<Exclude<Outcome, number>, string>> = {
  reset: 'net::ERR_CONNECTION_RESET',
  empty: 'net::ERR_EMPTY_RESPONSE',
  hang: 'net::ERR_TIMED_OUT',
  truncate: 'net::ERR_CONTENT_LENGTH_MISMATCH',
  aborted: 'net::ERR_ABORTED',
  pending: 'net::ERR_FAILED',
}
