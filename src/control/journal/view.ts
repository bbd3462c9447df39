import type { Data } from '../../store/session-data.ts'
import { type NamedAssumption, namedAssumption } from './assumptions-report.ts'
import { type Basis, basisOf } from './assumptions.ts'
import { type Breakage, type Entry, isHeaders, type Outcome } from './entry.ts'
import { maskedHeader, maskedText } from './mask.ts'
import type { Warning } from './warnings.ts'

/** A member as the journal names it. */
export interface Caller {
  readonly id: number
  readonly name: string
  readonly organizationId: string
}

/** A request as it is listed, without headers and bodies. */
export interface RequestSummary {
  /** 1 for the session's first request. */
  readonly id: number
  /** The session's time. */
  readonly time: string
  /** When it came in real time. Units: milliseconds since the sandbox's process started. */
  readonly startedMs: number
  /** The session's id; `default` for the one without. */
  readonly session: string
  readonly method: string
  /** As it was asked for, without query, from `/v1` on. */
  readonly path: string
  /** Order: as asked. */
  readonly query: readonly { readonly name: string; readonly value: string }[]
  readonly url: string
  /** Undefined for a path that no endpoint has. */
  readonly operationId: string | undefined
  /** Undefined where no member has the request's token. */
  readonly caller: Caller | undefined
  /** A status, how the answer broke off, or `pending`. */
  readonly status: number | Breakage | 'pending'
  /** Undefined until it is answered. */
  readonly durationMs: number | undefined
  readonly warnings: readonly Warning[]
  /** The id of the fault that answered it. */
  readonly fault: string | undefined
}

/** Headers and body of a request or an answer, secrets masked. */
export interface RecordedMessage {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where there was none, none was read, or it made room for younger ones. */
  readonly body: string | undefined
  /** What the whole body takes in UTF-8. Units: bytes. */
  readonly bodyBytes: number | undefined
  /** Present where the body is not whole. */
  readonly truncated?: true
}

/** A request as it is shown, headers and bodies included. */
export interface JournalEntry extends RequestSummary {
  readonly request: RecordedMessage
  /** Undefined until it is answered. */
  readonly response: RecordedMessage | undefined
}

/** What the answer to a request rests on. */
export interface RequestBasis {
  /** Says whether a fault answered it, or broke it off: it says nothing of the service then. */
  readonly isFault: boolean
  /** None where it rests on documented rules only, or on a fault. Order: by id. */
  readonly assumptions: readonly NamedAssumption[]
}

/** A request as it is shown by itself. */
export interface ExaminedRequest extends JournalEntry {
  /** Null until it is answered, and where the client gave up. */
  readonly basis: RequestBasis | null
}

/** How much of a body is shown. Units: bytes. */
const MAX_SHOWN = 65_536

/** An entry as it is listed. */
export function summaryOf(entry: Entry, session: string): RequestSummary {
  const { id, time, startedMs, method, endpoint, status, durationMs, faultId } = entry
  return {
    id,
    time,
    startedMs: rounded(startedMs),
    session,
    method,
    path: maskedText(entry.path),
    query: queryOf(entry),
    url: maskedText(entry.url),
    operationId: endpoint?.id,
    caller: callerOf(entry),
    status,
    durationMs: durationMs === undefined ? undefined : rounded(durationMs),
    warnings: entry.warnings.map(({ code, message, requestIds }) => ({ code, message, requestIds })),
    fault: faultId,
  }
}

/** An entry as it is shown; bodies are cut. */
export function viewOf(entry: Entry, session: string): JournalEntry {
  return {
    ...summaryOf(entry, session),
    request: { headers: requestHeaders(entry), ...shown(requestText(entry), entry) },
    response: entry.answer && { headers: answerHeaders(entry), ...shown(responseText(entry), entry) },
  }
}

/**
 * An entry as it is shown by itself.
 * @param data the session's, as it is now
 */
export function examined(entry: Entry, session: string, data: Data): ExaminedRequest {
  return { ...viewOf(entry, session), basis: shownBasis(basisOf(entry, data)) }
}

function shownBasis(basis: Basis | undefined): RequestBasis | null {
  if (basis === undefined) return null
  const ids = basis === 'fault' ? [] : [...basis]
  return { isFault: basis === 'fault', assumptions: ids.toSorted().map(namedAssumption) }
}

/** To the microsecond. Units: milliseconds. */
export const rounded = (ms: number): number => Math.round(ms * 1000) / 1000

/** Whose token the request carried. */
export function callerOf({ caller }: Entry): Caller | undefined {
  if (!caller) return undefined
  const { id, firstName, lastName, organizationId } = caller
  return { id, name: `${firstName} ${lastName}`, organizationId }
}

/** The query's parameters. Order: as asked. */
export function queryOf({ search }: Entry): { readonly name: string; readonly value: string }[] {
  return search === ''
    ? []
    : Array.from(new URLSearchParams(search), ([name, value]) => ({ name, value: maskedText(value) }))
}

/** A request's headers, secrets masked. */
export function requestHeaders({ headers }: Entry): Record<string, string> {
  const found: Record<string, string> = {}
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase()
    const value = maskedHeader(name, headers[at + 1] ?? '')
    found[name] = found[name] === undefined ? value : `${found[name]}, ${value}`
  }
  return found
}

/** An answer's headers, secrets masked. */
export function answerHeaders({ answer }: Entry): Record<string, string> {
  const headers = answer?.headers ?? {}
  const pairs = isHeaders(headers) ? Array.from(headers) : Object.entries(headers)
  return Object.fromEntries(
    pairs.map(([name, value]) => [name.toLowerCase(), maskedHeader(name, value)] as const),
  )
}

/** A request's body, tokens masked; undefined where none was read. */
export function requestText({ requestBody }: Entry): string | undefined {
  return requestBody && maskedText(new TextDecoder().decode(requestBody))
}

/** An answer's body, tokens masked; undefined where none is kept. */
export function responseText({ responseBody }: Entry): string | undefined {
  return responseBody && maskedText(new TextDecoder().decode(responseBody.bytes))
}

/** What a text takes in UTF-8. Units: bytes. */
export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length
}

function shown(body: string | undefined, { hasBodies }: Entry): Omit<RecordedMessage, 'headers'> {
  if (body === undefined) return { body, bodyBytes: undefined, ...(!hasBodies && { truncated: true }) }
  const whole = { body, bodyBytes: utf8Length(body) }
  if (whole.bodyBytes <= MAX_SHOWN) return whole
  const { read } = new TextEncoder().encodeInto(body, new Uint8Array(MAX_SHOWN))
  return { ...whole, body: body.slice(0, read), truncated: true }
}

/** How an outcome reads in a sentence. */
export function outcomeText(outcome: Outcome): string {
  return outcome === 'pending' ? 'no answer yet' : `${outcome}`
}
