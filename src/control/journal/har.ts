import { version } from '../../version.ts'
import type { Entry } from './entry.ts'
import { maskedText } from './mask.ts'
import {
  answerHeaders,
  callerOf,
  queryOf,
  requestHeaders,
  requestText,
  responseText,
  rounded,
  utf8Length,
} from './view.ts'

interface NameValue {
  readonly name: string
  readonly value: string
}

/** One request and its answer. Fields that start with `_` are ours, or Chromium's. */
export interface HarEntry {
  readonly startedDateTime: string
  /** Units: milliseconds. */
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly httpVersion: string
    readonly cookies: readonly []
    readonly headers: readonly NameValue[]
    readonly queryString: readonly NameValue[]
    readonly postData?: { readonly mimeType: string; readonly text: string }
    readonly headersSize: -1
    readonly bodySize: number
  }
  readonly response: {
    /** 0 where the answer broke off. */
    readonly status: number
    readonly statusText: string
    readonly httpVersion: string
    readonly cookies: readonly []
    readonly headers: readonly NameValue[]
    readonly content: { readonly size: number; readonly mimeType: string; readonly text?: string }
    readonly redirectURL: ''
    readonly headersSize: -1
    readonly bodySize: number
    readonly _error?: string
  }
  readonly cache: Readonly<Record<string, never>>
  readonly timings: {
    readonly blocked: -1
    readonly dns: -1
    readonly connect: -1
    readonly ssl: -1
    readonly send: 0
    readonly wait: number
    readonly receive: 0
  }
  readonly comment?: string
  readonly _operationId?: string
  readonly _caller?: string
  readonly _fault?: string
  readonly _warnings?: readonly string[]
}

/** An HTTP archive, version 1.2. Source: the W3C Web Performance Group's HAR 1.2. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly pages: readonly []
    readonly entries: readonly HarEntry[]
  }
}

const HTTP = 'HTTP/1.1'

/**
 * Answered requests as an HTTP archive: network panels load it, Playwright's `routeFromHAR` replays it.
 * Bodies are whole as long as the journal has them, because a replay needs them. Order: as the requests came.
 */
export function harOf(entries: readonly Entry[]): Har {
  const creator = { name: 'workspace-sandbox', version }
  const finished = entries.filter((entry) => entry.status !== 'pending')
  return { log: { version: '1.2', creator, pages: [], entries: finished.map(harEntry) } }
}

function harEntry(entry: Entry): HarEntry {
  const wait = rounded(entry.durationMs ?? 0)
  const caller = callerOf(entry)
  return {
    startedDateTime: entry.time,
    time: wait,
    request: requestOf(entry),
    response: responseOf(entry),
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait, receive: 0 },
    ...(!entry.hasBodies && { comment: 'The bodies made room for those of younger requests.' }),
    ...(entry.endpoint && { _operationId: entry.endpoint.id }),
    ...(caller && { _caller: `${caller.name} (${caller.id})` }),
    ...(entry.faultId !== undefined && { _fault: entry.faultId }),
    ...(entry.warnings.length > 0 && { _warnings: entry.warnings.map(({ message }) => message) }),
  }
}

function requestOf(entry: Entry): HarEntry['request'] {
  const text = requestText(entry)
  const headers = requestHeaders(entry)
  return {
    method: entry.method,
    url: maskedText(entry.url),
    httpVersion: HTTP,
    cookies: [],
    headers: nameValues(headers),
    queryString: queryOf(entry),
    ...(text !== undefined && { postData: { mimeType: headers['content-type'] ?? '', text } }),
    headersSize: -1,
    bodySize: text === undefined ? 0 : utf8Length(text),
  }
}

function responseOf(entry: Entry): HarEntry['response'] {
  const { status } = entry
  const headers = answerHeaders(entry)
  const text = responseText(entry)
  const size = text === undefined ? 0 : utf8Length(text)
  const mimeType = headers['content-type'] ?? 'x-unknown'
  return {
    status: typeof status === 'number' ? status : 0,
    statusText: typeof status === 'number' ? (phrases[status] ?? '') : '',
    httpVersion: HTTP,
    cookies: [],
    headers: nameValues(headers),
    content: { size, mimeType, ...(text !== undefined && { text }) },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
    ...(typeof status !== 'number' && { _error: errors[status] ?? 'net::ERR_FAILED' }),
  }
}

const nameValues = (headers: Readonly<Record<string, string>>): NameValue[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))

/** Chromium's names for answers that broke off. */
const errors: Readonly<Record<string, string>> = {
  reset: 'net::ERR_CONNECTION_RESET',
  hang: 'net::ERR_TIMED_OUT',
  empty: 'net::ERR_EMPTY_RESPONSE',
  truncate: 'net::ERR_CONTENT_LENGTH_MISMATCH',
  aborted: 'net::ERR_ABORTED',
}

/** The phrases of the statuses that the sandbox answers, and of those that faults often have. */
const phrases: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
}
